import type { OrderState } from '../kernel/order-state.ts'
import { useCase } from '../use-case.ts'
import { OrderKey, orderOfKey } from './order-by-key.ts'
import { cancelPayment } from './pay-order.ts'

/**
 * Cancels an order whose buyer left before paying: the payment is cancelled at the provider, then promo use and copies are released. A payment
 * that completes concurrently is kept, and the result says so.
 */
export const cancelOrder = useCase({
  permission: 'public',
  input: OrderKey,
  transaction: 'none',
  async run(ctx, orderKey): Promise<{ state: OrderState; orderNumber: string }> {
    const order = await orderOfKey(ctx, orderKey)
    const state = order.state === 'pending' ? await cancelPayment(ctx, order.id) : order.state
    return { state, orderNumber: order.orderNumber }
  },
})
