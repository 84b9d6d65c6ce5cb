import { type Day, dayOfMonth } from '../kernel/dates.ts'
import { type EntryKind, entryKinds } from './entry-kinds.rules.ts'
import { type Earning, monthNumber } from './liability.rules.ts'

/** What one day adds to the ledger's totals, in minor units: the sum of all days up to a day is the total at its end. */
export interface DayAmounts {
  /** How many sales were entered. */
  sales: number
  sold: number
  /** Refunded or reversed; below zero if a refund failed or a dispute was won. */
  refunded: number
  /** The amount of the months that were over at the end of the day, and what counted immediately. */
  earned: number
  /** The VAT in each of these amounts: the schedule and the journals exclude it. */
  soldVat: number
  refundedVat: number
  earnedVat: number
}

export const dayParts = [
  'sales',
  'sold',
  'refunded',
  'earned',
  'soldVat',
  'refundedVat',
  'earnedVat',
] as const satisfies readonly (keyof DayAmounts)[]

const zeroAmounts: DayAmounts = { sales: 0, sold: 0, refunded: 0, earned: 0, soldVat: 0, refundedVat: 0, earnedVat: 0 }

export interface EnteredEarning extends Earning {
  kind: EntryKind
  enteredOn: Day
  /** The VAT in the amount, with its sign; VAT that is not set counts as zero. */
  vat?: number | null
}

/**
 * What an entry of the ledger adds to each day: sold or refunded on the day it was entered, and earned month by month. What was earned before the
 * day of the entry counts on that day. Consistent with `fulfilledAndLiability` on each day.
 */
export function dayAmounts(entry: EnteredEarning, sales = entry.kind === 'sale' ? 1 : 0): Map<Day, DayAmounts> {
  const { amount, enteredOn, kind } = entry
  const vat = entry.vat ?? 0
  const days = new Map<Day, DayAmounts>()
  const counts = entryKinds[kind]
  if (counts === 'cost') return days
  const add = (day: Day, amounts: Partial<DayAmounts>) => {
    const on = day < enteredOn ? enteredOn : day
    const sums = days.get(on) ?? { ...zeroAmounts }
    for (const part of dayParts) sums[part] += amounts[part] ?? 0
    days.set(on, sums)
  }
  add(
    enteredOn,
    counts === 'sold' ? { sales, sold: amount, soldVat: vat } : { sales, refunded: 0 - amount, refundedVat: 0 - vat },
  )
  for (const [day, earned, earnedVat] of earnedParts(entry)) add(day, { earned, earnedVat })
  return days
}

/** For each month of the term: the day on which it is earned, the amount, and the VAT in it. */
function earnedParts(entry: EnteredEarning): [Day, number, number][] {
  const { amount, serviceStartOn, serviceEndOn, termMonths, monthlyAmount, anchorDay, enteredOn } = entry
  const vat = entry.vat ?? 0
  if (termMonths === null || termMonths < 1 || serviceStartOn === null) return [[enteredOn, amount, vat]]
  const monthly = monthlyAmount ?? Math.trunc(amount / termMonths)
  const anchor = anchorDay ?? dayOfMonth(serviceStartOn)
  const start = monthNumber(serviceStartOn)
  /** The net amount of the first months: proportional, in whole minor units rounded towards zero. The last month takes the rest. */
  const netOf = (months: number) =>
    months === termMonths ? amount - vat : quotient(monthly * months * (amount - vat), amount)
  return Array.from({ length: termMonths }, (_, index) => {
    const monthEndOn = lastDayOfTermMonth(start + index + 1, anchor)
    const share = index === termMonths - 1 ? amount - monthly * index : monthly
    const shareVat = vat === 0 ? 0 : share - netOf(index + 1) + netOf(index)
    return [serviceEndOn !== null && serviceEndOn < monthEndOn ? serviceEndOn : monthEndOn, share, shareVat]
  })
}

/** Integer division towards zero, as in a database. It has no floating-point quotient that could be rounded up to the next whole number. */
export function quotient(dividend: number, divisor: number): number {
  return (dividend - (dividend % divisor)) / divisor
}

/** The last day of the term month that ends in a calendar month (`monthNumber`): the day before its anchor, or before a shorter month's last day. */
function lastDayOfTermMonth(month: number, anchor: number): Day {
  // Computed without a Date, for speed: a rebuild computes millions of these days.
  const day = Math.min(anchor, lengthOf(month)) - 1
  return day > 0 ? dayText(month, day) : dayText(month - 1, lengthOf(month - 1))
}

const lengths = [31, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30] as const

/** December of a year is the month 0 of the next one. */
function lengthOf(month: number): number {
  const year = Math.floor((month - 1) / 12)
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month % 12 === 2 && isLeap ? 29 : (lengths[month % 12] as number)
}

function dayText(month: number, day: number): Day {
  const year = Math.floor((month - 1) / 12)
  const text = (value: number, width: number) => String(value).padStart(width, '0')
  return `${text(year, 4)}-${text(month - year * 12, 2)}-${text(day, 2)}`
}
