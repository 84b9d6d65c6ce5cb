import { addDays, addMonths } from '../kernel/calendar.ts'
import { type Day, dayOfMonth } from '../kernel/dates.ts'
import { type Earning, elapsedMonths, fulfilledAndLiability, monthNumber, monthsEndedBy } from './liability.rules.ts'
import { areUnposted } from './posted-copies.rules.ts'

/** The balance of an order in the ledger, at the end of a day. Amounts in minor units. */
export interface OrderBalance {
  /** The amount sold minus the amount refunded. */
  net: number
  fulfilled: number
  liability: number
  /** The amount that each month of the sale's term still represents, earned or not. Empty if the sale has no term. */
  months: number[]
  /** How many of the months are over. */
  elapsed: number
  /** How many of the months have started. */
  started: number
  /** The sale from whose start the months are counted. */
  sale: Earning
}

/** The balance of an order, from all of its revenue entries; the first entry must be the sale. */
export function orderBalanceOf(entries: readonly Earning[], asOf: Day): OrderBalance {
  const [sale] = entries
  if (!sale) throw new Error('An order without a sale has no balance')
  const { serviceStartOn: startOn, serviceEndOn: endOn } = sale
  const months = monthShares(sale, entries)
  const count = months.length
  let net = 0
  let fulfilled = 0
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

/** The months that have not started and still represent money: what a refund of unserved months returns. Null if there are none. */
export interface UnservedMonths {
  /** The index of the first unserved month: the sale's first month is zero. */
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

/** The last day of a month of the term: the day before the next month begins, or for the last month the end of the term. */
function lastDayOf({ serviceStartOn, serviceEndOn, termMonths }: Earning, month: number): Day {
  if (serviceEndOn !== null && month === (termMonths ?? 0) - 1) return serviceEndOn
  return addDays(addMonths(serviceStartOn as Day, month + 1), -1)
}

/** A part of a refund or reversal, as it is entered: an amount below zero with its own service period; above zero if it restores a refund. */
export type RefundPart = Required<Earning>

/**
 * Spreads a refunded or reversed amount over the months from `first` on (by default those that are not over). What exceeds the amounts of these
 * months was already earned and is deducted immediately. So the fulfilled part and the liability of all entries together stay between zero and the
 * net amount on every later day.
 */
export function refundParts(balance: OrderBalance, amount: number, first = balance.elapsed): RefundPart[] {
  const { months, sale } = balance
  const last = months.findLastIndex((share) => share !== 0)
  const remaining = months.slice(first, last + 1)
  const owed = remaining.reduce((sum, share) => sum + share, 0)
  const unearned = Math.max(0, Math.min(amount, owed))
  const amounts = areEven(remaining)
    ? allocateEvenly(remaining, owed - unearned)
    : allocateFromLastMonth(remaining, unearned)
  const parts = unearned === 0 ? [] : runsOf(amounts).map((run) => partOf(sale, first, amounts, run))
  const earned = amount - unearned
  if (earned === 0) return parts
  return [...parts, { amount: -earned, ...noTerm }]
}

const noTerm = { serviceStartOn: null, serviceEndOn: null, termMonths: null, monthlyAmount: null, anchorDay: null }

/**
 * Restores an amount that was deducted from a sale: first what was deducted immediately, then the earliest months. The sale is then as if only the
 * rest had been deducted; restoring everything is the exact opposite of the deduction. `refunds` are the entries that deducted it, and those that
 * restored parts of it before.
 */
export function restoredParts(sale: Earning, refunds: readonly Earning[], amount: number): RefundPart[] {
  const deducted = monthShares(sale, refunds).map((share) => 0 - share)
  const deductedAtOnce = refunds.reduce((sum, entry) => (entry.termMonths === null ? sum - entry.amount : sum), 0)
  let remaining = Math.max(0, amount - deductedAtOnce)
  const restored = deducted.map((share) => {
    const part = Math.min(remaining, Math.max(share, 0))
    remaining -= part
    return 0 - part
  })
  const first = Math.max(
    0,
    restored.findIndex((share) => share !== 0),
  )
  const laterMonths = restored.slice(first)
  const parts = runsOf(laterMonths).map((run) => partOf(sale, first, laterMonths, run))
  const earned = parts.reduce((sum, part) => sum - part.amount, amount)
  return earned === 0 ? parts : [{ amount: earned, ...noTerm }, ...parts]
}

/** Whether all months but the last represent the same amount, give or take a penny of an earlier refund, and the last as much or more. */
function areEven(months: readonly number[]): boolean {
  const beforeLast = months.slice(0, -1)
  const max = Math.max(...beforeLast)
  return max - Math.min(...beforeLast) <= 1 && (months.at(-1) ?? 0) >= max
}

/**
 * What each month loses so that `remaining` is spread evenly over the months. The last month takes the remainder of the division, but never more than
 * it had; pennies beyond that stay with the latest months that had more than their share, one each.
 */
function allocateEvenly(months: readonly number[], remaining: number): number[] {
  const lastIndex = months.length - 1
  const share = Math.min(Math.trunc(remaining / months.length), ...months)
  const lastShare = Math.min(remaining - share * lastIndex, months[lastIndex] ?? 0)
  let pennies = remaining - share * lastIndex - lastShare
  return months
    .toReversed()
    .map((amount, fromEnd) => {
      if (fromEnd === 0) return amount - lastShare
      const penny = pennies > 0 && amount > share ? 1 : 0
      pennies -= penny
      return amount - share - penny
    })
    .toReversed()
}

/** If the months are not even (some were refunded, or restored), the last months are reduced first. */
function allocateFromLastMonth(months: readonly number[], amount: number): number[] {
  let remaining = amount
  return months
    .toReversed()
    .map((share) => {
      const applied = Math.min(remaining, Math.max(share, 0))
      remaining -= applied
      return applied
    })
    .toReversed()
}

/** Splits the months into runs that one entry can express: equal shares, and a last month whose share may differ. */
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
