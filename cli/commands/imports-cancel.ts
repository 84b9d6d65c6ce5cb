import { setTimeout as pause } from 'node:timers/promises'
import { Command } from 'commander'
import { action, type Cli } from '../command.ts'
import { describe } from '../help.ts'
import { importNumber } from '../which-import.ts'

/** In milliseconds: how long a running import may take to come to a safe place, and how often it is looked at. */
const patience = 120_000
const lookEvery = 500

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
        const [{ withSession }, { cancelUpload }, { getUpload }] = await Promise.all([
          import('../session.ts'),
          import('#core/uploads/cancel-upload.ts'),
          import('#core/uploads/get-upload.query.ts'),
        ])
        const state = await withSession(talk, { as }, async ({ ctx }) => {
          let { state } = await cancelUpload(ctx, { uploadId })
          const until = performance.now() + patience
          if (state === 'running') talk.say('Stopping at a safe place ...')
          while (state === 'running' && performance.now() < until) {
            await pause(lookEvery, undefined, { signal: talk.io.signal })
            state = (await getUpload(ctx, { uploadId })).state
          }
          // Stopped, it could still be gone on with: this gives its place up.
          return state === 'interrupted' ? (await cancelUpload(ctx, { uploadId })).state : state
        })
        if (talk.flags.json) await talk.json({ uploadId, state })
        else if (state === 'running')
          await talk.print(`${talk.out.warning} Import ${uploadId} is told to stop and has not yet`)
        else await talk.print(`${talk.out.done} Import ${uploadId}: ${state}`)
        return 0
      }),
    )
}
