import { type OrderBalance, type UnservedMonths, unservedMonths } from '../ledger/refund-allocation.rules.ts'

export const refundScopes = ['whole', 'months', 'amount'] as const
export type RefundScope = (typeof refundScopes)[number]

/** The refund methods that can be chosen; `credit`: the money is not paid back but kept for a later order. */
export const chosenRefundMethods = ['provider', 'hand', 'credit'] as const
export type ChosenRefundMethod = (typeof chosenRefundMethods)[number]
/** `reported`: it was refunded at the provider, which reported it. */
export type RefundMethod = ChosenRefundMethod | 'reported'

/**
 * `planned`: stored, and not known yet to have reached the provider. `pending`: accepted by the provider, and in the ledger.
 * `failed` and `cancelled` may come after either, and after `succeeded`.
 */
export type RefundState = 'planned' | 'pending' | 'succeeded' | 'failed' | 'cancelled'

/** The states as text for staff. */
export const refundStateLabels: Record<RefundState, string> = {
  planned: 'Waiting for the provider’s response',
  pending: 'Accepted, on its way',
  succeeded: 'Refunded',
  failed: 'Failed: the buyer has not received the money',
  cancelled: 'Cancelled at the provider',
}

export const refundScopeLabels: Record<RefundScope, string> = {
  whole: 'The whole amount',
  months: 'The unserved months',
  amount: 'Other amount',
}

export const refundMethodLabels: Record<RefundMethod, string> = {
  provider: 'Through the payment provider',
  hand: 'Manually (bank transfer, cheque, cash)',
  credit: 'As credit for a later order',
  reported: 'At the payment provider',
}

/** The amounts that each kind of refund would return, in minor units. */
export interface RefundChoices {
  /** The amount paid minus the amount refunded. Zero: there is nothing to refund. */
  refundable: number
  /** Null if every remaining month has begun. */
  months: UnservedMonths | null
}

export function refundChoices(balance: OrderBalance): RefundChoices {
  const refundable = Math.max(0, balance.net)
  const months = unservedMonths(balance)
  return { refundable, months: months && months.amount <= refundable ? months : null }
}
