import type { Actor } from '../access/actor.ts'
import type { AppContext } from '../context.ts'
import type { Currency } from '../kernel/money.ts'
import { day, defaulted, defineTable, id, instant, integer, nullable, type RowOf, ref, text } from '../table.ts'
import type { RefundScope, RefundState, RefundWay } from './refund.rules.ts'

/** Money given back for an order, in parts or whole. A row stands before the provider is asked. */
export const Refunds = defineTable('refunds', {
  id: id(),
  publisherId: ref(),
  orderId: ref(),
  state: text<RefundState>(),
  scope: text<RefundScope>(),
  /** Minor units, above zero. */
  amount: integer(),
  currency: text<Currency>(),
  /** The months it takes, counted from zero from the term's first; null where it is no refund of months. */
  firstMonth: nullable(integer()),
  monthCount: nullable(integer()),
  fromOn: nullable(day()),
  untilOn: nullable(day()),
  reason: defaulted(text()),
  way: text<RefundWay>(),
  /** Of the form or command it was asked for with, for ever: asked again, it is the same refund here and at the provider. */
  idempotencyKey: text(),
  providerReference: nullable(text()),
  /** Why it failed; empty where it did not. */
  problem: nullable(text()),
  actorKind: text<Actor['kind']>(),
  actorId: nullable(ref()),
  plannedAt: instant(),
  /** When the provider was first asked. */
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

/** Refunds whose answer is not known yet or not the last: those that were looked at longest ago first. */
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
