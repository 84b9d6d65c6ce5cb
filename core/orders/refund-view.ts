import type { RefundRow } from './refunds.rows.ts'

const fields = [
  'id', 'state', 'scope', 'amount', 'currency', 'monthCount', 'fromOn', 'untilOn', 'reason', 'method', 'problem', 'plannedAt', 'endedAt',
] as const // biome-ignore format: a row

/** A refund as its order's page shows it. */
export type RefundView = Pick<RefundRow, (typeof fields)[number]>

export function refundView(refund: RefundRow): RefundView {
  return Object.fromEntries(fields.map((field) => [field, refund[field]])) as RefundView
}
