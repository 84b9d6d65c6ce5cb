import { recordAudit } from '../access/audit.ts'
import { giveBackCopies } from '../back-issues/copies.ts'
import type { AppContext } from '../context.ts'
import type { ChargeAnswer } from '../payments/payment-gateway.ts'
import { giveBackPromoUse } from '../promos/promo-uses.ts'
import type { OrderRow } from './order-row.ts'

/** Takes back what a paid order meant: a direct debit failed days later, or the money was given back. */
export async function reverseOrder(
  ctx: AppContext,
  order: OrderRow,
  answer: Extract<ChargeAnswer, { state: 'failed' | 'refunded' }>,
): Promise<void> {
  await ctx.db.run(
    `UPDATE payments SET state = :state, decline_reason = :reason, updated_at = :now WHERE order_id = :orderId`,
    { orderId: order.id, state: answer.state, reason: answer.reason.slice(0, 300), now: ctx.now() },
  )
  await giveBackPromoUse(ctx, order.id)
  if (answer.state === 'failed') await giveBackCopies(ctx, order.id)
  await recordAudit(ctx, 'order-reversed', { type: 'order', id: order.id, publisherId: order.publisher_id })
}
