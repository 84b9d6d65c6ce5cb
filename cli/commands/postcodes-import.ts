import { rm } from 'node:fs/promises'
import { Command } from 'commander'
import { countOf } from '#core/kernel/text-format.ts'
import { exitCodes } from '../cli-error.ts'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import { printPostcodes } from '../print-postcodes.ts'
import { makeProgress } from '../progress.ts'
import { printable } from '../style.ts'

export function postcodesImportCommand(cli: Cli): Command {
  return describe(new Command('import'), {
    summary: 'Import a file of valid postcodes',
    details:
      'One postcode per line, or a CSV with a column such as PostCode or pcds.\n' +
      'It replaces the previous file. UK readers whose postcode is not in\n' +
      'it get a warning; forces numbers (BFPO) and GIR 0AA are always valid.',
    examples: [
      ['the national file', 'subscriptions postcodes import ONSPD.csv --publication gardener'],
      ['see what would change', 'subscriptions postcodes import ONSPD.csv --publication gardener --dry-run'],
      ['from a pipe', 'zcat codes.csv.gz | subscriptions postcodes import - --publication gardener'],
    ],
    exits: ['rejects', 'missing', 'conflict'],
  })
    .usage('<file|-> --publication <handle> [flags]')
    .argument('[file]', 'the CSV file, or - for stdin')
    .option(...flags.publication)
    .option(...flags.dryRun)
    .action(
      action<{ publication?: string; dryRun?: boolean }>(
        cli,
        async ({ as, publication, dryRun = false }, [argument]) => {
          const { cliOutput } = cli
          const { findInput, namedInput, spoolStdin } = await import('../input-file.ts')
          const source = await findInput(cliOutput, namedInput(argument, undefined))
          const [{ withSession }, { choosePublication, requireHandle }, { previewPostcodes, readPostcodes }] =
            await Promise.all([
              import('../session.ts'),
              import('../choose-publication.ts'),
              import('#core/postcode-files/store-postcodes.ts'),
            ])
          requireHandle(cliOutput, publication)
          return withSession(cliOutput, { as }, async (session) => {
            const urlKey = await choosePublication(cliOutput, session, publication)
            const file = source === 'stdin' ? await spoolStdin(cliOutput, session.env.dataDir) : source
            const progress = makeProgress(cliOutput, `Reading ${printable(file.fileName)}`, 'rows')
            try {
              const view = await (dryRun ? previewPostcodes : readPostcodes)(session.ctx, {
                urlKey,
                file: file.path,
                fileName: file.fileName,
                onProgress: (rows: number, total: number) => progress.update(rows, total),
                signal: cliOutput.io.signal,
              }).finally(() => progress.end())
              if (cliOutput.flags.json) await cliOutput.json({ ...view, dryRun })
              else if (cliOutput.flags.quiet && !dryRun) {
                if (view.failed > 0)
                  cliOutput.warn(`${countOf(view.failed, 'row')} of ${file.fileName} without a postcode`)
              } else {
                await cliOutput.confirm(
                  dryRun
                    ? `Would import ${countOf(view.codes, 'postcode')} into ${urlKey}; nothing was changed`
                    : `${cliOutput.out.done} Imported ${countOf(view.codes, 'postcode')} into ${urlKey}`,
                )
                await printPostcodes(cliOutput, view)
              }
              return view.failed > 0 ? exitCodes.rejects.code : exitCodes.done.code
            } finally {
              if (file.isSpooled) await rm(file.path, { force: true })
            }
          })
        },
      ),
    )
}
