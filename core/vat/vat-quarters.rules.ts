import type { Day } from '../kernel/dates.ts'

/** The months in which a year's first VAT quarter may begin: HMRC's three stagger groups. */
export const quarterMonths = [1, 2, 3] as const
export type QuarterMonth = (typeof quarterMonths)[number]

export interface VatPeriod {
  /** `2026-Q4`; null for freely chosen days. */
  quarter: string | null
  from: Day
  until: Day
}

/** A day of a month, which is counted from the year 0; day 0 is the last day of the month before. */
const dayAt = (months: number, day: number): Day =>
  new Date(Date.UTC(Math.floor(months / 12), months % 12, day)).toISOString().slice(0, 10)

/** A quarter by its name, `2026-Q4` or `2026 q4`; null if it is invalid. The last one of a year may end in the next. */
export function quarterOf(name: string, first: QuarterMonth): VatPeriod | null {
  const [, year, number] = /^(\d{4})[- ]?Q([1-4])$/i.exec(name.trim()) ?? []
  if (!year || Number(year) < 1900 || Number(year) > 2200) return null
  const firstMonth = Number(year) * 12 + first - 1 + (Number(number) - 1) * 3
  return { quarter: `${year}-Q${number}`, from: dayAt(firstMonth, 1), until: dayAt(firstMonth + 3, 0) }
}

/** The quarter of a day. */
export function quarterContaining(day: Day, first: QuarterMonth): VatPeriod {
  const month = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - first
  const year = Math.floor(month / 12)
  const index = Math.floor((month % 12) / 3)
  return quarterOf(`${String(year).padStart(4, '0')}-Q${index + 1}`, first) as VatPeriod
}

/** The quarter that ends before another begins. */
export function quarterBefore({ from }: VatPeriod, first: QuarterMonth): VatPeriod {
  const day = new Date(`${from}T00:00:00Z`)
  day.setUTCDate(0)
  return quarterContaining(day.toISOString().slice(0, 10), first)
}
