import type { Day } from '../kernel/dates.ts'
import { addMonthsTo, type Month, monthOf, monthsFrom } from '../ledger/months.rules.ts'

/** How many months the forecast covers, the current one included. */
const forecastMonths = 6

/** Print subscriptions by the month in which they begin and the first month at whose end they no longer run. */
export interface PrintedTerms {
  /** Null: they have begun. */
  startMonth: Month | null
  /** Null: they never end ("until further notice"). */
  overMonth: Month | null
  readers: number
}

export interface ForecastMonth {
  month: Month
  /** Issues that appear in the month. */
  issues: number
  /** Copies of an issue at the end of the month if no reader renews. */
  copies: number
  /** The copies if terms that end by then are renewed at the rate of the settled cohorts; null if there is no rate. */
  expected: number | null
}

/** How many of a year's issues appear in a month (counted from 1) if they are spread evenly. The twelve months add up to the year. */
export function issuesIn(month: number, issuesPerYear: number): number {
  return Math.floor((month * issuesPerYear) / 12) - Math.floor(((month - 1) * issuesPerYear) / 12)
}

/** The forecast of one title for the months ahead, each counted at its end. */
export function forecastOf(
  terms: readonly PrintedTerms[],
  { issuesPerYear, rate, today }: { issuesPerYear: number; rate: number | null; today: Day },
): ForecastMonth[] {
  const running = monthOf(today)
  const sum = (matches: (terms: PrintedTerms) => boolean) =>
    terms.filter(matches).reduce((total, { readers }) => total + readers, 0)
  return monthsFrom(running, addMonthsTo(running, forecastMonths - 1)).map((month) => {
    const hasStarted = ({ startMonth }: PrintedTerms) => startMonth === null || startMonth <= month
    const copies = sum((term) => hasStarted(term) && (term.overMonth === null || term.overMonth > month))
    const ending = sum((term) => hasStarted(term) && term.overMonth !== null && term.overMonth <= month)
    return {
      month,
      issues: issuesIn(Number(month.slice(5)), issuesPerYear),
      copies,
      expected: rate === null ? null : copies + Math.round(ending * rate),
    }
  })
}
