import { Command } from 'commander'
import type { UploadView } from '#core/imports/upload-view.ts'
import { formatCount } from '#core/kernel/words.ts'
import { action, type Cli } from '../command.ts'
import { describe } from '../help.ts'
import { reasonLines } from '../reason-lines.ts'
import { printable } from '../style.ts'
import { labelled, type Talk } from '../talk.ts'
import { importNumber } from '../which-import.ts'

export function importsShowCommand(cli: Cli): Command {
  return describe(new Command('show'), {
    summary: 'Show what an import did, and how far it is',
    examples: [
      ['by its number', 'subscriptions imports show 12'],
      ['for a program', 'subscriptions imports show 12 --json'],
    ],
    exits: ['missing'],
  })
    .argument('[number]', 'the number of the import')
    .action(
      action<object>(cli, async ({ as }, [argument]) => {
        const { talk } = cli
        const uploadId = importNumber(argument)
        const [{ withSession }, { getUpload }] = await Promise.all([
          import('../session.ts'),
          import('#core/imports/get-upload.query.ts'),
        ])
        const view = await withSession(talk, { as }, ({ ctx }) => getUpload(ctx, { uploadId }))
        if (talk.flags.json) await talk.json(view)
        else await tell(talk, view)
        return 0
      }),
    )
}

async function tell(talk: Talk, view: UploadView): Promise<void> {
  const mode = view.target === 'imported' ? `${view.mode}, imported readers only` : view.mode
  const moment = (at: Date | null) => at?.toISOString().slice(0, 19).replace('T', ' ')
  await talk.print(`Import ${view.id} into ${view.urlKey}: ${view.state}`)
  await talk.print(
    labelled([
      ['File', printable(view.fileName)],
      ['Mode', mode],
      ['By', view.who && printable(view.who)],
      ['Begun', moment(view.startedAt)],
      ['Ended', moment(view.finishedAt)],
      [
        'At',
        view.state === 'running' ? `${view.progress.phase ?? 'writing'}, row ${formatCount(view.progress.rows)}` : null,
      ],
      ['Rows', formatCount(view.rows)],
      ['Added', formatCount(view.added)],
      ['Updated', formatCount(view.updated)],
      ['Unchanged', formatCount(view.unchanged)],
      ['Removed', formatCount(view.removed)],
      ['Given again', view.repeated > 0 ? formatCount(view.repeated) : null],
      ['Rejected', formatCount(view.failed)],
      ['Undone', moment(view.undoneAt)],
      ['As before', view.restored > 0 ? formatCount(view.restored) : null],
      ['Left alone', view.leftAlone > 0 ? `${formatCount(view.leftAlone)} changed since` : null],
      ['Problem', view.problem && printable(view.problem)],
    ]),
  )
  if (view.reasons.length > 0) await talk.print(`\nWhy rows were rejected:\n${reasonLines(view.reasons)}`)
  if (view.state === 'interrupted') {
    const where = view.fileHost === null ? '' : ` (on ${view.fileHost}, which has the file)`
    talk.say(`To go on with it: subscriptions import --resume --publication ${view.urlKey}${where}`)
    talk.say(`To end it as it is: subscriptions imports cancel ${view.id}`)
  }
  if (view.canUndo)
    talk.say(
      `${view.state === 'undo-interrupted' ? 'To go on with the undo' : 'To take it back'}: subscriptions imports undo ${view.id}`,
    )
}
