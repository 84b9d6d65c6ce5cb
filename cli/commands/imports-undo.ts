import { Command } from 'commander'
import type { UndoReport } from '#core/imports/undo-import.ts'
import { countOf, formatCount } from '#core/kernel/words.ts'
import { confirm } from '../ask.ts'
import { exitCodes, interrupted } from '../cli-error.ts'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import { makeProgress } from '../progress.ts'
import { printable } from '../style.ts'
import { labelled, type Talk } from '../talk.ts'
import { importNumber } from '../which-import.ts'

export function importsUndoCommand(cli: Cli): Command {
  return describe(new Command('undo'), {
    summary: 'Take an import back, for 30 days',
    details:
      'Added readers go, changed ones get their former record, removed ones come back\n' +
      'with the number they had. Whoever was changed since is left alone and listed.\n' +
      'Ctrl-C stops at a safe place, and the same command goes on from there.',
    examples: [
      ['what it would come to', 'subscriptions imports undo 12 --dry-run'],
      ['take it back', 'subscriptions imports undo 12'],
      ['without a question', 'subscriptions imports undo 12 --yes'],
    ],
    exits: ['missing', 'conflict'],
  })
    .argument('[number]', 'the number of the import')
    .option(...flags.yes)
    .option(...flags.dryRun)
    .action(
      action<{ yes?: boolean; dryRun?: boolean }>(cli, async ({ as, yes, dryRun = false }, [argument]) => {
        const { talk } = cli
        const uploadId = importNumber(argument)
        const [{ withSession }, { undoImport }] = await Promise.all([
          import('../session.ts'),
          import('#core/imports/undo-import.ts'),
        ])
        return withSession(talk, { as }, async ({ ctx }) => {
          if (!dryRun && !yes) {
            const would = await undoImport(ctx, { uploadId, dryRun: true })
            if (!(await confirm(talk, `Undo the import of "${printable(would.fileName)}" (${inWords(would)})?`, yes)))
              throw interrupted('Nothing was changed')
          }
          const progress = makeProgress(talk, `Undoing import ${uploadId}`, 'readers')
          const report = await undoImport(ctx, {
            uploadId,
            dryRun,
            onProgress: ({ readers, total }: { readers: number; total: number }) => progress.update(readers, total),
            signal: talk.io.signal,
          }).finally(() => progress.end())
          await tell(talk, report)
          return report.isFinished ? exitCodes.done.code : exitCodes.interrupted.code
        })
      }),
    )
}

function inWords({ removed, restored, broughtBack, leftAlone }: UndoReport): string {
  return [
    `${formatCount(removed)} added ones go`,
    `${formatCount(restored)} get their former record`,
    `${formatCount(broughtBack)} come back`,
    ...(leftAlone > 0 ? [`${formatCount(leftAlone)} were changed since and stay`] : []),
  ].join(', ')
}

async function tell(talk: Talk, report: UndoReport): Promise<void> {
  if (talk.flags.json) return talk.json(report)
  const { uploadId, dryRun, isFinished, removed, restored, broughtBack, leftAlone, left } = report
  const all = countOf(removed + restored + broughtBack, 'reader')
  await talk.print(
    !isFinished
      ? `${talk.out.warning} Stopped at a safe place; the same command goes on`
      : dryRun
        ? `Would undo import ${uploadId}: ${all} as before; nothing was changed`
        : `${talk.out.done} Undone import ${uploadId}: ${all} as before`,
  )
  await talk.print(
    labelled([
      ['Added ones gone', formatCount(removed)],
      ['Former record', formatCount(restored)],
      ['Brought back', formatCount(broughtBack)],
      ['Left alone', leftAlone > 0 ? `${formatCount(leftAlone)} changed since` : null],
    ]),
  )
  for (const { readerId, uniqueReference, isThere } of left)
    await talk.print(
      `  ${printable(uniqueReference)} (${isThere ? `reader ${readerId}` : 'removed, or the reference is somebody else’s now'})`,
    )
  if (leftAlone > left.length && left.length > 0) await talk.print(`  and ${countOf(leftAlone - left.length, 'other')}`)
}
