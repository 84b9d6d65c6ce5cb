/** A plain calendar day, YYYY-MM-DD. Never an instant: a term that ends on the 30th ends there in every time zone. */
export type Day = string

/** "Until further notice": readers with this expiry are current and are excluded from expiry and liability figures. */
export const openEnd: Day = '2100-01-01'

/** The start of a reader for whom none was given, for example by a blank SubStart cell. */
export const openStart: Day = '1970-01-01'

/** 2026-11-21 as 21/11/2026, the format of the back office and the files. */
export function formatDay(day: Day): string {
  return `${day.slice(8, 10)}/${day.slice(5, 7)}/${day.slice(0, 4)}`
}

/** An instant as 2026-11-21 10:05, in UTC. */
export function formatUtc(instant: Date): string {
  return instant.toISOString().slice(0, 16).replace('T', ' ')
}

const daysInMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** A day from its numbers, or null when the calendar has no such day (31/02/2026). */
export function dayFromParts(year: number, month: number, date: number): Day | null {
  const last = daysInMonth[month - 1]
  if (last === undefined || date < 1 || date > last || year < 1 || year > 9999) return null
  if (month === 2 && date === 29 && (year % 4 !== 0 || (year % 100 === 0 && year % 400 !== 0))) return null
  return `${String(year).padStart(4, '0')}-${month < 10 ? '0' : ''}${month}-${date < 10 ? '0' : ''}${date}`
}

const dayMonthYear = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/
const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]\d{1,2}:\d{2}.*)?$/

/**
 * Reads D/M/YYYY, D-M-YYYY, D.M.YY and ISO days; null when it is none of them.
 * Always day before month. Two-digit years up to 69 are in this century, 70 to 99 in the last.
 */
export function parseDay(text: string): Day | null {
  const trimmed = text.trim()
  const day = dayMonthYear.exec(trimmed)
  if (day) {
    const year = Number(day[3])
    return dayFromParts(day[3]?.length === 2 ? year + (year < 70 ? 2000 : 1900) : year, Number(day[2]), Number(day[1]))
  }
  const parts = iso.exec(trimmed)
  return parts ? dayFromParts(Number(parts[1]), Number(parts[2]), Number(parts[3])) : null
}
