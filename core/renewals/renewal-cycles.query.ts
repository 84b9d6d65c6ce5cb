import type { RenewalState } from '../agreements/renewal-states.rules.ts'
import { Renewals } from '../agreements/renewals.rows.ts'
import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import type { Money } from '../kernel/money.ts'
import { declineReasonText } from './decline-reason.rules.ts'

/** A cycle of an agreement, as the pages of its reader and its orders show it. */
export interface RenewalCycle {
  id: number
  agreementId: number
  state: RenewalState
  /** The last day of the term that it follows. */
  cycleOn: Day
  chargeOn: Day
  money: Money
  attempts: number
  /** Why it is not paid, or has ended, in plain words; blank if there is no reason. */
  reason: string
  nextTryOn: Day | null
  /** When its notice was enqueued; null if none is required. */
  noticedOn: Day | null
  /** Until when a payment continues from the old end. */
  graceUntil: Day
  createdAt: Date
  /** When it ended. */
  settledAt: Date | null
  /** The order of its last attempt; null if it was not charged. */
  order: { id: number; orderNumber: string } | null
}

/** More cycles than these are left out: five years of months. */
export const maxCycles = 60

const cycleColumns = Renewals.pick(
  'id',
  'agreementId',
  'state',
  'cycleOn',
  'chargeOn',
  'amount',
  'currency',
  'attempts',
  'declineCode',
  'reason',
  'nextTryOn',
  'graceUntil',
  'noticedOn',
  'createdAt',
  'settledAt',
)

/** The cycles of these agreements, the latest first. */
export async function cyclesOf(ctx: Pick<AppContext, 'db'>, agreementIds: readonly number[]): Promise<RenewalCycle[]> {
  if (agreementIds.length === 0) return []
  const rows = await cycleColumns.rows<{ orderId: number | null; orderNumber: string | null }>(
    ctx,
    `SELECT ${cycleColumns.columns('w')}, o.id AS "orderId", o.order_number AS "orderNumber"
     FROM renewals w LEFT JOIN orders o ON o.id = w.order_id
     WHERE w.agreement_id IN (:ids) ORDER BY w.cycle_on DESC, w.id DESC LIMIT :shown`,
    { ids: [...agreementIds], shown: maxCycles },
  )
  return rows.map(({ amount, currency, declineCode, reason, orderId, orderNumber, ...row }) => ({
    ...row,
    money: { amount, currency },
    reason: isFailed(row.state) ? declineReasonText({ declineCode, reason }) : reason,
    order: orderId === null ? null : { id: orderId, orderNumber: orderNumber ?? '' },
  }))
}

/** Declined, or not payable without the reader, and not ended. */
export function isFailed(state: RenewalState): state is 'retrying' | 'waiting' {
  return state === 'retrying' || state === 'waiting'
}

/** Still to be charged, or being charged. */
export function isOpen(state: RenewalState): boolean {
  return state === 'planned' || state === 'charging' || isFailed(state)
}
