import { addDays } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { addMonthsTo, lastDayOf, type Month, monthOf, monthsFrom } from '../ledger/months.rules.ts'

/** The columns of the table: a term counts if it was renewed within this many days after its end. */
export const renewalWindows = [0, 30, 60, 90] as const
type RenewalWindow = (typeof renewalWindows)[number]

/** How many months the table shows, the current one included. */
const cohortMonths = 13

/** The terms that ended on a day: how many were renewed within each window, and at any time. */
export interface EndedTerms {
  endedOn: Day
  ended: number
  renewed: number
  within: Record<RenewalWindow, number>
}

/** The terms that ended in a month. A window is settled once it is over for all of them; until then its number may still grow. */
export interface Cohort {
  month: Month
  ended: number
  /** Renewed at any time so far. */
  renewed: number
  /** Not renewed so far. */
  lapsed: number
  windows: { days: RenewalWindow; renewed: number; isSettled: boolean }[]
  /** The month is not over: it contains only the terms that ended before today. */
  isRunning: boolean
}

/** The first day whose ended terms are in the table. */
export function firstCohortDay(today: Day): Day {
  return `${addMonthsTo(monthOf(today), 1 - cohortMonths)}-01`
}

/** The cohorts by the month in which the terms ended, oldest first. A month without ended terms is included with zeros. */
export function cohortsOf(days: readonly EndedTerms[], today: Day): Cohort[] {
  const running = monthOf(today)
  return monthsFrom(monthOf(firstCohortDay(today)), running).map((month) => cohortOf(month, days, today))
}

/** The cohort of one month, from the ended terms of days in or outside that month. */
export function cohortOf(month: Month, days: readonly EndedTerms[], today: Day): Cohort {
  const inMonth = days.filter(({ endedOn }) => monthOf(endedOn) === month)
  const sum = (part: (terms: EndedTerms) => number) => inMonth.reduce((total, terms) => total + part(terms), 0)
  const ended = sum((terms) => terms.ended)
  const renewed = sum((terms) => terms.renewed)
  return {
    month,
    ended,
    renewed,
    lapsed: ended - renewed,
    windows: renewalWindows.map((window) => ({
      days: window,
      renewed: sum(({ within }) => within[window]),
      isSettled: addDays(lastDayOf(month), window) < today,
    })),
    isRunning: month === monthOf(today),
  }
}

/**
 * The renewal rate for forecasts: of the terms whose last window is settled, the share that was renewed within it. Null if there are no such terms.
 */
export function settledRate(cohorts: readonly Cohort[]): number | null {
  const last = renewalWindows.at(-1)
  const settled = cohorts.flatMap(({ ended, windows }) =>
    windows.flatMap(({ days, renewed, isSettled }) => (days === last && isSettled ? [{ ended, renewed }] : [])),
  )
  const ended = settled.reduce((sum, cohort) => sum + cohort.ended, 0)
  return ended === 0 ? null : settled.reduce((sum, cohort) => sum + cohort.renewed, 0) / ended
}
