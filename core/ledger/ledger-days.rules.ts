import type { Day } from '../kernel/dates.ts'
import { type EntryKind, entryKinds } from './entry-kinds.rules.ts'
import { dayOfMonth, type Earning, monthNumber } from './liability.rules.ts'

/** What one day adds to the ledger's sums, in minor units: summed up to the end of a day they are its totals of that day. */
export interface DayAmounts {
  /** How many sales were entered. */
  sales: number
  sold: number
  /** Given or taken back; below nought where that failed or was won. */
  refunded: number
  /** Months that were over at the end of the day, and what counted at once. */
  earned: number
}

export const dayParts = ['sales', 'sold', 'refunded', 'earned'] as const satisfies readonly (keyof DayAmounts)[]

export interface EnteredEarning extends Earning {
  kind: EntryKind
  enteredOn: Day
}

/**
 * An entry of the ledger, day by day: what was sold or given back on the day it was entered, and what of it is earned at the end of which
 * day. What had been earned before it was entered counts on that day. The same as `fulfilledAndLiability` says of each day.
 */
export function dayAmounts(entry: EnteredEarning, sales = entry.kind === 'sale' ? 1 : 0): Map<Day, DayAmounts> {
  const { amount, enteredOn, kind } = entry
  const days = new Map<Day, DayAmounts>()
  const counts = entryKinds[kind]
  if (counts === 'cost') return days
  const add = (day: Day, { sold = 0, refunded = 0, earned = 0 }: Partial<DayAmounts>, sales = 0) => {
    const on = day < enteredOn ? enteredOn : day
    const so = days.get(on) ?? { sales: 0, sold: 0, refunded: 0, earned: 0 }
    days.set(on, {
      sales: so.sales + sales,
      sold: so.sold + sold,
      refunded: so.refunded + refunded,
      earned: so.earned + earned,
    })
  }
  add(enteredOn, counts === 'sold' ? { sold: amount } : { refunded: 0 - amount }, sales)
  for (const [day, earned] of earnedParts(entry)) add(day, { earned })
  return days
}

/** The day at whose end each month of the term is earned, and what it earns. */
function earnedParts(entry: EnteredEarning): [Day, number][] {
  const { amount, serviceStartOn, serviceEndOn, termMonths, monthlyAmount, anchorDay, enteredOn } = entry
  if (termMonths === null || termMonths < 1 || serviceStartOn === null) return [[enteredOn, amount]]
  const monthly = monthlyAmount ?? Math.trunc(amount / termMonths)
  const anchor = anchorDay ?? dayOfMonth(serviceStartOn)
  const start = monthNumber(serviceStartOn)
  return Array.from({ length: termMonths }, (_, index) => {
    const over = dayBeforeTurn(start + index + 1, anchor)
    const share = index === termMonths - 1 ? amount - monthly * index : monthly
    return [serviceEndOn !== null && serviceEndOn < over ? serviceEndOn : over, share]
  })
}

/** The day before a term turns in a month (counted by `monthNumber`): it turns on its anchor, or on the last day of a shorter month. */
function dayBeforeTurn(month: number, anchor: number): Day {
  // In whole numbers: a rebuild asks for millions of them.
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
