import { rm } from 'node:fs/promises'
import { Command, Option } from 'commander'
import { formatCount } from '#core/kernel/words.ts'
import type { ImportProgress, ImportReport } from '#core/reader-files/import-readers.ts'
import { exitCodes } from '../cli-error.ts'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import type { InputFile } from '../input-file.ts'
import { makeProgress } from '../progress.ts'
import type { Session } from '../session.ts'
import type { Talk } from '../talk.ts'

interface ImportFlags {
  publication?: string
  mode: 'add'
  file?: string
  rejects?: string
  again?: boolean
  dryRun?: boolean
}

export function importCommand(cli: Cli): Command {
  return describe(new Command('import'), {
    summary: 'Import a reader file into a publication',
    usage: '<file>',
    details:
      'Reads CSV of any size: comma, semicolon or tab; UTF-8, UTF-16 or Windows-1252.\n' +
      'A bad row never stops the good ones: it comes back in a CSV to mend and import\n' +
      'again. Ctrl-C stops at a safe place, and the same command goes on from there.\n' +
      'The columns: docs/reader-files.md',
    examples: [
      ['add the readers of a file', 'subscriptions import readers.csv --publication gardener'],
      ['see what it would do, and change nothing', 'subscriptions import readers.csv --publication gardener --dry-run'],
      ['from a pipe', 'zcat readers.csv.gz | subscriptions import - --publication gardener --json'],
    ],
    exits: ['rejects', 'missing', 'conflict'],
  })
    .usage('<file|-> --publication <handle> [flags]')
    .argument('[file]', 'the CSV file, or - for stdin')
    .option(...flags.publication)
    .addOption(new Option('--mode <mode>', 'add: only new readers, none is changed').choices(['add']).default('add'))
    .option('--file <file>', 'the CSV file, or - for stdin, by a flag')
    .option('--rejects <file>', 'where rejected rows go (default: <name>.rejected.csv, here)')
    .option('--again', 'import a file that was imported before once more')
    .option(...flags.dryRun)
    .action(
      action<ImportFlags>(cli, async ({ as, ...given }, [argument]) => {
        const { talk } = cli
        const [{ findInput, namedInput, spoolStdin }, rejects] = await Promise.all([
          import('../input-file.ts'),
          import('../rejects-file.ts'),
        ])
        const found = await findInput(talk, namedInput(argument, given.file))
        rejects.checkRejects(talk, given.rejects, found)
        const [{ withSession }, { choosePublication, requireHandle }] = await Promise.all([
          import('../session.ts'),
          import('../choose-publication.ts'),
        ])
        requireHandle(talk, given.publication)
        return withSession(talk, { as }, async (session) => {
          const urlKey = await choosePublication(talk, session, given.publication)
          const file = found === 'stdin' ? await spoolStdin(talk, session.env.dataDir) : found
          const outcome = await runImport(talk, session, file, { ...given, urlKey })
          return finish(talk, session, { file, urlKey, rejects: given.rejects, outcome })
        })
      }),
    )
}

type Outcome = { report: ImportReport; isStopped: boolean }

async function runImport(
  talk: Talk,
  { ctx }: Session,
  file: InputFile,
  given: ImportFlags & { urlKey: string },
): Promise<Outcome> {
  const { importReaders } = await import('#core/reader-files/import-readers.ts')
  const { signal } = talk.io
  let isAtEnd = false
  const progress = makeProgress(talk, given.dryRun ? `Checking ${file.fileName}` : `Importing ${file.fileName}`, 'rows')
  const tellStop = () => {
    progress.end()
    talk.say('Stopping at a safe place ... (Ctrl-C again leaves at once; what is committed stays)')
  }
  signal.addEventListener('abort', tellStop, { once: true })
  try {
    const report = await importReaders(ctx, {
      urlKey: given.urlKey,
      file: file.path,
      fileName: file.fileName,
      mode: given.mode,
      dryRun: given.dryRun ?? false,
      again: given.again ?? false,
      onProgress: ({ rows, totalRows, rejected }: ImportProgress) => {
        isAtEnd = rows >= totalRows
        if (!signal.aborted)
          progress.update(rows, totalRows, rejected > 0 ? `${formatCount(rejected)} rejected` : undefined)
      },
      signal,
    })
    // A Ctrl-C after the last row stopped nothing.
    return { report, isStopped: signal.aborted && !isAtEnd }
  } finally {
    signal.removeEventListener('abort', tellStop)
    progress.end()
  }
}

async function finish(
  talk: Talk,
  { ctx }: Session,
  {
    file,
    urlKey,
    rejects,
    outcome,
  }: { file: InputFile; urlKey: string; rejects: string | undefined; outcome: Outcome },
): Promise<number> {
  const { report, isStopped } = outcome
  const [{ saveRejects }, { tellImport }] = await Promise.all([
    import('../rejects-file.ts'),
    import('../import-receipt.ts'),
  ])
  // A stopped import gives them back when it has come to its end.
  const rejectsFile = isStopped ? null : await saveRejects(talk, ctx, { report, input: file, wanted: rejects })
  if (file.isSpooled && !isStopped) await rm(file.path, { force: true })
  await tellImport(talk, { report, rejectsFile, input: file, urlKey, isStopped })
  if (isStopped) return exitCodes.interrupted.code
  return report.failed > 0 ? exitCodes.rejects.code : exitCodes.done.code
}
