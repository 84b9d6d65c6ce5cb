import { rm } from 'node:fs/promises'
import { Command } from 'commander'
import { countOf } from '#core/kernel/words.ts'
import { exitCodes } from '../cli-error.ts'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import { makeProgress } from '../progress.ts'
import { printable } from '../style.ts'
import { tellPostcodes } from '../tell-postcodes.ts'

export function postcodesImportCommand(cli: Cli): Command {
  return describe(new Command('import'), {
    summary: 'Import a file of the postcodes there are',
    details:
      'One postcode a line, or a CSV with a column named PostCode, pcds or the like.\n' +
      'It takes the place of the file before. British readers whose postcode is not in\n' +
      'it are queried; forces numbers (BFPO) and GIR 0AA are always good.',
    examples: [
      ['the national file', 'subscriptions postcodes import ONSPD.csv --publication gardener'],
      ['from a pipe', 'zcat codes.csv.gz | subscriptions postcodes import - --publication gardener'],
    ],
    exits: ['rejects', 'missing', 'conflict'],
  })
    .usage('<file|-> --publication <handle> [flags]')
    .argument('[file]', 'the CSV file, or - for stdin')
    .option(...flags.publication)
    .action(
      action<{ publication?: string }>(cli, async ({ as, publication: given }, [argument]) => {
        const { talk } = cli
        const { findInput, namedInput, spoolStdin } = await import('../input-file.ts')
        const found = await findInput(talk, namedInput(argument, undefined))
        const [{ withSession }, { choosePublication, requireHandle }, { readPostcodes }] = await Promise.all([
          import('../session.ts'),
          import('../choose-publication.ts'),
          import('#core/postcode-files/store-postcodes.ts'),
        ])
        requireHandle(talk, given)
        return withSession(talk, { as }, async (session) => {
          const urlKey = await choosePublication(talk, session, given)
          const file = found === 'stdin' ? await spoolStdin(talk, session.env.dataDir) : found
          const progress = makeProgress(talk, `Reading ${printable(file.fileName)}`, 'rows')
          try {
            const view = await readPostcodes(session.ctx, {
              urlKey,
              file: file.path,
              fileName: file.fileName,
              onProgress: (rows: number, total: number) => progress.update(rows, total),
              signal: talk.io.signal,
            }).finally(() => progress.end())
            if (talk.flags.json) await talk.json(view)
            else {
              await talk.print(`${talk.out.done} Imported ${countOf(view.codes, 'postcode')} into ${urlKey}`)
              await tellPostcodes(talk, view)
            }
            return view.failed > 0 ? exitCodes.rejects.code : exitCodes.done.code
          } finally {
            if (file.isSpooled) await rm(file.path, { force: true })
          }
        })
      }),
    )
}
