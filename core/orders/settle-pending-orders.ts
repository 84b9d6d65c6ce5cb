import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { Currency } from '../kernel/money.ts'
import type { ChargeAnswer, PaymentProvider } from '../payments/payment-gateway.ts'
import { useCase } from '../use-case.ts'
import { settleOrder } from './settle-order.ts'

/** How long a checkout is left alone before its answer is asked for again, in minutes. */
const patienceMinutes = 10
/** A charge that its provider still calls pending after this long is asked about in the next sweep again, not given up. */
const batch = 200

interface Pending {
  id: number
  provider: PaymentProvider
  idempotency_key: string
  amount: number
  currency: Currency
}

/**
 * Finds the orders whose answer was lost (a crash between the charge and its settling, a gateway that was silent), asks the gateway
 * what became of each and settles it: paid, declined, or cancelled where no charge was ever made. One that fails stops no other.
 */
export const settlePendingOrders = useCase({
  permission: 'machine:operate',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ asked: number; failed: number }> {
    const before = new Date(ctx.now().getTime() - patienceMinutes * 60_000)
    const pending = await ctx.db.query<Pending>(
      `SELECT o.id, y.provider, y.idempotency_key, y.amount, y.currency FROM orders o JOIN payments y ON y.order_id = o.id
       WHERE o.state = 'pending' AND o.placed_at < :before ORDER BY o.placed_at LIMIT :limit`,
      { before, limit: batch },
    )
    let failed = 0
    for (const order of pending) {
      try {
        await settleOrder(ctx, { orderId: order.id, answer: await lookUp(ctx, order) })
      } catch (error) {
        failed++
        ctx.log.error({ error, order: order.id }, 'a pending order could not be settled')
      }
    }
    return { asked: pending.length, failed }
  },
})

async function lookUp(ctx: AppContext, order: Pending): Promise<ChargeAnswer> {
  const money = { amount: order.amount, currency: order.currency }
  if (order.provider === 'free') return { state: 'paid', reference: `free_${order.idempotency_key}`, money }
  const gateway = ctx.payments[order.provider]
  if (!gateway) return { state: 'pending', reference: '' }
  return gateway.lookUp(order.idempotency_key)
}
