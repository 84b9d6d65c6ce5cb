import { addDays } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { addMonthsTo, lastDayOf, type Month, monthOf, monthsFrom } from '../ledger/months.rules.ts'

/** Within how many days after its end a term counts as renewed: the columns of the heat table. */
export const renewalWindows = [0, 30, 60, 90] as const
type RenewalWindow = (typeof renewalWindows)[number]

/** How many months of ends the heat table shows, the current one included. */
const cohortMonths = 13

/** The terms that ended on a day, by when they were renewed: `within` counts those within each window, `renewed` those at any time. */
export interface EndedTerms {
  endedOn: Day
  ended: number
  renewed: number
  within: Record<RenewalWindow, number>
}

/** The terms that ended in a month. A window is settled when its last day is over for all of them: until then the number may still grow. */
export interface Cohort {
  month: Month
  ended: number
  /** Renewed at any time since. */
  renewed: number
  /** Not renewed so far. */
  lapsed: number
  windows: { days: RenewalWindow; renewed: number; isSettled: boolean }[]
  /** The month is not over: only the terms that ended before today are in it. */
  isRunning: boolean
}

/** The first day whose ended terms are in the table. */
export function firstCohortDay(today: Day): Day {
  return `${addMonthsTo(monthOf(today), 1 - cohortMonths)}-01`
}

/** Cohorts by the month of their end, the oldest first: each ended term is in exactly one. A month in which none ended is included with zeros. */
export function cohortsOf(days: readonly EndedTerms[], today: Day): Cohort[] {
  const running = monthOf(today)
  return monthsFrom(monthOf(firstCohortDay(today)), running).map((month) => cohortOf(month, days, today))
}

/** The cohort of one month, from the ended terms that were found. */
export function cohortOf(month: Month, days: readonly EndedTerms[], today: Day): Cohort {
  const ofMonth = days.filter(({ endedOn }) => monthOf(endedOn) === month)
  const sum = (part: (terms: EndedTerms) => number) => ofMonth.reduce((total, terms) => total + part(terms), 0)
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
 * The renewal rate that a forecast is based on: of the terms whose last window is settled, the share renewed within it. Null while there is no such
 * term.
 */
export function settledRate(cohorts: readonly Cohort[]): number | null {
  const last = renewalWindows.at(-1)
  const settled = cohorts.flatMap(({ ended, windows }) =>
    windows.flatMap(({ days, renewed, isSettled }) => (days === last && isSettled ? [{ ended, renewed }] : [])),
  )
  const ended = settled.reduce((sum, cohort) => sum + cohort.ended, 0)
  return ended === 0 ? null : settled.reduce((sum, cohort) => sum + cohort.renewed, 0) / ended
}
