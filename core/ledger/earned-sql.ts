import type { SqlValues } from '../database.ts'
import { addDays } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { Dialect } from '../ports/bulk.ts'
import { entryKinds } from './entry-kinds.rules.ts'
import { monthNumber, normalisedDayOfMonth } from './liability.rules.ts'

/**
 * `fulfilledAndLiability` (liability.rules.ts) as SQL, for lists and sums that the database computes: the fulfilled part of a ledger entry at the
 * end of the day passed to `asOfValues`. `entry` is the alias of `ledger_entries` in the surrounding query.
 */
export function fulfilledSql(dialect: Dialect, entry: string): string {
  const { startOn, term, elapsed } = termSql(dialect, entry)
  const amount = `${entry}.amount`
  return `CASE WHEN ${term} IS NULL OR ${term} < 1 OR ${startOn} IS NULL OR ${entry}.service_end_on <= :asOf OR ${elapsed} >= ${term} THEN ${amount}
               WHEN ${elapsed} <= 0 THEN 0 ELSE ${elapsed} * COALESCE(${entry}.monthly_amount, ${amount} / ${term}) END`
}

/** The first day after the day passed to `asOfValues` on which more of a ledger entry is fulfilled; null where nothing more will be. */
export function nextChangeSql(dialect: Dialect, entry: string): string {
  const { startOn, term, elapsed, anchor } = termSql(dialect, entry)
  const endOn = `${entry}.service_end_on`
  // The day before the next month of the term begins: on its anchor, or on the last day of a shorter month (ledger-days.rules).
  const month =
    dialect === 'postgres'
      ? `CAST(date_trunc('month', ${startOn}) + (GREATEST(${elapsed}, 0) + 1) * interval '1 month' AS DATE)`
      : `date(${startOn}, 'start of month', (max(${elapsed}, 0) + 1) || ' months')`
  const termMonthEndOn =
    dialect === 'postgres'
      ? `LEAST(${endOn}, ${month} + CAST(${anchor} AS INTEGER) - 2, CAST(${month} + interval '1 month' AS DATE) - 2)`
      : `min(COALESCE(${endOn}, '9999-12-31'), date(${month}, (${anchor} - 2) || ' days'), date(${month}, '1 month', '-2 days'))`
  return `CASE WHEN ${entry}.amount = 0 OR ${term} IS NULL OR ${term} < 1 OR ${startOn} IS NULL OR ${endOn} <= :asOf OR ${elapsed} >= ${term} THEN NULL
               ELSE ${termMonthEndOn} END`
}

function termSql(dialect: Dialect, entry: string) {
  const startOn = `${entry}.service_start_on`
  const month =
    dialect === 'postgres'
      ? `CAST(EXTRACT(YEAR FROM ${startOn}) * 12 + EXTRACT(MONTH FROM ${startOn}) AS BIGINT)`
      : `(CAST(substr(${startOn}, 1, 4) AS INTEGER) * 12 + CAST(substr(${startOn}, 6, 2) AS INTEGER))`
  const day = dialect === 'postgres' ? `EXTRACT(DAY FROM ${startOn})` : `CAST(substr(${startOn}, 9, 2) AS INTEGER)`
  const anchor = `COALESCE(${entry}.anchor_day, ${day})`
  const elapsed = `(:nextMonth - ${month} - CASE WHEN ${anchor} > :nextDay THEN 1 ELSE 0 END)`
  return { startOn, term: `${entry}.term_months`, elapsed, anchor }
}

/** The parameters of the SQL in this file. */
export function asOfValues(asOf: Day): SqlValues {
  const next = addDays(asOf, 1)
  return { asOf, nextMonth: monthNumber(next), nextDay: normalisedDayOfMonth(next) }
}

export const kindListSql = (part: 'sold' | 'returned') =>
  Object.entries(entryKinds)
    .filter(([, counts]) => counts === part)
    .map(([kind]) => `'${kind}'`)
    .join(', ')

/** SQL: whether an entry is revenue, sold or returned; a fee is not. */
export const isRevenueSql = (entry: string) => `${entry}.kind IN (${kindListSql('sold')}, ${kindListSql('returned')})`

/**
 * SQL: sums over ledger entries, for the page, its cards and its file. `net` is `amount` less `refunded`; the part of `net` that is not fulfilled
 * is owed. `condition` selects the entries that count.
 */
export function moneySql(dialect: Dialect, entry: string, condition = ''): string {
  const sum = (value: string, kinds = '') =>
    `COALESCE(SUM(CASE WHEN ${kinds || isRevenueSql(entry)} ${condition && `AND ${condition}`} THEN ${value} ELSE 0 END), 0)`
  return `${sum(`${entry}.amount`, `${entry}.kind IN (${kindListSql('sold')})`)} AS amount,
          ${sum(`-${entry}.amount`, `${entry}.kind IN (${kindListSql('returned')})`)} AS refunded,
          ${sum(`${entry}.amount`)} AS net, ${sum(fulfilledSql(dialect, entry))} AS fulfilled`
}
