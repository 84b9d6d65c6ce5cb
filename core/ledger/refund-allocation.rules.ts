import { addDays, addMonths } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import {
  dayOfMonth,
  type Earning,
  elapsedMonths,
  fulfilledAndLiability,
  monthNumber,
  monthsEndedBy,
} from './liability.rules.ts'
import { areUnposted } from './posted-copies.rules.ts'

/** The balance of an order in the ledger, at the end of a day. Amounts in minor units. */
export interface OrderBalance {
  /** The amount sold minus the amount refunded. */
  net: number
  fulfilled: number
  liability: number
  /** The amount that each month of the sale's term still represents, earned or not. Empty where it has none. */
  months: number[]
  /** How many of them are over. */
  elapsed: number
  /** How many of them have started. */
  started: number
  /** The sale, which the months are counted from. */
  sale: Earning
}

/** The balance of an order, by all of its revenue entries; the first of them is the sale. */
export function orderBalanceOf(entries: readonly Earning[], asOf: Day): OrderBalance {
  const [sale] = entries
  if (!sale) throw new Error('An order without a sale has no balance')
  const { serviceStartOn: startOn, serviceEndOn: endOn } = sale
  const months = monthShares(sale, entries)
  const count = months.length
  let [net, fulfilled] = [0, 0]
  for (const entry of entries) {
    net += entry.amount
    fulfilled += fulfilledAndLiability(entry, asOf).fulfilled
  }
  const isOver = endOn !== null && endOn <= asOf
  const elapsed = startOn === null || isOver ? count : elapsedMonths(startOn, count, asOf)
  const started = startOn === null || isOver ? count : startedMonths(startOn, count, asOf)
  return { net, fulfilled, liability: net - fulfilled, months, elapsed, started, sale }
}

/** The sum of the entries' amounts in each month of the sale's term. */
function monthShares({ serviceStartOn: startOn, termMonths: count }: Earning, entries: readonly Earning[]): number[] {
  if (startOn === null || count === null) return []
  const months = Array.from({ length: count }, () => 0)
  for (const { amount, serviceStartOn, termMonths, monthlyAmount } of entries) {
    if (termMonths === null || serviceStartOn === null) continue
    const first = monthNumber(serviceStartOn) - monthNumber(startOn)
    const monthly = monthlyAmount ?? Math.trunc(amount / termMonths)
    for (let index = 0; index < termMonths; index++) {
      const isLast = index === termMonths - 1
      const share = isLast ? amount - monthly * (termMonths - 1) : monthly
      months[first + index] = (months[first + index] ?? 0) + share
    }
  }
  return months
}

function startedMonths(startOn: Day, count: number, asOf: Day): number {
  if (count === 0 || asOf < startOn) return 0
  return Math.min(count, monthsEndedBy(startOn, count, asOf) + 1)
}

/** The months that have not started and represent money: what a refund of unserved months returns. Null where there are none. */
export interface UnservedMonths {
  /** Counted from zero, from the sale's first month. */
  first: number
  count: number
  fromOn: Day
  untilOn: Day
  amount: number
}

export function unservedMonths({ months, started, sale }: OrderBalance): UnservedMonths | null {
  const last = months.findLastIndex((share) => share > 0)
  const { serviceStartOn: startOn } = sale
  // Copies that are not posted have no months: they are refunded in full, or by an amount.
  if (startOn === null || last < started || areUnposted(sale)) return null
  const amount = months.slice(started, last + 1).reduce((sum, share) => sum + share, 0)
  return {
    first: started,
    count: last - started + 1,
    fromOn: addMonths(startOn, started),
    untilOn: lastDayOf(sale, last),
    amount,
  }
}

/** The last day of a month of the term: the one before the next begins, and of the last one the term's own. */
function lastDayOf({ serviceStartOn, serviceEndOn, termMonths }: Earning, month: number): Day {
  if (serviceEndOn !== null && month === (termMonths ?? 0) - 1) return serviceEndOn
  return addDays(addMonths(serviceStartOn as Day, month + 1), -1)
}

/** A part of a refund or reversal, as it is entered: below zero, with its own service period. Above zero where it is restored. */
export type RefundPart = Required<Earning>

/**
 * Spreads a refunded or reversed amount over what the order still represents, from the month `first` on (by default those that are not over); what
 * exceeds that had been earned, and is taken immediately. So fulfilled and liability of all the entries together stay between zero and the net
 * amount, at every later date.
 */
