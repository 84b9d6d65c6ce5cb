import type { Day } from '../kernel/dates.ts'
import { addMonthsTo, formatMonth, type Month, monthOf, monthsFrom, nextMonth } from './months.rules.ts'

/** Which months may be closed: those that are over, in order. The first month to be closed may be later than the first month with entries. */
export interface Closable {
  /** Before the first close, any of these; later, only the month after the last closed one. Empty: none is over, or nothing was entered. */
  months: Month[]
  /** The month that may be reopened: the last closed one. */
  reopenable: Month | null
}

export function closableMonths({
  lastClosed,
  firstEntered,
  today,
}: {
  lastClosed: Month | null
  /** The month of the first entry; null: there are no entries. */
  firstEntered: Month | null
  today: Day
}): Closable {
  const lastOver = addMonthsTo(monthOf(today), -1)
  if (lastClosed === null)
    return { months: firstEntered === null ? [] : monthsFrom(firstEntered, lastOver), reopenable: null }
  const next = nextMonth(lastClosed)
  return { months: next <= lastOver ? [next] : [], reopenable: lastClosed }
}

/** Why a month cannot be closed, as the message of its field. */
export function closeRefusal(month: Month, { months, reopenable }: Closable, today: Day): string {
  if (month >= monthOf(today)) return `${formatMonth(month)} is not over: a month is closed after its last day`
  if (reopenable === null) {
    const [first] = months
    return first === undefined
      ? 'Nothing has been entered in a month that is over'
      : `Nothing was entered before ${formatMonth(first)}. Begin with that month or a later one.`
  }
  if (month <= reopenable) return `The months up to ${formatMonth(reopenable)} are closed`
  return `Close ${formatMonth(nextMonth(reopenable))} first: months are closed in order`
}
