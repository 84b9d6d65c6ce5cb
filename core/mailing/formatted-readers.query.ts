import type { AppContext } from '../context.ts'
import { type Day, formatDay } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { columnSql } from '../reader-files/column-sql.ts'
import type { ReaderColumn } from '../reader-files/reader.columns.ts'

/** Some readers' columns as a reader file prints them, by id. */
export async function formattedReaders(
  { db }: AppContext,
  { ids, columns, mainCurrency }: { ids: readonly number[]; columns: readonly ReaderColumn[]; mainCurrency: Currency },
): Promise<Map<number, string[]>> {
  if (ids.length === 0) return new Map()
  const isDay = ({ kind }: ReaderColumn) => kind === 'startDay' || kind === 'endDay'
  const cells = columns.map(
    (column, index) => `, ${isDay(column) ? column.column : columnSql(column, db.dialect, mainCurrency)} AS c${index}`,
  )
  const rows = await db.query<Record<string, string | number | null> & { id: number }>(
    `SELECT id${cells.join('')} FROM readers WHERE id IN (:ids)`,
    { ids: [...ids] },
  )
  const printed = (row: (typeof rows)[number], column: ReaderColumn, index: number) => {
    const value = row[`c${index}`]
    if (value === null || value === undefined) return ''
    return isDay(column) ? formatDay(value as Day) : String(value)
  }
  return new Map(rows.map((row) => [row.id, columns.map((column, index) => printed(row, column, index))]))
}
