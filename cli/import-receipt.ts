import { relative } from 'node:path'
import { changedWords, type ImportReport } from '#core/imports/import-report.ts'
import { countOf, formatCount } from '#core/kernel/words.ts'
import type { InputFile } from './input-file.ts'
import { reasonLines } from './reason-lines.ts'
import { shellWord } from './shell-word.ts'
import { printable } from './style.ts'
import { labelled, type Talk } from './talk.ts'

interface Told {
  report: ImportReport
  rejectsFile: string | null
  input: InputFile
  urlKey: string
}

/** The report of an import: a receipt for people, or the same as JSON. The last line is the next useful command. */
export async function tellImport(talk: Talk, told: Told): Promise<void> {
  const { report, rejectsFile } = told
  const isStopped = report.state !== 'done'
  if (talk.flags.json) {
    const message =
      report.state === 'cancelled'
        ? 'Somebody cancelled it; what was imported until then is kept'
        : 'Stopped at a safe place; what was imported is kept'
    const error = isStopped && { error: { code: report.state, message, hint: nextCommand(talk, told) } }
    await talk.json({ ...error, ...report, rejectsFile })
    return
  }
  for (const warning of report.warnings) talk.warn(printable(warning))
  await talk.print(headline(talk, told))
  await talk.print(
    labelled([
      ['Added', formatCount(report.added)],
      ['Rows done', isStopped ? formatCount(report.rows) : null],
      ['Updated', report.mode === 'add' ? null : formatCount(report.updated)],
      ['Unchanged', report.mode === 'add' ? null : formatCount(report.unchanged)],
      ['Removed', report.mode === 'replace' ? formatCount(report.removed) : null],
      ['Given again', report.repeated > 0 ? formatCount(report.repeated) : null],
      ['Rejected', formatCount(report.failed)],
      ['Went on from', !report.resumedAt ? null : `row ${formatCount(report.resumedAt)}`],
      ['Seconds', report.seconds.toFixed(1)],
      ['Rows per second', formatCount(Math.round(report.rowsPerSecond))],
      ['Encoding', isPlainEncoding(report.encoding) ? null : report.encoding],
      ['Delimiter', report.delimiter === ',' ? null : delimiterName(report.delimiter)],
      ['Rejected rows', rejectsFile && shortPath(talk, rejectsFile)],
    ]),
  )
  if (report.reasons.length > 0) await talk.print(`\nWhy rows were rejected:\n${reasonLines(report.reasons)}`)
  talk.say(`Next: ${nextCommand(talk, told)}`)
}

function headline({ out }: Talk, { report, urlKey }: Told): string {
  const { added, updated, unchanged, failed, mode, state } = report
  const readers = countOf(added, 'reader')
  if (state === 'cancelled') return `${out.warning} Cancelled; before that ${changedWords(report)} in ${urlKey}`
  if (state === 'interrupted') return `${out.warning} Stopped at a safe place: ${readers} added to ${urlKey}`
  const sign = added + updated + unchanged === 0 && failed > 0 ? out.warning : out.done
  if (mode === 'add')
    return report.dryRun
      ? `Would import ${readers} into ${urlKey}; nothing was changed`
      : `${sign} Imported ${readers} into ${urlKey}`
  const all = countOf(added + updated + unchanged, 'reader')
  const [would, did] =
    mode === 'combine'
      ? [`combine ${all} into ${urlKey}`, `Combined ${all} into ${urlKey}`]
      : [`replace the readers of ${urlKey} by ${all}`, `Replaced the readers of ${urlKey} by ${all}`]
  return report.dryRun ? `Would ${would}; nothing was changed` : `${sign} ${did}`
}

function nextCommand(talk: Talk, { report, rejectsFile, input, urlKey }: Told): string {
  const how =
    report.mode === 'add'
      ? ''
      : ` --mode ${report.mode}${report.target === 'imported' ? ' --target imported' : ''}${report.mode === 'replace' ? ` --confirm ${urlKey}` : ''}`
  const importOf = (file: string, flags = how) =>
    `subscriptions import ${shellWord(file)} --publication ${urlKey}${flags}`
  if (report.state === 'cancelled') return `subscriptions imports undo ${report.uploadId}   (takes back what went in)`
  if (report.state === 'interrupted' && !report.dryRun) return `${importOf(input.typed)}   (goes on where it stopped)`
  if (report.dryRun) return input.isSpooled ? 'the same without --dry-run' : importOf(input.typed)
  if (rejectsFile)
    return `mend ${shortPath(talk, rejectsFile)}, then: ${importOf(shortPath(talk, rejectsFile), report.mode === 'add' ? '' : ' --mode combine')}`
  return `subscriptions mailing-file --publication ${urlKey}`
}

function shortPath({ io }: Talk, path: string): string {
  const short = relative(io.cwd, path)
  return short.startsWith('..') ? path : short
}

function isPlainEncoding(encoding: string): boolean {
  return /^utf-?8$/i.test(encoding)
}

function delimiterName(delimiter: string): string {
  return { ';': 'semicolon', '\t': 'tab' }[delimiter] ?? delimiter
}
