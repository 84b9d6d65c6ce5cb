import { guard } from './formula-guard.rules.ts'

const special = /[",\r\n]/

/** A cell of a CSV we write (RFC 4180), guarded against spreadsheets that run formulas. */
export function csvCell(text: string): string {
  const cell = guard(text)
  return special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** A line with its line end. */
export function csvLine(cells: readonly string[]): string {
  let line = csvCell(cells[0] ?? '')
  for (let index = 1; index < cells.length; index++) line += `,${csvCell(cells[index] as string)}`
  return `${line}\r\n`
}

/** Text, or a number as it is printed: the guard against formulas would put an apostrophe before a minus. */
export type CsvCell = string | { number: string }

/** A line of texts and numbers. */
export function csvRow(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => (typeof cell === 'string' ? csvCell(cell) : cell.number)).join(',')}\r\n`
}

/** The byte order mark that makes spreadsheets read UTF-8. */
export const byteOrderMark = '\ufeff'
