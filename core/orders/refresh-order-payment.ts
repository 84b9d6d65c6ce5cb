import { z } from 'zod'
import { markEventsHandled } from '../payments/payment-events.rows.ts'
import { useCase } from '../use-case.ts'
import { pollPayment } from './pay-order.ts'

/** The job that a provider's message queues: queries the provider for the payment's outcome, and settles the order by its answer. */
export const refreshOrderPayment = useCase({
  permission: 'machine:operate',
  input: z.object({ orderId: z.number().int() }),
  transaction: 'none',
  async run(ctx, { orderId }): Promise<void> {
    const requestedAt = ctx.now()
    await pollPayment(ctx, orderId)
    await markEventsHandled(ctx, orderId, requestedAt)
  },
})
