import { z } from 'zod'
import { keysRefused } from '../agreements/declines.rules.ts'
import type { AppContext } from '../context.ts'
import { failureLevel } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { cancelPayment, pollPayment } from './pay-order.ts'
import { recordPaymentCheck } from './payments.rows.ts'
import { pollClosedPages } from './poll-closed-pages.ts'

/** How many minutes a checkout may take before its gateway is polled. */
const waitMinutes = 10
/** How long a buyer may take at a card form or a provider's page. Unpaid orders are then cancelled. */
const openMinutes = 60
/** How often the bank is polled about a direct debit in progress. */
const debitMinutes = 24 * 60
const batchSize = 200

/**
 * Finds the orders whose outcome is unknown (a crash between charge and settlement, a browser closed after paying, a lost gateway response), polls
 * the gateway for the outcome of each and settles it. Orders unpaid after an hour are cancelled, at the provider first; an order that waits for its
 * invoice is left to staff. Direct debits accepted before the bank's answer are checked once a day. One failure does not stop the others.
 */
export const settlePendingOrders = useCase({
  permission: 'machine:operate',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ polled: number; failed: number }> {
    // The order polled longest ago comes first: orders that cannot be settled do not hold up the others.
    const waiting = await ctx.db.query<{ id: number }>(
      `SELECT o.id FROM orders o JOIN payments y ON y.order_id = o.id
       WHERE (o.state = 'pending' AND o.placed_at < :before AND y.state NOT IN ('mismatch', 'invoiced'))
          OR (o.state = 'paid' AND y.state = 'accepted' AND y.updated_at < :dayBefore)
       ORDER BY y.updated_at, o.id LIMIT :limit`,
      { before: minutesAgo(ctx, waitMinutes), dayBefore: minutesAgo(ctx, debitMinutes), limit: batchSize },
    )
    let failed = 0
    for (const { id } of waiting) {
      try {
        await settlePendingOrder(ctx, id)
      } catch (error) {
        failed++
        ctx.log[failureLevel(error)]({ error, order: id }, 'an order could not be settled')
      }
      await recordPaymentCheck(ctx, id)
    }
    return { polled: waiting.length + (await pollClosedPages(ctx)), failed }
  },
})

async function settlePendingOrder(ctx: AppContext, orderId: number): Promise<void> {
  if ((await pollPayment(ctx, orderId)) !== 'pending') return
  // A renewal that waits for its reader, or for its publisher's keys, is cancelled only when its grace period is over.
  const [stale] = await ctx.db.query(
    `SELECT o.id FROM orders o LEFT JOIN renewals r ON r.id = o.renewal_id
     WHERE o.id = :orderId AND o.placed_at < :before AND (r.id IS NULL OR NOT (r.state = 'waiting'
       OR (r.state = 'retrying' AND r.order_id = o.id AND r.decline_code = :keysRefused)))`,
    { orderId, keysRefused, before: minutesAgo(ctx, openMinutes) },
  )
  if (stale) await cancelPayment(ctx, orderId)
}

function minutesAgo(ctx: AppContext, minutes: number): Date {
  return new Date(ctx.now().getTime() - minutes * 60_000)
}
