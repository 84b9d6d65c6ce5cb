import type { OrderState } from '../kernel/order-state.ts'
import { useCase } from '../use-case.ts'
import { OrderKey, orderOfKey } from './order-by-key.ts'
import { lookUpPayment } from './pay-order.ts'

/**
 * The buyer returned from paying: polls the provider for the outcome and settles the order by its answer. Idempotent, also when a webhook reports the
 * same outcome. If the provider does not respond, the order stays pending. `isProcessing`: it is being paid, and can no longer be cancelled.
 */
export const confirmOrder = useCase({
  permission: 'public',
  input: OrderKey,
  transaction: 'none',
  async run(ctx, orderKey): Promise<{ state: OrderState; isProcessing: boolean }> {
    const order = await orderOfKey(ctx, orderKey)
    if (order.state !== 'pending') return { state: order.state, isProcessing: false }
    try {
      return await lookUpPayment(ctx, order.id)
    } catch (error) {
      ctx.log.warn({ error, order: order.id }, 'a payment could not be polled; the order stays pending')
      return { state: 'pending', isProcessing: false }
    }
  },
})
