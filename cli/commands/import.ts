import { rm } from 'node:fs/promises'
import { basename } from 'node:path'
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
      'Reads CSV of any size: comma, semicolon or tab, UTF-8, UTF-16 or an older encoding,\n' +
      'all found out. Where the encoding cannot be detected the file is refused: --encoding.\n' +
      'A bad row never stops the good ones: it comes back in a CSV to correct and import\n' +
      'again. Ctrl-C stops at a checkpoint, and the same command resumes from there.\n' +
      'combine knows readers by UniqueReference, then BuyerId; a blank cell leaves what\n' +
      'is stored. replace also removes who is not in the file, all in one step. Every\n' +
      'import can be undone for 30 days: subscriptions imports undo <number>.\n' +
      'The columns: docs/reader-files.md',
    examples: [
      ['add the readers of a file', 'subscriptions import readers.csv --publication gardener'],
      ['see what it would do, and change nothing', 'subscriptions import readers.csv --publication gardener --dry-run'],
      [
        'change those that are known, add the rest',
        'subscriptions import readers.csv --publication gardener --mode combine',
      ],
      [
        'replace what came in files, from cron',
        'subscriptions import readers.csv --publication gardener --mode replace \\\n    --target imported --confirm gardener --quiet',
      ],
      [
        'a file of an older program from Prague',
        'subscriptions import readers.csv --publication gardener --encoding windows-1250',
      ],
      ['columns of other names', 'subscriptions import crm.csv --publication gardener --map columns.json'],
      ['from a pipe', 'zcat readers.csv.gz | subscriptions import - --publication gardener --json'],
      ['resume the one that was interrupted', 'subscriptions import --resume --publication gardener'],
    ],
    exits: ['rejects', 'missing', 'conflict'],
  })
    .usage('<file|-> --publication <handle> [flags]')
    .argument('[file]', 'the CSV file, or - for stdin')
    .option(...flags.publication)
    .addOption(new Option('--mode <mode>', 'what to do').choices(['add', 'combine', 'replace']).default('add'))
    .addOption(new Option('--target <set>', 'whom to replace').choices(['all', 'imported']))
    .option('--map <file>', 'a JSON file: the columns of the file, and what each is')
    .option('--file <file>', 'the CSV file, or - for stdin, by a flag')
    .option('--rejects <file>', 'where rejected rows go (default: <name>.rejected.csv, here)')
    .option('--encoding <name>', 'how the file is written: windows-1250, macintosh, utf-8-twice ...')
    .option('--delimiter <name>', 'what parts its cells: comma, semicolon, tab or pipe')
    .option('--lenient', 'take rows whose only fault is an email or telephone, without that cell')
    .option('--again', 'import a file that was imported before once more')
    .option('--resume', 'resume the import that was interrupted')
    .option('--confirm <handle>', 'the handle once more: replace asks for it')
    .option(...flags.dryRun)
    .action(
      action<ImportFlags>(cli, async ({ as, ...given }, [argument]) => {
        const { cliOutput } = cli
        checkFlags(given, argument)
        const [input, rejects] = await Promise.all([import('../input-file.ts'), import('../rejects-file.ts')])
        const found = given.resume
          ? undefined
          : await input.findInput(cliOutput, input.namedInput(argument, given.file))
        if (found) rejects.checkRejects(cliOutput, given.rejects, found)
        const [
          { withSession },
          { choosePublication, requireHandle },
          { readMap, checkConfirm, askToReplace },
          { runImport },
        ] = await Promise.all([
          import('../session.ts'),
          import('../choose-publication.ts'),
          import('../import-request.ts'),
          import('../run-import.ts'),
        ])
        requireHandle(cliOutput, given.publication)
        const mapping = given.map === undefined ? undefined : await readMap(cliOutput, given.map)
        return withSession(cliOutput, { as }, async (session) => {
          const urlKey = await choosePublication(cliOutput, session, given.publication)
          if (!found) return resume(cliOutput, session, urlKey, given)
          const wants = {
            urlKey,
            mode: given.mode,
            target: given.target ?? 'all',
            mapping,
            again: given.again ?? false,
            encoding: given.encoding,
            delimiter: given.delimiter,
            lenient: given.lenient ?? false,
          }
          const dryRun = given.dryRun ?? false
          // Before stdin is read, so that nobody waits for a pipe to hear a no.
          if (given.mode === 'replace' && !dryRun) checkConfirm(cliOutput, urlKey, given.confirm)
          const file = found === 'stdin' ? await input.spoolStdin(cliOutput, session.env.dataDir) : found
          const request: ImportRequest = { ...wants, file: file.path, fileName: file.fileName, dryRun }
          if (given.mode === 'replace' && !dryRun && given.confirm === undefined)
            await askToReplace(cliOutput, urlKey, await runImport(cliOutput, session, { ...request, dryRun: true }))
          const report = await runImport(cliOutput, session, request)
          return finish(cliOutput, session, { file, request, rejects: given.rejects, report })
        })
      }),
    )
}

function checkFlags(given: ImportFlags, argument: string | undefined): void {
  if (given.target !== undefined && given.mode !== 'replace')
    throw usageError('--target goes with --mode replace', 'for example --mode replace --target imported')
  if (!given.resume) return
  if (argument !== undefined || given.file !== undefined)
    throw usageError('--resume knows its file', 'leave the file out, or import it again without --resume')
  if (given.dryRun) throw usageError('--resume and --dry-run do not go together', 'leave one out')
}

/** The stopped import of a publication, with the file and the columns it was begun with. */
async function resume(cliOutput: CliOutput, session: Session, urlKey: string, given: ImportFlags): Promise<number> {
  const [{ stoppedImport }, { runImport }] = await Promise.all([
    import('#core/imports/stopped-import.query.ts'),
    import('../run-import.ts'),
  ])
  const stopped = await stoppedImport(session.ctx, { urlKey })
  if (!stopped)
    throw new CliError(
      'notFound',
      'missing',
      `No import of ${urlKey} was stopped`,
      `see: subscriptions imports list --publication ${urlKey}`,
    )
  const { rows: _, ...begun } = stopped
  const { file, fileName } = begun
  const request: ImportRequest = { urlKey, ...begun, dryRun: false, again: true }
  const report = await runImport(cliOutput, session, request)
  const input = { path: file, typed: file, fileName: basename(fileName), isSpooled: false }
  return finish(cliOutput, session, { file: input, request, rejects: given.rejects, report })
}

async function finish(
  cliOutput: CliOutput,
  { ctx }: Session,
  {
    file,
    request,
    rejects,
    report,
  }: { file: InputFile; request: ImportRequest; rejects: string | undefined; report: ImportReport },
): Promise<number> {
  const isStopped = report.state !== 'done'
  const [{ saveRejects }, { printImport }] = await Promise.all([
    import('../rejects-file.ts'),
    import('../import-receipt.ts'),
  ])
  // A stopped import gives them back when it has come to its end.
  const rejectsFile = isStopped ? null : await saveRejects(cliOutput, ctx, { report, input: file, wanted: rejects })
  if (file.isSpooled && !isStopped) await rm(file.path, { force: true })
  await printImport(cliOutput, { report, rejectsFile, input: file, urlKey: request.urlKey })
  if (isStopped) return exitCodes.interrupted.code
  return report.failed > 0 ? exitCodes.rejects.code : exitCodes.done.code
}
