import { setTimeout as pause } from 'node:timers/promises'
import { Command } from 'commander'
import type { ImportView } from '#core/imports/upload-view.ts'
import { countOf } from '#core/kernel/words.ts'
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
          import('#core/imports/cancel-upload.ts'),
          import('#core/imports/get-upload.query.ts'),
        ])
        const { state, view } = await withSession(talk, { as }, async ({ ctx }) => {
          let { state } = await cancelUpload(ctx, { uploadId })
          const until = performance.now() + patience
          if (state === 'running') talk.say('Stopping at a safe place ...')
          while (state === 'running' && performance.now() < until) {
            await pause(lookEvery, undefined, { signal: talk.io.signal })
            state = (await getUpload(ctx, { uploadId })).state
          }
          // Stopped, it could still be gone on with: this gives its place up.
          if (state === 'interrupted') state = (await cancelUpload(ctx, { uploadId })).state
          return { state, view: await getUpload(ctx, { uploadId }) }
        })
        if (talk.flags.json)
          await talk.json({ uploadId, state, added: view.added, updated: view.updated, removed: view.removed })
        else if (state === 'running')
          await talk.print(`${talk.out.warning} Import ${uploadId} is told to stop and has not yet`)
        else await talk.print(`${talk.out.done} Import ${uploadId}: ${state}; ${doneBefore(view)}`)
        if (view.canUndo) talk.say(`To take that back: subscriptions imports undo ${uploadId}`)
        return 0
      }),
    )
}

function doneBefore({ added, updated, removed }: Pick<ImportView, 'added' | 'updated' | 'removed'>): string {
  if (added + updated + removed === 0) return 'no reader was changed'
  const done = [
    [added, 'added'],
    [updated, 'changed'],
    [removed, 'removed'],
  ] as const
  const parts = done.filter(([number]) => number > 0).map(([number, what]) => `${countOf(number, 'reader')} ${what}`)
  return `${parts.join(', ')} before that`
}
