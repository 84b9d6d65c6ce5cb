import type { Actor } from '../access/actor.ts'
import type { AppContext } from '../context.ts'
import { day, defineTable, id, instant, integer, nullable, type RowOf, ref, text } from '../table.ts'

/** Payments from credits. A credit is a refund whose `method` is `credit`; its remaining amount is what its uses do not cover. */
export const CreditUses = defineTable('credit_uses', {
  id: id(),
  publisherId: ref(),
  refundId: ref(),
  /** The order that was paid with it. */
  orderId: ref(),
  /** The payment of that order's invoice; null: the order itself was paid by credit. */
  invoicePaymentId: nullable(ref()),
  /** Minor units of the credit's currency, above zero. */
  amount: integer(),
  /** The day it counts for in the journals: in an open month. */
  enteredOn: day(),
  /** One use of a credit for each payment. */
  idempotencyKey: text(),
  actorKind: text<Actor['kind']>(),
  actorId: nullable(ref()),
  usedAt: instant(),
})

export type CreditUseRow = RowOf<typeof CreditUses>

/** The part of an order's amount that was paid by credit. */
export async function paidByCredit(ctx: Pick<AppContext, 'db'>, orderId: number): Promise<number> {
  const [row] = await ctx.db.query<{ amount: number }>(
    `SELECT COALESCE(SUM(amount), 0) AS amount FROM credit_uses WHERE order_id = :orderId`,
    { orderId },
  )
  return Number(row?.amount ?? 0)
}