export function refundParts(balance: OrderBalance, amount: number, first = balance.elapsed): RefundPart[] {
  const { months, sale } = balance
  const last = months.findLastIndex((share) => share !== 0)
  const left = months.slice(first, last + 1)
  const owed = left.reduce((sum, share) => sum + share, 0)
  const unearned = Math.max(0, Math.min(amount, owed))
  const amounts = isEven(left) ? allocateEvenly(left, owed - unearned) : allocateFromLastMonth(left, unearned)
  const parts = unearned === 0 ? [] : runsOf(amounts).map((run) => partOf(sale, first, amounts, run))
  const earned = amount - unearned
  if (earned === 0) return parts
  return [...parts, { amount: -earned, ...atOnce }]
}

const atOnce = { serviceStartOn: null, serviceEndOn: null, termMonths: null, monthlyAmount: null, anchorDay: null }

/**
 * Restores a part of what was taken from a sale: first what had been earned and was taken immediately, then the earliest of its months. So the sale
 * is as if only the rest had been taken, and restoring all of it is the opposite of what was taken. `refunds` are the entries that took it, and
 * earlier restorations of them.
 */
export function restoredParts(sale: Earning, refunds: readonly Earning[], amount: number): RefundPart[] {
  const open = monthShares(sale, refunds).map((share) => 0 - share)
  const refundedAtOnce = refunds.reduce((sum, entry) => (entry.termMonths === null ? sum - entry.amount : sum), 0)
  let left = Math.max(0, amount - refundedAtOnce)
  const restored = open.map((share) => {
    const part = Math.min(left, Math.max(share, 0))
    left -= part
    return 0 - part
  })
  const first = Math.max(
    0,
    restored.findIndex((share) => share !== 0),
  )
  const laterMonths = restored.slice(first)
  const parts = runsOf(laterMonths).map((run) => partOf(sale, first, laterMonths, run))
  const earned = parts.reduce((sum, part) => sum - part.amount, amount)
  return earned === 0 ? parts : [{ amount: earned, ...atOnce }, ...parts]
}

/** Whether every month but the last represents the same amount, give or take a penny of an earlier refund, and the last as much or more. */
function isEven(left: readonly number[]): boolean {
  const before = left.slice(0, -1)
  const most = Math.max(...before)
  return most - Math.min(...before) <= 1 && (left.at(-1) ?? 0) >= most
}

/**
 * The remainder is spread evenly again, and its last month takes the rest: no more than it had, since what was sold for a month is the most that it can
 * represent. What exceeds that is left with the latest months that can represent it, a penny each.
 */
function allocateEvenly(left: readonly number[], remaining: number): number[] {
  const end = left.length - 1
  const share = Math.min(Math.trunc(remaining / left.length), ...left)
  const last = Math.min(remaining - share * end, left[end] ?? 0)
  let rest = remaining - share * end - last
  return left
    .toReversed()
    .map((before, fromEnd) => {
      if (fromEnd === 0) return before - last
      const penny = rest > 0 && before > share ? 1 : 0
      rest -= penny
      return before - share - penny
    })
    .toReversed()
}

/** Where the months differ by more than that (a part was refunded by months, or restored): the last months are reduced first. */
function allocateFromLastMonth(left: readonly number[], amount: number): number[] {
  let open = amount
  return left
    .toReversed()
    .map((share) => {
      const applied = Math.min(open, Math.max(share, 0))
      open -= applied
      return applied
    })
    .toReversed()
}

/** Months with the same share, and a final one with another: in the form that an entry can express. */
function runsOf(amounts: readonly number[]): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = []
  let from = 0
  while (from < amounts.length) {
    let to = from
    while (to < amounts.length - 1 && amounts[to + 1] === amounts[from]) to++
    if (to < amounts.length - 1) to++
    if (amounts.slice(from, to + 1).some((share) => share !== 0)) runs.push({ from, to })
    from = to + 1
  }
  return runs
}

function partOf(
  sale: Earning,
  first: number,
  amounts: readonly number[],
  { from, to }: { from: number; to: number },
): RefundPart {
  const startOn = sale.serviceStartOn as Day
  return {
    amount: amounts.slice(from, to + 1).reduce((sum, share) => sum - share, 0),
    serviceStartOn: addMonths(startOn, first + from),
    serviceEndOn: lastDayOf(sale, first + to),
    termMonths: to - from + 1,
    monthlyAmount: 0 - (amounts[from] as number),
    anchorDay: dayOfMonth(startOn),
  }
}
