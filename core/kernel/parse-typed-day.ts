import { type Day, dayFromParts, parseDay } from './dates.ts'

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

const withMonthName = /^(\d{1,2})(?:st|nd|rd|th)?[\s/.-]+(\p{L}{3,})\.?,?[\s/.-]+(\d{4})$/iu

/** The message about a typed day that the calendar does not have, or that cannot be parsed. */
export const dayMessage = 'Must be a date such as 31-12-2026'

/**
 * A day as people type it into a form: what files may contain (`parseDay`), and also a month in letters, "1 Feb 2026" or "1st February 2026". Files
 * stay stricter: a column of dates has one format.
 */
export function parseTypedDay(text: string): Day | null {
  const [, date, name = '', year] = withMonthName.exec(text.trim()) ?? []
  if (!date) return parseDay(text)
  const word = name.toLowerCase()
  const monthIndex = months.findIndex((month) => month.startsWith(word))
  return dayFromParts(Number(year), monthIndex + 1, Number(date))
}
