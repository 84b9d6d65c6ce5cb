import { Command } from 'commander'
import { countOf } from '#core/kernel/words.ts'
import { action, type Cli } from '../command.ts'
import { describe } from '../help.ts'
import { importNumber } from '../which-import.ts'

export function importsCancelCommand(cli: Cli): Command {
  return describe(new Command('cancel'), {
    summary: 'End an import that waits, runs or was stopped',
    details:
      'A running one stops at a safe place first. What it has added or changed stays and\n' +
      'can be undone; a replacement that has not happened yet leaves no trace.',
    examples: [['by its number', 'subscriptions imports cancel 12']],
    exits: ['missing', 'conflict'],
  })
    .argument('[number]', 'the number of the import')
    .action(
      action<object>(cli, async ({ as }, [argument]) => {
        const { talk } = cli
        const uploadId = importNumber(argument)
        const [{ withSession }, { endImport }, { changedWords }] = await Promise.all([
          import('../session.ts'),
          import('#core/imports/cancel-upload.ts'),
          import('#core/imports/import-report.ts'),
        ])
        talk.say(`Cancelling import ${uploadId}; a running one comes to a safe place first ...`)
        const { state, rows, added, updated, removed, canUndo } = await withSession(talk, { as }, ({ ctx }) =>
          endImport(ctx, { uploadId, signal: talk.io.signal }),
        )
        if (talk.flags.json) await talk.json({ uploadId, state, rows, added, updated, removed })
        else
          await talk.print(
            `${talk.out.done} Import ${uploadId}: ${state}; ${changedWords({ added, updated, removed })}${rows > 0 ? ` before that, of ${countOf(rows, 'row')}` : ''}`,
          )
        if (canUndo) talk.say(`To take that back: subscriptions imports undo ${uploadId}`)
        return 0
      }),
    )
}
