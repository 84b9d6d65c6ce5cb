import { Command } from 'commander'
import { type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import { importAction } from '../import-action.ts'

export function importsRejectsCommand(cli: Cli): Command {
  return describe(new Command('rejects'), {
    summary: 'Write the rejected rows of an import, to correct and import again',
    examples: [
      ['into a file with the default name', 'subscriptions imports rejects 12'],
      ['in a pager', 'subscriptions imports rejects 12 --output - | less'],
    ],
    exits: ['missing', 'conflict'],
  })
    .argument('[number]', 'the number of the import')
    .option(...flags.output)
    .action(
      importAction<{ output?: string }>(cli, async ({ as, output }, uploadId) => {
        const { cliOutput } = cli
        const [{ saveDownload }, { downloadRejects }] = await Promise.all([
          import('../save-download.ts'),
          import('#core/imports/download-rejects.ts'),
        ])
        const { file } = await saveDownload(cliOutput, { as, output }, ({ ctx }) => downloadRejects(ctx, { uploadId }))
        if (cliOutput.flags.json) await cliOutput.json({ uploadId, file })
        else if (file) cliOutput.say(`${cliOutput.err.done} Rejected rows of import ${uploadId}: ${file}`)
        return 0
      }),
    )
}
