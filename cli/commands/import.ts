import { rm } from 'node:fs/promises'
import { basename, resolve as resolvePath } from 'node:path'
import { Command, Option } from 'commander'
import type { ImportMode, ImportTarget } from '#core/imports/import-modes.rules.ts'
import type { ImportReport } from '#core/imports/import-report.ts'
import { CliError, exitCodes, usageError } from '../cli-error.ts'
import type { CliOutput } from '../cli-output.ts'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import type { InputFile } from '../input-file.ts'
import type { ImportRequest } from '../run-import.ts'
import type { Session } from '../session.ts'

interface ImportFlags {
  publication?: string
  mode: ImportMode
  target?: ImportTarget
  map?: string
  file?: string
  rejects?: string
  again?: boolean
  encoding?: string
  delimiter?: string
  lenient?: boolean
  resume?: boolean
  confirm?: string
  dryRun?: boolean
}

export function importCommand(cli: Cli): Command {
  return describe(new Command('import'), {
    summary: 'Import a reader file into a publication',
    usage: '<file>',
    details:
      'Reads CSV of any size: comma, semicolon, tab or pipe, UTF-8, UTF-16 or an older\n' +
      'encoding, all detected. A file whose encoding cannot be detected is refused: set --encoding.\n' +
      'Rejected rows do not stop the others: they are written to a CSV to correct and import\n' +
      'again. Ctrl-C stops at a checkpoint, and the same command resumes from there.\n' +
      'combine matches readers by UniqueReference, then BuyerId; a blank cell keeps\n' +
      'the stored value. replace also removes readers who are not in the file, all in one step.\n' +
      'Every import can be undone for 30 days: subscriptions imports undo <number>.\n' +
      'The columns: docs/reader-files.md',
    examples: [
      ['add the readers of a file', 'subscriptions import readers.csv --publication gardener'],
      ['see what it would do, and change nothing', 'subscriptions import readers.csv --publication gardener --dry-run'],
      [
        'update the readers that exist, add the rest',
        'subscriptions import readers.csv --publication gardener --mode combine',
      ],
      [
        'replace the imported readers, from cron',
        'subscriptions import readers.csv --publication gardener --mode replace \\\n    --target imported --confirm gardener --quiet',
      ],
      [
        'a Czech file from an older program',
        'subscriptions import readers.csv --publication gardener --encoding windows-1250',
      ],
      ['with other column names', 'subscriptions import crm.csv --publication gardener --map columns.json'],
      ['from a pipe', 'zcat readers.csv.gz | subscriptions import - --publication gardener --json'],
      ['resume the interrupted import', 'subscriptions import --resume --publication gardener'],
    ],
    exits: ['rejects', 'missing', 'conflict'],
  })
    .usage('<file|-> --publication <handle> [flags]')
    .argument('[file]', 'the CSV file, or - for stdin')
    .option(...flags.publication)
    .addOption(new Option('--mode <mode>', 'how to import').choices(['add', 'combine', 'replace']).default('add'))
    .addOption(new Option('--target <set>', 'which readers to replace').choices(['all', 'imported']))
    .option('--map <file>', 'a column map: a JSON file')
    .option('--file <file>', 'the CSV file, or - for stdin, as a flag')
    .option('--rejects <file>', 'where rejected rows go (default: <name>.rejected.csv, in the current directory)')
    .option('--encoding <name>', 'the encoding of the file: windows-1250, macintosh, utf-8-twice ...')
    .option('--delimiter <name>', 'the separator between cells: comma, semicolon, tab or pipe')
    .option('--lenient', 'import rows whose only problem is the email or telephone number, without that cell')
    .option('--again', 'import a file that was imported before')
    .addOption(
      new Option('--resume', 'resume the import that was interrupted').conflicts([
        'mode',
        'target',
        'map',
        'file',
        'encoding',
        'delimiter',
        'lenient',
        'again',
        'confirm',
        'dryRun',
      ]),
    )
    .option('--confirm <handle>', 'the handle again: --mode replace requires it')
    .option(...flags.dryRun)
    .action(
      action<ImportFlags>(cli, async ({ as, ...options }, [argument]) => {
        const { cliOutput } = cli
        checkFlags(options, argument)
        const [input, rejects] = await Promise.all([import('../input-file.ts'), import('../rejects-file.ts')])
        const source = options.resume
          ? undefined
          : await input.findInput(cliOutput, input.namedInput(argument, options.file))
        await rejects.checkRejects(cliOutput, options.rejects, source)
        const [
          { withSession },
          { choosePublication, requireHandle },
          { readMap, checkConfirm, confirmReplacement },
          { runImport },
        ] = await Promise.all([
          import('../session.ts'),
          import('../choose-publication.ts'),
          import('../import-request.ts'),
          import('../run-import.ts'),
        ])
        requireHandle(cliOutput, options.publication)
        const mapping = options.map === undefined ? undefined : await readMap(cliOutput, options.map)
        return withSession(cliOutput, { as }, async (session) => {
          const urlKey = await choosePublication(cliOutput, session, options.publication)
          if (!source) return resume(cliOutput, session, urlKey, options)
          const settings = {
            urlKey,
            mode: options.mode,
            target: options.target ?? 'all',
            mapping,
            mapFile: options.map === undefined ? undefined : resolvePath(cliOutput.io.cwd, options.map),
            again: options.again ?? false,
            encoding: options.encoding,
            delimiter: options.delimiter,
            lenient: options.lenient ?? false,
          }
          const dryRun = options.dryRun ?? false
          // Before stdin is read, so that a refusal does not first wait for the pipe.
          if (options.mode === 'replace' && !dryRun) checkConfirm(cliOutput, urlKey, options.confirm)
          const file = source === 'stdin' ? await input.spoolStdin(cliOutput, session.env.dataDir) : source
          const request: ImportRequest = { ...settings, file: file.path, fileName: file.fileName, dryRun }
          try {
            if (options.mode === 'replace' && !dryRun && options.confirm === undefined) {
              const preview = await runImport(cliOutput, session, { ...request, dryRun: true })
              await confirmReplacement(cliOutput, urlKey, preview)
              request.sha256 = preview.sha256
            }
            const report = await runImport(cliOutput, session, request)
            return await reportImport(cliOutput, session, { file, request, options, report })
          } catch (error) {
            throw input.withStdinNamed(error, file)
          } finally {
            if (file.isSpooled) await removeCopy(session, urlKey, file.path)
          }
        })
      }),
    )
}

