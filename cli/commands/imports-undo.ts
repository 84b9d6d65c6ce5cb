import { Command } from 'commander'
import type { UndoReport } from '#core/imports/undo-import.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { exitCodes, interrupted } from '../cli-error.ts'
import { type CliOutput, labelled } from '../cli-output.ts'
import { type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import { importAction } from '../import-action.ts'
import { makeProgress } from '../progress.ts'
import { confirm } from '../prompt.ts'
import { printable } from '../style.ts'

export function importsUndoCommand(cli: Cli): Command {
  return describe(new Command('undo'), {
    summary: 'Undo an import, up to 30 days after it',
    details:
      'Added readers are removed, changed readers get their previous values back, and removed\n' +
      'readers are restored with their number. Readers that were changed since are left\n' +
      'unchanged and listed.\n' +
      'Ctrl-C stops at a checkpoint, and the same command resumes from there.',
    examples: [
      ['see what it would do', 'subscriptions imports undo 12 --dry-run'],
      ['undo it', 'subscriptions imports undo 12'],
      ['without confirmation', 'subscriptions imports undo 12 --yes'],
    ],
    exits: ['missing', 'conflict'],
  })
    .argument('[number]', 'the number of the import')
    .option(...flags.yes)
    .option(...flags.dryRun)
    .action(
      importAction<{ yes?: boolean; dryRun?: boolean }>(cli, async ({ as, yes, dryRun = false }, uploadId) => {
        const { cliOutput } = cli
        const [{ withSession }, { undoImport }] = await Promise.all([
          import('../session.ts'),
          import('#core/imports/undo-import.ts'),
        ])
        return withSession(cliOutput, { as }, async ({ ctx }) => {
          if (!dryRun && !yes) {
            const preview = await undoImport(ctx, { uploadId, dryRun: true })
            if (
              !(await confirm(
                cliOutput,
                `Undo the import of "${printable(preview.fileName)}" (${describeUndo(preview)})?`,
                yes,
              ))
            )
              throw interrupted('Nothing was changed')
          }
          const progress = makeProgress(cliOutput, `Undoing import ${uploadId}`, 'readers')
          const report = await undoImport(ctx, {
            uploadId,
            dryRun,
            onProgress: ({ readers, total }: { readers: number; total: number }) => progress.update(readers, total),
            signal: cliOutput.io.signal,
          }).finally(() => progress.end())
          await printReport(cliOutput, report)
          return report.isFinished ? exitCodes.done.code : exitCodes.interrupted.code
        })
      }),
    )
}

function describeUndo({ removed, restored, broughtBack, leftAlone }: UndoReport): string {
  return [
    `${countOf(removed, 'added reader')} will be removed`,
    `${countOf(restored, 'changed reader')} will be changed back`,
    `${countOf(broughtBack, 'removed reader')} will be restored`,
    ...(leftAlone > 0 ? [`${countOf(leftAlone, 'reader')} changed since will be left unchanged`] : []),
  ].join(', ')
}

async function printReport(cliOutput: CliOutput, report: UndoReport): Promise<void> {
  if (cliOutput.flags.json) return cliOutput.json(report)
  const { uploadId, dryRun, isFinished, removed, restored, broughtBack, leftAlone, left } = report
  if (cliOutput.flags.quiet && !isFinished) cliOutput.warn('Stopped at a checkpoint; the same command resumes it')
  if (cliOutput.flags.quiet && leftAlone > 0)
    cliOutput.warn(`${countOf(leftAlone, 'reader')} changed since import ${uploadId}: left unchanged`)
  const all = countOf(removed + restored + broughtBack, 'reader')
  await cliOutput.confirm(
    !isFinished
      ? `${cliOutput.out.warning} Stopped at a checkpoint; the same command resumes it`
      : dryRun
        ? `Would undo import ${uploadId} for ${all}; nothing was changed`
        : `${cliOutput.out.done} Undid import ${uploadId} for ${all}`,
  )
  await cliOutput.confirm(
    labelled([
      ['Added, now removed', formatCount(removed)],
      ['Changed back', formatCount(restored)],
      ['Restored', formatCount(broughtBack)],
      ['Not restored', leftAlone > 0 ? `${formatCount(leftAlone)} (changed since the import)` : null],
    ]),
  )
  for (const { readerId, uniqueReference, isThere } of left)
    await cliOutput.confirm(
      `  ${printable(uniqueReference)} (${isThere ? `reader ${readerId}` : 'removed, or its reference now belongs to another reader'})`,
    )
  if (leftAlone > left.length && left.length > 0)
    await cliOutput.confirm(`  and ${countOf(leftAlone - left.length, 'other')}`)
}
