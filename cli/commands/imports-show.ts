import { Command } from 'commander'
import type { UploadView } from '#core/imports/upload-view.ts'
import { formatUtc } from '#core/kernel/dates.ts'
import { progressText, secondsLeftSinceStart } from '#core/kernel/progress-text.ts'
import { formatCount } from '#core/kernel/text-format.ts'
import { type CliOutput, labelled } from '../cli-output.ts'
import type { Cli } from '../command.ts'
import { describe } from '../help.ts'
import { importAction } from '../import-action.ts'
import { reasonLines } from '../reason-lines.ts'
import { printable } from '../style.ts'

export function importsShowCommand(cli: Cli): Command {
  return describe(new Command('show'), {
    summary: 'Show what an import did, or its progress',
    examples: [
      ['by its number', 'subscriptions imports show 12'],
      ['as JSON', 'subscriptions imports show 12 --json'],
    ],
    exits: ['missing'],
  })
    .argument('[number]', 'the number of the import')
    .action(
      importAction<object>(cli, async ({ as }, uploadId) => {
        const { cliOutput } = cli
        const [{ withSession }, { getUpload }] = await Promise.all([
          import('../session.ts'),
          import('#core/imports/get-upload.query.ts'),
        ])
        const view = await withSession(cliOutput, { as }, ({ ctx }) => getUpload(ctx, { uploadId }))
        if (cliOutput.flags.json) await cliOutput.json(view)
        else await printImportView(cliOutput, view)
        return 0
      }),
    )
}

/** Prints the result or the progress of an import as labelled rows. */
export async function printImportView(cliOutput: CliOutput, view: UploadView): Promise<void> {
  const mode = view.target === 'imported' ? `${view.mode}, imported readers only` : view.mode
  const moment = (at: Date | null) => at && `${formatUtc(at)} UTC`
  await cliOutput.print(`Import ${view.id} into ${view.urlKey}: ${view.state}`)
  await cliOutput.print(
    labelled([
      ['File', printable(view.fileName)],
      ['Mode', mode],
      ['By', view.who && printable(view.who)],
      ['Started', moment(view.startedAt)],
      ['Ended', moment(view.finishedAt)],
      ['Progress', progressOf(view)],
      ['Rows', formatCount(view.rows)],
      ['Added', formatCount(view.added)],
      ['Updated', formatCount(view.updated)],
      ['Unchanged', formatCount(view.unchanged)],
      ['Removed', formatCount(view.removed)],
      ['Repeated', view.repeated > 0 ? formatCount(view.repeated) : null],
      ['Rejected', formatCount(view.failed)],
      ['Undone', moment(view.undoneAt)],
      ['Restored', view.restored > 0 ? formatCount(view.restored) : null],
      ['Not restored', view.leftAlone > 0 ? `${formatCount(view.leftAlone)} (changed since the import)` : null],
      ['Problem', view.problem && printable(view.problem)],
    ]),
  )
  if (view.reasons.length > 0) await cliOutput.print(`\nWhy rows were rejected:\n${reasonLines(view.reasons)}`)
  if (view.state === 'interrupted') {
    const where = view.fileHost === null ? '' : ` (on ${view.fileHost}, which has the file)`
    cliOutput.say(`To resume it: subscriptions import --resume --publication ${view.urlKey}${where}`)
    cliOutput.say(`To cancel it: subscriptions imports cancel ${view.id}`)
  }
  if (view.canUndo)
    cliOutput.say(
      `${view.state === 'undo-interrupted' ? 'To resume the undo' : 'To undo it'}: subscriptions imports undo ${view.id}`,
    )
}

/** "writing, 12,400 of 20,000 rows, about 8 s left"; null unless it is being imported or undone. */
function progressOf({ state, progress: { phase, rows, total, phaseSeconds } }: UploadView): string | null {
  if (state !== 'running' && state !== 'undoing') return null
  const work = { phase, done: rows, total, seconds: phaseSeconds }
  const unit = state === 'undoing' ? 'readers' : 'rows'
  return `${phase ?? 'writing'}, ${progressText({ ...work, unit, secondsLeft: secondsLeftSinceStart(work) })}`
}
