import { Command } from 'commander'
import type { AppContext } from '#core/context.ts'
import type { UploadView } from '#core/imports/upload-view.ts'
import { conflict } from '#core/kernel/errors.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import { importAction } from '../import-action.ts'

export function importsCancelCommand(cli: Cli): Command {
  return describe(new Command('cancel'), {
    summary: 'Cancel an import that is waiting, running or interrupted',
    details:
      'A running import first stops at its next checkpoint. What it has added or changed stays\n' +
      'and can be undone. If the readers have not been replaced yet, nothing is changed.',
    examples: [
      ['by its number', 'subscriptions imports cancel 12'],
      ['see how far it has got', 'subscriptions imports cancel 12 --dry-run'],
    ],
    exits: ['missing', 'conflict'],
  })
    .argument('[number]', 'the number of the import')
    .option(...flags.dryRun)
    .action(
      importAction<{ dryRun?: boolean }>(cli, async ({ as, dryRun = false }, uploadId) => {
        const { cliOutput } = cli
        const [{ withSession }, { cancelImport }, { changedText }] = await Promise.all([
          import('../session.ts'),
          import('#core/imports/cancel-upload.ts'),
          import('#core/imports/import-report.ts'),
        ])
        if (dryRun) return dryRunCancel(cli, as, uploadId)
        const { state, rows, added, updated, removed, canUndo } = await withSession(
          cliOutput,
          { as },
          async ({ ctx }) => {
            await unfinishedImport(ctx, uploadId)
            cliOutput.say(`Cancelling import ${uploadId}; a running import first stops at its next checkpoint ...`)
            return cancelImport(ctx, { uploadId, signal: cliOutput.io.signal })
          },
        )
        if (cliOutput.flags.json) await cliOutput.json({ dryRun, uploadId, state, rows, added, updated, removed })
        else
          await cliOutput.confirm(
            `${cliOutput.out.done} Import ${uploadId}: ${state}; ${changedText({ added, updated, removed })}${rows > 0 ? ` from ${countOf(rows, 'row')}` : ''}`,
          )
        if (canUndo) cliOutput.say(`To undo that: subscriptions imports undo ${uploadId}`)
        return 0
      }),
    )
}

/** Shows what would be cancelled. A running import continues to its next checkpoint, so its counts may still change. */
async function dryRunCancel({ cliOutput }: Cli, as: string | undefined, uploadId: number): Promise<number> {
  const { withSession } = await import('../session.ts')
  const view = await withSession(cliOutput, { as }, ({ ctx }) => unfinishedImport(ctx, uploadId))
  const { state, rows, added, updated, removed } = view
  if (cliOutput.flags.json) await cliOutput.json({ dryRun: true, uploadId, state, rows, added, updated, removed })
  else await cliOutput.print(`Would cancel import ${uploadId}, which is ${state}, at row ${formatCount(rows)}`)
  return 0
}

/** An import that can be cancelled; throws `conflict` with the command that shows it if it has ended. */
async function unfinishedImport(ctx: AppContext, uploadId: number): Promise<UploadView> {
  const { getUpload } = await import('#core/imports/get-upload.query.ts')
  const view = await getUpload(ctx, { uploadId })
  if (['stored', 'checking', 'checked', 'waiting', 'running', 'interrupted'].includes(view.state)) return view
  throw conflict(`Import ${uploadId} has already ended: it is ${view.state}`, {
    hint: `see what it did: subscriptions imports show ${uploadId}`,
  })
}
