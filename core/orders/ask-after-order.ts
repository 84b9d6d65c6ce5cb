import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { askPayment } from './pay-order.ts'

/** The job that a provider's message leaves: asks the provider what became of the payment, and settles the order by its answer. */
export const askAfterOrder = useCase({
  permission: 'machine:operate',
  input: z.object({ orderId: z.number().int() }),
  transaction: 'none',
  async run(ctx, { orderId }): Promise<void> {
    const askedAt = ctx.now()
    await askPayment(ctx, orderId)
    await ctx.db.run(
      `UPDATE payment_events SET handled_at = :now WHERE order_id = :orderId AND handled_at IS NULL AND received_at <= :askedAt`,
      { orderId, askedAt, now: ctx.now() },
    )
  },
})
