import type { Actor } from '../access/actor.ts'
import type { AppContext } from '../context.ts'
import type { Currency } from '../kernel/money.ts'
import { day, defaulted, defineTable, id, instant, integer, nullable, type RowOf, ref, text } from '../table.ts'
import type { RefundMethod, RefundScope, RefundState } from './refund.rules.ts'

/** Money refunded for an order, in part or in full. A row exists before the provider is called. */
export const Refunds = defineTable('refunds', {
  id: id(),
  publisherId: ref(),
  orderId: ref(),
  state: text<RefundState>(),
  scope: text<RefundScope>(),
  /** Minor units, above zero. */
  amount: integer(),
  currency: text<Currency>(),
  /** The months it covers, counted from zero from the term's first; null if it is not a refund of months. */
  firstMonth: nullable(integer()),
  monthCount: nullable(integer()),
  fromOn: nullable(day()),
  untilOn: nullable(day()),
  reason: defaulted(text()),
  method: text<RefundMethod>(),
  /** The idempotency key of the form or command that requested it, which never expires: repeated, it is the same refund here and at the provider. */
  idempotencyKey: text(),
  providerReference: nullable(text()),
  /** Why it failed; null if it did not. */
  problem: nullable(text()),
  actorKind: text<Actor['kind']>(),
  actorId: nullable(ref()),
  plannedAt: instant(),
  /** When the provider was first called. */
  askedAt: nullable(instant()),
  /** When it was entered in the ledger. */
  acceptedAt: nullable(instant()),
  endedAt: nullable(instant()),
  updatedAt: instant(),
})
export type RefundRow = RowOf<typeof Refunds>

/** The refunds of an order, oldest first. */
export function refundsOf(ctx: Pick<AppContext, 'db'>, orderId: number): Promise<RefundRow[]> {
  return Refunds.rows(ctx, `SELECT ${Refunds.columns()} FROM refunds WHERE order_id = :orderId ORDER BY id`, {
    orderId,
  })
}

/** Refunds whose outcome is unknown or not final, those checked longest ago first. */
export function openRefunds(
  ctx: Pick<AppContext, 'db'>,
  { plannedBefore, pendingBefore, limit }: { plannedBefore: Date; pendingBefore: Date; limit: number },
): Promise<RefundRow[]> {
  return Refunds.rows(
    ctx,
    `SELECT ${Refunds.columns()} FROM refunds
     WHERE (state = 'planned' AND updated_at < :plannedBefore) OR (state = 'pending' AND updated_at < :pendingBefore)
     ORDER BY updated_at, id LIMIT :limit`,
    { plannedBefore, pendingBefore, limit },
  )
}
