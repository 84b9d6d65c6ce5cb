import type { Currency } from '#core/kernel/money.ts'
import type { Dialect } from '#core/ports/bulk.ts'
import type { ReaderColumn } from '#core/reader-files/reader.columns.ts'

/** SQL for the printed form of a column: the same text that its kind prints. On PostgreSQL, days need the date style SQL, DMY. */
export function columnSql({ column, kind }: ReaderColumn, dialect: Dialect, mainCurrency: Currency): string {
  if (kind === 'flag') return `CASE WHEN ${column} THEN 'TRUE' ELSE 'FALSE' END`
  if (kind === 'money') return moneyColumnSql(dialect, column, mainCurrency)
  if ((kind === 'startDay' || kind === 'endDay') && dialect === 'sqlite') {
    return `substr(${column}, 9, 2) || '/' || substr(${column}, 6, 2) || '/' || substr(${column}, 1, 4)`
  }
  return column
}

function moneyColumnSql(dialect: Dialect, column: string, mainCurrency: Currency): string {
  const symbol = `CASE sub_currency WHEN '${mainCurrency}' THEN '' WHEN 'GBP' THEN '£' WHEN 'USD' THEN '$' ELSE '€' END`
  const decimals =
    dialect === 'sqlite'
      ? `printf('%d.%02d', ${column} / 100, ${column} % 100)`
      : `(${column} / 100)::text || '.' || lpad((${column} % 100)::text, 2, '0')`
  return `CASE WHEN ${column} IS NULL THEN '' ELSE ${symbol} || ${decimals} END`
}
