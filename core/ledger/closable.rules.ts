import type { Day } from '../kernel/dates.ts'
import { addMonthsTo, formatMonth, type Month, monthOf, monthsFrom, nextMonth } from './months.rules.ts'

/** The months that may be closed: those that are over, in order. The first close may begin at a later month than the first with entries. */
export interface Closable {
  /** Any of these, where none was closed before; otherwise only the one after the last closed. Empty: none is over, or nothing was entered. */
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
  /** The month of the first entry; null: there is none. */
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
