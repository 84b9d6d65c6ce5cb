import { Temporal } from 'temporal-polyfill'
import { type Day, formatDay } from './dates.ts'

// Separate from dates.ts: Temporal weighs 19 kB compressed, and the storefront's scripts only print days.

/** The calendar day an instant falls on in a time zone (business days are Europe/London days). */
export function dayOf(instant: Date, timeZone: string): Day {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timeZone).toPlainDate().toString()
}

/** The instant a calendar day begins in a time zone, also where the clocks change that night. */
export function startOfDay(day: Day, timeZone: string): Date {
  return new Date(Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds)
}

/** The day n months later; the 31st falls back to the last day of a shorter month. Always add to the anchor day, never in a chain. */
export function addMonths(day: Day, months: number): Day {
  return Temporal.PlainDate.from(day).add({ months }).toString()
}

/** The day with this number (1 to 31) in the month of `day`, or the last day of a shorter month. */
export function onDayOfMonth(day: Day, dayOfMonth: number): Day {
  return Temporal.PlainDate.from(day).with({ day: dayOfMonth }).toString()
}

export function addDays(day: Day, days: number): Day {
  return Temporal.PlainDate.from(day).add({ days }).toString()
}

/** The number of days from one day to another; negative when `to` is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to), { largestUnit: 'days' }).days
}

/** An instant as 21/11/2026 10:05 in a time zone. */
export function formatMoment(instant: Date, timeZone: string): string {
  return `${formatDay(dayOf(instant, timeZone))} ${timeOf(instant, timeZone)}`
}

/** An instant's time of day as 10:05 in a time zone. */
export function timeOf(instant: Date, timeZone: string): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timeZone)
  return zoned.toPlainTime().toString({ smallestUnit: 'minute' })
}
