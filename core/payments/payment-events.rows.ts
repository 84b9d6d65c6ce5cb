import type { AppContext } from '../context.ts'
import { defineTable, id, instant, nullable, ref, text } from '../table.ts'

/** The webhook messages of payment providers, each processed once. */
export const PaymentEvents = defineTable('payment_events', {
  id: id(),
  provider: text(),
  /** The publisher's id, a colon and the provider's event id. */
  eventId: text(),
  publisherId: ref(),
  eventType: text(),
  /** The order it refers to; null if it is not one of the publisher's. */
  orderId: nullable(ref()),
  receivedAt: instant(),
  handledAt: nullable(instant()),
})

/** Marks the messages about an order that had arrived when its provider was queried. */
export async function markEventsHandled(ctx: AppContext, orderId: number, requestedAt: Date): Promise<void> {
  await ctx.db.run(
    `UPDATE payment_events SET handled_at = :now WHERE order_id = :orderId AND handled_at IS NULL AND received_at <= :requestedAt`,
    { orderId, requestedAt, now: ctx.now() },
  )
}
