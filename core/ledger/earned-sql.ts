import type { SqlValues } from '../database.ts'
import { addDays, type Day } from '../kernel/dates.ts'
import type { Dialect } from '../ports/bulk.ts'

/**
 * liability.rules as SQL, for lists and sums that the database makes: the fulfilled part of an amount on `:thisDate`.
 * The names are SQL expressions of the surrounding query, never input.
 */
export function fulfilledSql(
  dialect: Dialect,
  { amount, startOn, endOn, term }: { amount: string; startOn: string; endOn: string; term: string },
): string {
  const month =
    dialect === 'postgres'
      ? `CAST(EXTRACT(YEAR FROM ${startOn}) * 12 + EXTRACT(MONTH FROM ${startOn}) AS BIGINT)`
      : `(CAST(substr(${startOn}, 1, 4) AS INTEGER) * 12 + CAST(substr(${startOn}, 6, 2) AS INTEGER))`
  const day = dialect === 'postgres' ? `EXTRACT(DAY FROM ${startOn})` : `CAST(substr(${startOn}, 9, 2) AS INTEGER)`
  const elapsed = `(:thisMonth - ${month} - CASE WHEN ${day} > :thisDay THEN 1 ELSE 0 END)`
  return `CASE WHEN ${term} IS NULL OR ${startOn} IS NULL OR ${endOn} < :thisDate OR ${elapsed} >= ${term} THEN ${amount}
               WHEN ${elapsed} <= 0 THEN 0 ELSE ${elapsed} * (${amount} / ${term}) END`
}

/** The values `fulfilledSql` asks for. A month's last day counts as the 31st: there the terms of the 29th to 31st turn, too. */
export function earnedValues(today: Day): SqlValues {
  const isLastOfMonth = addDays(today, 1).slice(8) === '01'
  return {
    thisDate: today,
    thisMonth: Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7)),
    thisDay: isLastOfMonth ? 31 : Number(today.slice(8)),
  }
}
