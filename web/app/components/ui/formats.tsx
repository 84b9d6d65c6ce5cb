import { type Day, dayOfMonth, formatDay, openEnd, openStart } from '#core/kernel/dates.ts'
import { formatMoney, type Money as MoneyValue } from '#core/kernel/money.ts'
import { countOf } from '#core/kernel/text-format.ts'

/** An amount, or a dash for null (free). */
export function Money({ value }: { value: MoneyValue | null }) {
  return <span className="numeric whitespace-nowrap">{value ? formatMoney(value) : '-'}</span>
}

const longMonth = new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' })
/** Formatted once: a list shows many days, and formatting one takes as long as rendering its cell. */
const monthNames = Array.from({ length: 12 }, (_, month) => longMonth.format(new Date(Date.UTC(2000, month, 1))))

/** "2027-11" as November 2027. */
export function monthName(month: string): string {
  return `${monthNames[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)}`
}

/** A calendar day as DD/MM/YYYY with the long form as its title; open ends of a subscription as text. */
export function DayText({ day }: { day: Day | null }) {
  if (!day || day === openStart) return <>-</>
  if (day === openEnd) return <>Until further notice</>
  return (
    <time
      dateTime={day}
      title={`${dayOfMonth(day)} ${monthName(day.slice(0, 7))}`}
      className="numeric whitespace-nowrap"
    >
      {formatDay(day)}
    </time>
  )
}

const momentFormats = new Map<string, Intl.DateTimeFormat>()

/** An instant as DD/MM/YYYY HH:mm in the business's time zone. */
export function Moment({ at, timeZone }: { at: Date | null; timeZone: string }) {
  if (!at) return <>-</>
  let format = momentFormats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'short', timeStyle: 'short', timeZone })
    momentFormats.set(timeZone, format)
  }
  return (
    <time
      dateTime={at.toISOString()}
      title={`${format.format(at)} (${timeZone})`}
      className="numeric whitespace-nowrap"
    >
      {format.format(at).replace(',', '')}
    </time>
  )
}

/** A file size in a readable unit: 812 kB, 28.3 MB. */
export function FileSize({ bytes }: { bytes: number }) {
  if (bytes < 1_000) return <>{countOf(bytes, 'byte')}</>
  // What would round to 1000 kB is shown in MB.
  if (bytes < 999_500) return <>{`${Math.round(bytes / 1_000)} kB`}</>
  return <>{`${(bytes / 1_000_000).toFixed(1)} MB`}</>
}
