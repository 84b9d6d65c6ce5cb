import { relative } from 'node:path'
import { countOf, formatCount } from '#core/kernel/words.ts'
import type { ImportReport } from '#core/reader-files/import-readers.ts'
import type { InputFile } from './input-file.ts'
import { shellWord } from './shell-word.ts'
import { printable } from './style.ts'
import { labelled, type Talk } from './talk.ts'

interface Told {
  report: ImportReport
  rejectsFile: string | null
  input: InputFile
  urlKey: string
  isStopped: boolean
}

/** How many kinds of reasons are listed; the rest are in the file. */
const reasonsShown = 10

/** The report of an import: a receipt for people, or the same as JSON. The last line is the next useful command. */
export async function tellImport(talk: Talk, told: Told): Promise<void> {
  const { report, rejectsFile, isStopped } = told
  if (talk.flags.json) {
    const error = isStopped && {
      error: {
        code: 'interrupted',
        message: 'Stopped at a safe place; what was imported is kept',
        hint: nextCommand(talk, told),
      },
    }
    await talk.json({ ...error, ...report, rejectsFile })
    return
  }
  for (const warning of report.warnings) talk.warn(printable(warning))
  await talk.print(headline(talk, told))
  await talk.print(
    labelled([
      ['Added', formatCount(report.added)],
      ['Rows done', isStopped ? formatCount(report.rows) : null],
      ['Updated', report.updated > 0 ? formatCount(report.updated) : null],
      ['Removed', report.removed > 0 ? formatCount(report.removed) : null],
      ['Rejected', formatCount(report.failed)],
      ['Went on from', report.resumedAt === null ? null : `row ${formatCount(report.resumedAt)}`],
      ['Seconds', report.seconds.toFixed(1)],
      ['Rows per second', formatCount(Math.round(report.rowsPerSecond))],
      ['Encoding', isPlainEncoding(report.encoding) ? null : report.encoding],
      ['Delimiter', report.delimiter === ',' ? null : delimiterName(report.delimiter)],
      ['Rejected rows', rejectsFile && shortPath(talk, rejectsFile)],
    ]),
  )
  if (report.reasons.length > 0) await talk.print(`\nWhy rows were rejected:\n${reasonLines(report)}`)
  talk.say(`Next: ${nextCommand(talk, told)}`)
}

function headline({ out }: Talk, { report, urlKey, isStopped }: Told): string {
  const readers = countOf(report.added, 'reader')
  if (isStopped) return `${out.warning} Stopped at a safe place: ${readers} added to ${urlKey}`
  if (report.dryRun) return `Would import ${readers} into ${urlKey}; nothing was changed`
  return `${report.added === 0 && report.failed > 0 ? out.warning : out.done} Imported ${readers} into ${urlKey}`
}

function reasonLines({ reasons }: ImportReport): string {
  const listed = reasons.slice(0, reasonsShown)
  const width = Math.max(...listed.map(({ count }) => formatCount(count).length))
  const lines = listed.map(({ column, reason, count, firstLine }) => {
    const where = count === 1 ? `line ${firstLine}` : `first on line ${firstLine}`
    return `  ${formatCount(count).padStart(width)} × ${printable(`${column} ${reason}`.trim())} (${where})`
  })
  const more = reasons.length - listed.length
  return [...lines, ...(more > 0 ? [`  and ${countOf(more, 'other reason')}`] : [])].join('\n')
}

function nextCommand(talk: Talk, { report, rejectsFile, input, urlKey, isStopped }: Told): string {
  const importOf = (file: string) => `subscriptions import ${shellWord(file)} --publication ${urlKey}`
  if (isStopped) return `${importOf(input.typed)}   (goes on where it stopped)`
  if (report.dryRun) return input.isSpooled ? 'the same without --dry-run' : importOf(input.typed)
  if (rejectsFile) return `mend ${shortPath(talk, rejectsFile)}, then: ${importOf(shortPath(talk, rejectsFile))}`
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
