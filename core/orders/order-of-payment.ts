import { emailKey } from '../buyers/recognise-buyer.ts'
import type { AppContext } from '../context.ts'
import { AppError, conflict } from '../kernel/errors.ts'
import { getStorefront } from '../storefronts/get-storefront.query.ts'
import { type PlacedOrder, toPlacedOrder } from './order-once.ts'
import { Orders } from './orders.rows.ts'
import { pollPayment } from './pay-order.ts'

/**
 * Returns the order of a payment that a browser reports: the provider is queried, and its answer settles the order. A caller who names another
 * shop or email than the order's learns nothing about it, and a payment makes one order however often it is reported.
 */
export async function orderOfPayment(
  ctx: AppContext,
  { reference, urlKey, email }: { reference: string; urlKey: string; email: string },
): Promise<PlacedOrder> {
  const storefront = await getStorefront(ctx, { urlKey, includeClosed: true })
  const [order] = await Orders.rows(
    ctx,
    `SELECT ${Orders.columns('o')} FROM payments y JOIN orders o ON o.id = y.order_id
     WHERE y.provider_reference = :reference AND y.provider IN ('stripe-card', 'stripe-bacs') AND o.publication_id = :publicationId`,
    { reference, publicationId: storefront.id },
  )
  if (!order || emailKey(order.email) !== emailKey(email)) {
    throw conflict('No order with this email belongs to this payment. Please place the order again.')
  }
  const state = order.state === 'pending' ? await pollPayment(ctx, order.id) : order.state
  if (state === 'pending') throw new AppError('declined', 'This payment has not been made yet. No money was taken.')
  return toPlacedOrder(ctx, { ...order, state })
}
