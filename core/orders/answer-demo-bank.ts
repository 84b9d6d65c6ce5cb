import { z } from 'zod'
import { notFound } from '../kernel/errors.ts'
import { answerCharge } from '../payment-methods/demo-charges.rows.ts'
import { useCase } from '../use-case.ts'
import { OrderKey, orderOfKey } from './order-by-key.ts'

/**
 * The buyer approves or refuses the payment on the demo bank's page. Only the demo bank's own record changes; the order's outcome is determined by
 * querying the bank, as with every provider. An earlier answer or cancellation is not changed.
 */
export const answerDemoBank = useCase({
  permission: 'public',
  input: OrderKey.extend({ answer: z.enum(['approve', 'refuse'], 'Choose Approve or Refuse') }),
  async run(ctx, { answer, ...orderKey }): Promise<void> {
    if (!ctx.payments.demo) throw notFound('This page')
    const order = await orderOfKey(ctx, orderKey)
    await answerCharge(
      ctx,
      order.idempotencyKey,
      answer === 'approve'
        ? { state: 'paid' }
        : { state: 'declined', reason: 'The buyer refused the payment at the bank' },
    )
  },
})
