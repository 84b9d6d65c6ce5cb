import { z } from 'zod'
import { addDays } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'

/** A calendar month, such as `2026-03`; it sorts as text. */
export type Month = string

export function monthOf(day: Day): Month {
  return day.slice(0, 7)
}

export function firstDayOf(month: Month): Day {
  return `${month}-01`
}

export function lastDayOf(month: Month): Day {
  return addDays(firstDayOf(nextMonth(month)), -1)
}

export function nextMonth(month: Month): Month {
  return addMonthsTo(month, 1)
}

const names = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** A month as text: October 2026. */
export function formatMonth(month: Month): string {
  return `${names[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`
}

export function addMonthsTo(month: Month, months: number): Month {
  const number = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + months
  return `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`
}

/** Every month from the first to the last, inclusive; none if the first is after the last. */
export function monthsFrom(first: Month, last: Month): Month[] {
  const months: Month[] = []
  for (let month = first; month <= last; month = nextMonth(month)) months.push(month)
  return months
}

/** A month as people and programs write it: 2026-03, 03/2026, 3/2026. Blank means none. */
export const MonthFilter = z
  .string()
  .trim()
  .max(20)
  .transform((text, context) => {
    if (text === '') return undefined
    const [, year, month] = /^(\d{4})-(\d{1,2})$/.exec(text) ?? []
    const [, monthFirst, yearLast] = /^(\d{1,2})\/(\d{4})$/.exec(text) ?? []
    const typed = { year: Number(year ?? yearLast), month: Number(month ?? monthFirst) }
    if (typed.year >= 1900 && typed.year <= 2200 && typed.month >= 1 && typed.month <= 12)
      return `${typed.year}-${String(typed.month).padStart(2, '0')}`
    context.addIssue({ code: 'custom', message: 'Enter a month such as 2026-03' })
    return undefined
  })
  .optional()
