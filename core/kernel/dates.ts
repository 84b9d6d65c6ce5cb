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

/** 21 for 2026-11-21. */
export function dayOfMonth(day: Day): number {
  return Number(day.slice(8))
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

/** "00:00:00", as Access and Excel write it behind a day. */
const timeOfDay = String.raw`(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?:\s?[ap]m)?`
const dayMonthYear = new RegExp(String.raw`^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?: +${timeOfDay})?$`, 'i')
const iso = new RegExp(
  String.raw`^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]${timeOfDay}(\s?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?)?$`,
  'i',
)
const midnight = /[T ]0?0:00(?::00(?:[.,]0+)?)?\s?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})$/i

/**
 * Reads D/M/YYYY, D-M-YYYY, D.M.YY and ISO days, with or without a time of day; null when it is none of them, and for a
 * time in a time zone: 11 pm in UTC is the next day elsewhere. Midnight is accepted, since that is how a program writes
 * a day. Always day before month. Two-digit years up to 69 are in this century, 70 to 99 in the last.
 */
export function parseDay(text: string): Day | null {
  const trimmed = text.trim()
  const day = dayMonthYear.exec(trimmed)
  if (day) {
    const year = Number(day[3])
    return dayFromParts(day[3]?.length === 2 ? year + (year < 70 ? 2000 : 1900) : year, Number(day[2]), Number(day[1]))
  }
  const parts = iso.exec(trimmed)
  return parts && !hasZonedTime(trimmed) ? dayFromParts(Number(parts[1]), Number(parts[2]), Number(parts[3])) : null
}

/** "2026-06-30T23:00:00Z", which is 1 July in London. */
export function hasZonedTime(text: string): boolean {
  return iso.exec(text)?.[4] !== undefined && !midnight.test(text)
}
