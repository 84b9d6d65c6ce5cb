import { stringify } from 'csv-stringify/sync'
import { guard } from './formula-guard.rules.ts'

/** Text, or a number as it is printed: the guard against formulas would put an apostrophe before a minus. */
export type CsvCell = string | { number: string }

/** Rows as CSV (RFC 4180), each with its line end; texts are guarded against spreadsheets that run formulas. */
export function csvText(rows: readonly (readonly CsvCell[])[]): string {
  return unguardedCsv(rows.map((row) => row.map((cell) => (typeof cell === 'string' ? guard(cell) : cell.number))))
}

/** Rows as CSV without the guard, for cells that have it already. */
export function unguardedCsv(rows: (string | number)[][]): string {
  // With an explicit line end, a lone CR or LF in a cell would not be quoted.
  return stringify(rows, { record_delimiter: '\r\n', quote_record_delimiter: true })
}

/** The byte order mark that makes spreadsheets read UTF-8. */
export const byteOrderMark = '\ufeff'
