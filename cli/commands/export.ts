import { Command, Option } from 'commander'
import { countOf } from '#core/kernel/text-format.ts'
import { labelled } from '../cli-output.ts'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import { makeProgress } from '../progress.ts'

interface ExportFlags {
  publication?: string
  output?: string
  target?: 'all' | 'imported'
  bom?: boolean
}

export function exportCommand(cli: Cli): Command {
  return describe(new Command('export'), {
    summary: 'Write every reader of a publication as CSV',
    details:
      'The columns are those of the import: what is exported can be imported again\n' +
      '(docs/reader-files.md). On a terminal the file is saved in the current directory;\n' +
      'when piped or redirected it goes to stdout.',
    examples: [
      ['into a file with the default name', 'subscriptions export --publication gardener'],
      ['into a file of your choice', 'subscriptions export --publication gardener --output readers.csv'],
      ['only imported readers', 'subscriptions export --publication gardener --target imported'],
      ['through a pipe', 'subscriptions export --publication gardener | gzip > readers.csv.gz'],
    ],
    exits: ['missing', 'conflict'],
  })
    .usage('--publication <handle> [flags]')
    .option(...flags.publication)
    .option(...flags.output)
    .addOption(new Option('--target <set>', 'which readers').choices(['all', 'imported']).default('all'))
    .option('--bom', 'begin with a byte order mark, for Excel (default: files only)')
    .option('--no-bom', 'no byte order mark')
    .action(
      action<ExportFlags>(cli, async (options) => {
        const { cliOutput } = cli
        const [{ choosePublication, requireHandle }, output] = await Promise.all([
          import('../choose-publication.ts'),
          import('../save-output.ts'),
        ])
        const requested = output.outputTarget(cliOutput, options.output)
        requireHandle(cliOutput, options.publication)
        if (requested) await output.checkTarget(requested)
        const [{ withSession }, { exportReaders }] = await Promise.all([
          import('../session.ts'),
          import('#core/reader-files/export-readers.ts'),
        ])
        return withSession(cliOutput, options, async (session) => {
          const urlKey = await choosePublication(cliOutput, session, options.publication)
          const startedAt = performance.now()
          const exported = await exportReaders(session.ctx, {
            urlKey,
            target: options.target,
            bom: options.bom ?? requested?.kind !== 'stdout',
          })
          const target =
            requested ??
            output.defaultTarget(cliOutput, exported.fileName.replace(/\.csv$/, `_${options.target}_readers.csv`))
          await output.checkTarget(target)
          const progress = makeProgress(cliOutput, `Exporting ${urlKey}`, 'readers')
          const written = { bytes: 0 }
          try {
            const chunks = counted(exported.chunks, written, () =>
              progress.update(exported.rows().sent, exported.total),
            )
            await output.saveOutput(cliOutput, target, chunks)
          } finally {
            progress.end()
          }
          const seconds = Math.round((performance.now() - startedAt) / 100) / 10
          const file = target.kind === 'file' ? target.path : null
          if (cliOutput.flags.json)
            await cliOutput.json({ publication: urlKey, file, readers: exported.total, bytes: written.bytes, seconds })
          else {
            cliOutput.say(`${cliOutput.err.done} Exported ${countOf(exported.total, 'reader')} of ${urlKey}`)
            cliOutput.say(
              labelled([
                ['File', file],
                ['Size', countOf(written.bytes, 'byte')],
                ['Seconds', seconds],
              ]),
            )
          }
          return 0
        })
      }),
    )
}

/** Passes chunks on and counts their bytes. */
async function* counted<Chunk extends string | Buffer>(
  chunks: AsyncIterable<Chunk>,
  count: { bytes: number },
  onChunk: () => void,
): AsyncGenerator<Chunk> {
  for await (const chunk of chunks) {
    count.bytes += Buffer.byteLength(chunk)
    onChunk()
    yield chunk
  }
}
