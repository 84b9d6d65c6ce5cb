import { z } from 'zod'
import { addDays } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'

/** A month of the calendar, as `2026-03`: sorting the texts sorts the months. */
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
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]

/** A month as text: October 2026. */
export function formatMonth(month: Month): string {
  return `${names[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`
}

export function addMonthsTo(month: Month, months: number): Month {
  const number = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + months
  return `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`
}

/** Every month from one to another, inclusive; none where the first is the later. */
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
  .transform((text, refinement) => {
    if (text === '') return undefined
    const [, year, month] = /^(\d{4})-(\d{1,2})$/.exec(text) ?? []
    const [, monthFirst, yearLast] = /^(\d{1,2})\/(\d{4})$/.exec(text) ?? []
    const found = { year: Number(year ?? yearLast), month: Number(month ?? monthFirst) }
    if (found.year >= 1900 && found.year <= 2200 && found.month >= 1 && found.month <= 12)
      return `${found.year}-${String(found.month).padStart(2, '0')}`
    refinement.addIssue({ code: 'custom', message: 'Enter a month such as 2026-03' })
    return undefined
  })
  .optional()
