import type { RefundRow } from './refunds.rows.ts'

/** A refund as its order's page shows it. */
export type RefundView = Pick<
  RefundRow,
  | 'id'
  | 'state'
  | 'scope'
  | 'amount'
  | 'currency'
  | 'monthCount'
  | 'fromOn'
  | 'untilOn'
  | 'reason'
  | 'method'
  | 'problem'
  | 'plannedAt'
  | 'endedAt'
>

export function refundView(refund: RefundRow): RefundView {
  const {
    id,
    state,
    scope,
    amount,
    currency,
    monthCount,
    fromOn,
    untilOn,
    reason,
    method,
    problem,
    plannedAt,
    endedAt,
  } = refund
  return {
    id,
    state,
    scope,
    amount,
    currency,
    monthCount,
    fromOn,
    untilOn,
    reason,
    method,
    problem,
    plannedAt,
    endedAt,
  }
}
