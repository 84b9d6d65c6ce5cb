import type { AppContext } from '../context.ts'
import { failureLevel } from '../kernel/errors.ts'
import { pollPayment } from './pay-order.ts'
import { Payments } from './payments.rows.ts'

/**
 * How long a hosted page that cannot be cancelled stays open, in hours, and how long its order is polled. Secure Trading accepts a
 * signed form for three hours.
 */
const openHours = 3
const giveUpAfterHours = 48
const batchSize = 200

/**
 * Polls the outcome of orders that were cancelled or declined while their hosted page was still open, after it has closed: a buyer who paid
 * there meanwhile, and whose notification was lost, gets the order and not only the charge. Returns the number of orders polled.
 */
export async function pollClosedPages(ctx: AppContext): Promise<number> {
  const orders = await ctx.db.query<{ id: number; placed_at: Date | string; updated_at: Date | string }>(
    `SELECT o.id, o.placed_at, y.updated_at FROM orders o JOIN payments y ON y.order_id = o.id
     WHERE o.state IN ('cancelled', 'declined') AND y.provider = 'secure-trading' AND o.placed_at < :closed AND o.placed_at > :tooLongAgo
     ORDER BY y.updated_at`,
    { closed: hoursAgo(ctx, openHours), tooLongAgo: hoursAgo(ctx, giveUpAfterHours) },
  )
  // Not limited by the query: orders that were already polled would fill its limit and displace those that are due.
  const notPolledYet = orders
    .filter((order) => hoursBetween(order.placed_at, order.updated_at) < openHours)
    .slice(0, batchSize)
  for (const { id } of notPolledYet) {
    try {
      await pollPayment(ctx, id)
      await Payments.update(ctx, { orderId: id }, {})
    } catch (error) {
      ctx.log[failureLevel(error)](
        { error, order: id },
        'the payment of a cancelled or declined order could not be polled',
      )
    }
  }
  return notPolledYet.length
}

function hoursAgo(ctx: AppContext, hours: number): Date {
  return new Date(ctx.now().getTime() - hours * 3_600_000)
}

function hoursBetween(earlier: Date | string, later: Date | string): number {
  return (new Date(later).getTime() - new Date(earlier).getTime()) / 3_600_000
}
