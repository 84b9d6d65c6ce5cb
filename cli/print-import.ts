import { relative } from 'node:path'
import { changedText, type ImportReport } from '#core/imports/import-report.ts'
import { delimiterName } from '#core/kernel/file-encodings.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { type CliOutput, labelled } from './cli-output.ts'
import type { InputFile } from './input-file.ts'
import { reasonLines } from './reason-lines.ts'
import { flagText, printable, shellWord } from './style.ts'

interface ImportOutcome {
  report: ImportReport
  rejectsFile: string | null
  input: InputFile
  urlKey: string
  flags: ReadingFlags
}

/** How the file is read, as the user typed it: the next command repeats it. */
interface ReadingFlags {
  map?: string | undefined
  encoding?: string | undefined
  delimiter?: string | undefined
  lenient?: boolean | undefined
  again?: boolean | undefined
  rejects?: string | undefined
}

/** The report of an import: a summary for people, or the same as JSON. The last line is the next useful command. */
export async function printImport(cliOutput: CliOutput, outcome: ImportOutcome): Promise<void> {
  const { report, rejectsFile } = outcome
  const isStopped = report.state !== 'done'
  if (cliOutput.flags.json) {
    const message = changesNothing(report)
      ? stoppedUnchanged(report)
      : report.state === 'cancelled'
        ? 'It was cancelled; the rows imported until then remain'
        : 'Stopped at a checkpoint; the imported rows remain'
    const error = isStopped && { error: { code: report.state, message, hint: nextCommand(cliOutput, outcome) } }
    await cliOutput.json({ ...error, ...report, rejectsFile })
    return
  }
  for (const warning of report.warnings) cliOutput.warn(printable(warning))
  if (cliOutput.flags.quiet && !report.dryRun) return warnOfProblems(cliOutput, outcome)
  await cliOutput.print(headline(cliOutput, outcome))
  await cliOutput.print(
    labelled([
      ['Added', formatCount(report.added)],
      ['Rows processed', isStopped ? formatCount(report.rows) : null],
      ['Updated', report.mode === 'add' ? null : formatCount(report.updated)],
      ['Unchanged', report.mode === 'add' ? null : formatCount(report.unchanged)],
      ['Removed', report.mode === 'replace' ? formatCount(report.removed) : null],
      ['Repeated', report.repeated > 0 ? formatCount(report.repeated) : null],
      ['Rejected', formatCount(report.failed)],
      ['Resumed from', !report.resumedAt ? null : `row ${formatCount(report.resumedAt)}`],
      ['Seconds', report.seconds.toFixed(1)],
      ['Rows per second', formatCount(Math.round(report.rowsPerSecond))],
      ['Encoding', isPlainEncoding(report.encoding) ? null : report.encoding],
      ['Delimiter', report.delimiter === ',' ? null : delimiterName(report.delimiter)],
      ['Rejected rows', rejectsFile && shortPath(cliOutput, rejectsFile)],
    ]),
  )
  if (report.reasons.length > 0) await cliOutput.print(`\nWhy rows were rejected:\n${reasonLines(report.reasons)}`)
  cliOutput.say(`Next: ${nextCommand(cliOutput, outcome)}`)
}

/** Under --quiet an import without problems prints nothing. */
function warnOfProblems(cliOutput: CliOutput, outcome: ImportOutcome): void {
  const { report, rejectsFile, input } = outcome
  if (report.state !== 'done') {
    cliOutput.warn(`${input.fileName}: ${report.state}; ${changedText(report)}`)
    cliOutput.warn(`Next: ${nextCommand(cliOutput, outcome)}`)
  } else if (report.failed > 0) {
    const file = rejectsFile ? `; they are in ${shortPath(cliOutput, rejectsFile)}` : ''
    cliOutput.warn(
      `${countOf(report.failed, 'row')} of ${input.fileName} rejected${file}\n${reasonLines(report.reasons)}`,
    )
  }
}

function stoppedUnchanged({ state }: ImportReport): string {
  return `${state === 'cancelled' ? 'Cancelled' : 'Stopped'}; nothing was changed`
}

/** The counts of a dry run are those of what it would do. */
function changesNothing({ dryRun, added, updated, removed }: ImportReport): boolean {
  return dryRun || added + updated + removed === 0
}

function headline({ out }: CliOutput, { report, urlKey }: ImportOutcome): string {
  const { added, updated, unchanged, failed, mode, state } = report
  const readers = countOf(added, 'reader')
  if (state !== 'done' && changesNothing(report)) return `${out.warning} ${stoppedUnchanged(report)}`
  if (state === 'cancelled') return `${out.warning} Cancelled; before that ${changedText(report)} in ${urlKey}`
  if (state === 'interrupted') return `${out.warning} Stopped at a checkpoint: ${changedText(report)} in ${urlKey}`
  const mark = added + updated + unchanged === 0 && failed > 0 ? out.warning : out.done
  if (mode === 'add')
    return report.dryRun
      ? `Would import ${readers} into ${urlKey}; nothing was changed`
      : `${mark} Imported ${readers} into ${urlKey}`
  const all = countOf(added + updated + unchanged, 'reader')
  const [would, did] =
    mode === 'combine'
      ? [`combine ${all} into ${urlKey}`, `Combined ${all} into ${urlKey}`]
      : [`replace the readers of ${urlKey} with ${all}`, `Replaced the readers of ${urlKey} with ${all}`]
  return report.dryRun ? `Would ${would}; nothing was changed` : `${mark} ${did}`
}

function nextCommand(cliOutput: CliOutput, { report, rejectsFile, input, urlKey, flags }: ImportOutcome): string {
  const { map, encoding, delimiter, lenient, again, rejects } = flags
  const modeFlags =
    report.mode === 'add'
      ? ''
      : ` --mode ${report.mode}${report.target === 'imported' ? ' --target imported' : ''}${report.mode === 'replace' ? ` --confirm ${urlKey}` : ''}`
  const importOf = (file: string, moreFlags: string) =>
    `subscriptions import ${shellWord(file)} --publication ${urlKey}${moreFlags}`
  if (report.state === 'cancelled' && changesNothing(report)) return 'the same command again'
  if (report.state === 'cancelled') return `subscriptions imports undo ${report.uploadId}   (undoes what was imported)`
  // An interrupted import has stored its file, its columns and how they are read.
  if (report.state === 'interrupted' && !report.dryRun)
    return `subscriptions import --resume --publication ${urlKey}${flagText({ rejects })}`
  if (report.dryRun)
    return input.isSpooled
      ? 'the same without --dry-run'
      : importOf(input.typed, modeFlags + flagText({ map, encoding, delimiter, lenient, again, rejects }))
  if (rejectsFile) {
    // The rejects file has the columns of the imported file, in UTF-8 and separated by commas.
    const moreFlags = (report.mode === 'add' ? '' : ' --mode combine') + flagText({ map, lenient })
    return `correct ${shortPath(cliOutput, rejectsFile)}, then: ${importOf(shortPath(cliOutput, rejectsFile), moreFlags)}`
  }
  if (report.failed > 0) return `subscriptions imports rejects ${report.uploadId}`
  return `subscriptions mailing-file --publication ${urlKey}`
}

/** A path as it is typed in the working directory. */
export function shortPath({ io }: CliOutput, path: string): string {
  const short = relative(io.cwd, path)
  return short.startsWith('..') ? path : short
}

function isPlainEncoding(encoding: string): boolean {
  return /^utf-?8$/i.test(encoding)
}
