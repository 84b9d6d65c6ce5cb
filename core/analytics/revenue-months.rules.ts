import type { Day } from '../kernel/dates.ts'
import { type Currency, currencies } from '../kernel/money.ts'
import { addMonthsTo, type Month, monthOf, monthsFrom } from '../ledger/months.rules.ts'

/** How many months are shown, the current one included. */
const monthCount = 13

interface RevenueMonth {
  month: Month
  net: number
  /** The same month a year before; for the current month, up to the same day of the month. */
  yearBefore: number
  isRunning: boolean
}

export interface RevenueMonths {
  currency: Currency
  months: RevenueMonth[]
}

/** The first day that is needed: a year before the first day of the first month shown. */
export function firstComparedDay(today: Day): Day {
  return `${addMonthsTo(monthOf(today), 1 - monthCount - 12)}-01`
}

/** The months of each currency that has entries; a month without entries is zero. */
export function revenueMonths(
  days: readonly { day: Day; currency: Currency; net: number }[],
  today: Day,
): RevenueMonths[] {
  const running = monthOf(today)
  const monthRange = monthsFrom(addMonthsTo(running, 1 - monthCount), running)
  return currencies.flatMap((currency) => {
    const inCurrency = days.filter((row) => row.currency === currency)
    if (inCurrency.length === 0) return []
    const sum = (month: Month, untilDay = '31') =>
      inCurrency
        .filter(({ day }) => monthOf(day) === month && day.slice(8) <= untilDay)
        .reduce((total, { net }) => total + net, 0)
    return {
      currency,
      months: monthRange.map((month) => {
        const isRunning = month === running
        const sameMonthBefore = addMonthsTo(month, -12)
        return {
          month,
          net: sum(month),
          yearBefore: isRunning ? sum(sameMonthBefore, today.slice(8)) : sum(sameMonthBefore),
          isRunning,
        }
      }),
    }
  })
}
