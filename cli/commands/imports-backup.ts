import { Command } from 'commander'
import { countOf } from '#core/kernel/text-format.ts'
import { type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import { importAction } from '../import-action.ts'

export function importsBackupCommand(cli: Cli): Command {
  return describe(new Command('backup'), {
    summary: 'Write the readers an import changed or removed, as they were',
    details:
      'Kept for 30 days, in the columns of the import, so that import --mode combine restores\n' +
      'them. To undo a whole import: subscriptions imports undo.',
    examples: [
      ['into a file with the default name', 'subscriptions imports backup 12'],
      ['through a pipe', 'subscriptions imports backup 12 | gzip > before.csv.gz'],
    ],
    exits: ['missing', 'conflict'],
  })
    .argument('[number]', 'the number of the import')
    .option(...flags.output)
    .action(
      importAction<{ output?: string }>(cli, async ({ as, output }, uploadId) => {
        const { cliOutput } = cli
        const [{ saveDownload }, { exportBackup }] = await Promise.all([
          import('../save-download.ts'),
          import('#core/imports/export-backup.ts'),
        ])
        const saved = await saveDownload(cliOutput, { as, output }, async ({ ctx }, isPipe) =>
          exportBackup(ctx, { uploadId, bom: !isPipe }),
        )
        if (cliOutput.flags.json) await cliOutput.json({ uploadId, readers: saved.download.total, file: saved.file })
        else
          cliOutput.say(
            `${cliOutput.err.done} ${countOf(saved.download.total, 'reader as it was', 'readers as they were')} before import ${uploadId}${saved.file ? `: ${saved.file}` : ''}`,
          )
        return 0
      }),
    )
}
