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

/** The byte order mark that makes spreadsheets read UTF-8. */
export const byteOrderMark = '\ufeff'