function checkFlags(options: ImportFlags, argument: string | undefined): void {
  if (options.target !== undefined && options.mode !== 'replace')
    throw usageError('--target requires --mode replace', 'for example --mode replace --target imported')
  if (!options.resume) return
  if (argument !== undefined)
    throw usageError('--resume takes no file', 'leave the file out, or import it again without --resume')
}

/** Resumes the stopped import of a publication, with the file and the column map it was started with. */
async function resume(cliOutput: CliOutput, session: Session, urlKey: string, options: ImportFlags): Promise<number> {
  const [{ findStoppedImport }, { runImport }, { shortPath }] = await Promise.all([
    import('#core/imports/find-stopped-import.query.ts'),
    import('../run-import.ts'),
    import('../print-import.ts'),
  ])
  const stopped = await findStoppedImport(session.ctx, { urlKey })
  if (!stopped)
    throw new CliError(
      'notFound',
      'missing',
      `There is no interrupted import of ${urlKey}`,
      `see: subscriptions imports list --publication ${urlKey}`,
    )
  const { rows: _, ...settings } = stopped
  const { file, fileName } = settings
  const request: ImportRequest = { urlKey, ...settings, dryRun: false, again: true }
  const report = await runImport(cliOutput, session, request)
  const input = { path: file, typed: file, fileName: basename(fileName), isSpooled: false }
  // The suggested command repeats --lenient and --map, because the rejects file has the original file's columns.
  const { lenient, mapFile } = settings
  const flags = { ...options, lenient, map: options.map ?? (mapFile && shortPath(cliOutput, mapFile)) }
  return reportImport(cliOutput, session, { file: input, request, options: flags, report })
}

/** Removes a copy of stdin, unless its import can be resumed from it. The clean-up job deletes whatever is left here. */
async function removeCopy({ ctx }: Session, urlKey: string, path: string): Promise<void> {
  const { isStoredFile } = await import('#core/imports/stored-file.query.ts')
  const isNeeded = await isStoredFile(ctx, { urlKey, file: path }).catch(() => true)
  if (!isNeeded) await rm(path, { force: true })
}

async function reportImport(
  cliOutput: CliOutput,
  { ctx }: Session,
  {
    file,
    request,
    options,
    report,
  }: { file: InputFile; request: ImportRequest; options: ImportFlags; report: ImportReport },
): Promise<number> {
  const isStopped = report.state !== 'done'
  const [{ saveRejects }, { printImport }] = await Promise.all([
    import('../rejects-file.ts'),
    import('../print-import.ts'),
  ])
  let rejectsFile: string | null = null
  let rejectsError: unknown
  try {
    // A stopped import writes its rejected rows once it has been resumed and finished.
    if (!isStopped) rejectsFile = await saveRejects(cliOutput, ctx, { report, input: file, name: options.rejects })
  } catch (error) {
    // The import itself is done: its report comes first.
    rejectsError = error
  }
  await printImport(cliOutput, { report, rejectsFile, input: file, urlKey: request.urlKey, flags: options })
  if (rejectsError !== undefined) {
    if (cliOutput.io.signal.aborted) throw rejectsError
    const { failureMessage } = await import('../failure.ts')
    cliOutput.warn(
      `The rejected rows could not be written: ${failureMessage(rejectsError)}. They are stored: subscriptions imports rejects ${report.uploadId}`,
    )
  }
  if (isStopped) return exitCodes.interrupted.code
  return report.failed > 0 ? exitCodes.rejects.code : exitCodes.done.code
}
