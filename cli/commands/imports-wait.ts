import { Command } from 'commander'
import type { UploadView } from '#core/imports/upload-view.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { CliError, exitCodes } from '../cli-error.ts'
import type { Cli } from '../command.ts'
import { describe } from '../help.ts'
import { importAction } from '../import-action.ts'
import { makeProgress } from '../progress.ts'
import { printImportView } from './imports-show.ts'

export function importsWaitCommand(cli: Cli): Command {
  return describe(new Command('wait'), {
    summary: 'Wait until an import has finished; the exit code says how it ended',
    details:
      'Shows the progress. 0: done. 3: done, and some rows were rejected. 1: it failed or was\n' +
      'cancelled, or it or its undo was interrupted. 5: it is waiting for confirmation. Ctrl-C\n' +
      'only stops the wait.',
    examples: [
      ['by its number', 'subscriptions imports wait 12'],
      [
        'make the mailing file when it is done',
        'subscriptions imports wait 12 && subscriptions mailing-file --publication gardener',
      ],
      ['as JSON', 'subscriptions imports wait 12 --json'],
    ],
    exits: ['rejects', 'missing', 'conflict'],
  })
    .argument('[number]', 'the number of the import')
    .action(
      importAction<object>(cli, async ({ as }, uploadId) => {
        const { cliOutput } = cli
        const [{ withSession }, { waitForImport }] = await Promise.all([
          import('../session.ts'),
          import('#core/imports/wait-for-import.query.ts'),
        ])
        const progress = makeProgress(cliOutput, `Import ${uploadId}`, 'rows')
        const view = await withSession(cliOutput, { as }, ({ ctx }) =>
          waitForImport(ctx, {
            uploadId,
            signal: cliOutput.io.signal,
            onProgress: ({ rows, total }: UploadView['progress']) => progress.update(rows, total),
          }),
        ).finally(() => progress.end())
        const exit = exitOf(view)
        if (cliOutput.flags.json) await cliOutput.json(view)
        else if (!cliOutput.flags.quiet) await printImportView(cliOutput, view)
        else if (view.failed > 0)
          cliOutput.warn(`${countOf(view.failed, 'row')} rejected: subscriptions imports rejects ${uploadId}`)
        if (exit === exitCodes.failed.code && !cliOutput.flags.json)
          throw new CliError(
            view.state,
            'failed',
            `Import ${uploadId} is ${view.state}${view.problem ? `: ${view.problem}` : ''}`,
            view.state === 'undo-interrupted'
              ? `resume the undo: subscriptions imports undo ${uploadId}`
              : `see what it did: subscriptions imports show ${uploadId}`,
          )
        return exit
      }),
    )
}

function exitOf({ state, failed }: UploadView): number {
  const isDone = state === 'done' || state === 'undoing' || state === 'undone'
  if (!isDone) return exitCodes.failed.code
  return failed > 0 ? exitCodes.rejects.code : exitCodes.done.code
}
