import { addDays } from '../kernel/calendar.ts'
import { type Day, dayOfMonth } from '../kernel/dates.ts'
import { type Earning, elapsedMonths, fulfilledAndLiability } from './liability.rules.ts'

/** What was paid for a term that another system sold; minor units. */
export interface PaidTerm {
  paid: number
  startOn: Day
  /** The last day of the term, included. */
  endOn: Day
}

/** The longest term taken over: in a longer one, SubStart is the day on which the person became a reader, not the start of the paid term. */
export const maxOpeningMonths = 60

/** Why a reader is not in the opening balances: the first reason that applies. */
export const exclusionReasons = {
  'no-amount': 'No SubPaid, or zero',
  deactivated: 'Deactivated',
  'no-product': 'No SubType',
  'no-end': 'Until further notice: no SubExpiry',
  ended: 'Ended by that day',
  'no-start': 'No SubStart, or one after SubExpiry',
  'has-order': 'The term comes from an order here',
  'too-long': 'SubStart is more than five years before SubExpiry, so it is not the day that SubPaid counts from',
} as const

export type ExclusionReason = keyof typeof exclusionReasons

/** The months of a term, rounded to the nearest whole number, at least one: 1 January to 1 January of the next year is twelve months. */
export function wholeMonths({ startOn, endOn }: Pick<PaidTerm, 'startOn' | 'endOn'>): number {
  return Math.max(1, elapsedMonths(startOn, Number.POSITIVE_INFINITY, addDays(endOn, 15)))
}

/** How a paid term is earned: in the same way as a term that was sold here. */
export function openingEarning(
  term: PaidTerm,
): Earning & { termMonths: number; monthlyAmount: number; anchorDay: number } {
  const termMonths = wholeMonths(term)
  return {
    amount: term.paid,
    serviceStartOn: term.startOn,
    serviceEndOn: term.endOn,
    termMonths,
    monthlyAmount: Math.trunc(term.paid / termMonths),
    anchorDay: dayOfMonth(term.startOn),
  }
}

/** How much of a paid term is still owed at the end of a day. */
export function owedOf(term: PaidTerm, on: Day): number {
  return fulfilledAndLiability(openingEarning(term), on).liability
}
