import { recordAudit } from '../access/audit.ts'
import type { AppContext } from '../context.ts'
import { invalid } from '../kernel/errors.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'
import { promoMessages } from '../pricing/discount.rules.ts'
import { planName } from '../pricing/plan-code.rules.ts'
import { takePromoUse } from '../promos/promo-uses.ts'
import type { Storefront } from '../publications/storefront.rules.ts'
import { newOrderNumber } from './order-number.ts'
import type { BuyerDraft, OrderRow } from './order-row.ts'
import type { PlaceOrderInput } from './place-order.input.ts'
import type { PricedOrder } from './price-order.ts'

/** How the ledger names the way an order was paid. */
export const paymentTypes = { free: 'Free', demo: 'Demo card' } as const

/** An order by the key of its form; undefined when the form was not sent before. */
export async function orderByKey(ctx: AppContext, idempotencyKey: string): Promise<OrderRow | undefined> {
  const [order] = await ctx.db.query<OrderRow>(`SELECT * FROM orders WHERE idempotency_key = :idempotencyKey`, {
    idempotencyKey,
  })
  return order
}

/**
 * Writes the pending order with its item, its payment and the promo use it takes: one transaction, before anybody is asked for money.
 * The same form sent twice at once gives the order that was first.
 */
export async function beginOrder(
  ctx: AppContext,
  storefront: Storefront,
  input: PlaceOrderInput,
  priced: PricedOrder,
  buyer: { buyerId: number | null; passwordHash: string | null },
): Promise<OrderRow> {
  const { plan, promo, discount, amount, today } = priced
  const provider = amount === 0 ? 'free' : input.payment.provider
  const optOuts = input.optOuts
  const draft: BuyerDraft = { passwordHash: buyer.passwordHash, optOuts, answers: input.answers }
  const values = {
    publisherId: storefront.publisher.id,
    publicationId: storefront.id,
    idempotencyKey: input.idempotencyKey,
    now: ctx.now(),
    today,
    product: plan.product,
    productName: planName(plan),
    termMonths: plan.termMonths,
    isRecurring: plan.isRecurring,
    band: plan.currency === 'GBP' ? 'UK' : plan.currency === 'EUR' ? 'EU' : 'US',
    country: input.country,
    currency: plan.currency,
    price: plan.price,
    discount,
    amount,
    promoId: promo?.id ?? null,
    promoCode: promo?.code ?? '',
    paymentType: paymentTypes[provider],
    buyerId: buyer.buyerId,
    draft: JSON.stringify(draft),
    title: input.title,
    firstName: input.firstName,
    lastName: input.lastName,
    email: input.email,
    mobile: input.mobile,
    billing: JSON.stringify(billingOf(input)),
    shipping: shippingOf(input) ? JSON.stringify(shippingOf(input)) : null,
  }
  return ctx.db.transaction(async () => {
    const order = await insertOrder(ctx, values)
    if (!order) return findAgain(ctx, input.idempotencyKey)
    await ctx.db.run(
      `INSERT INTO order_items (order_id, kind, description, quantity, unit_price, discount, amount)
       VALUES (:orderId, 'subscription', :description, 1, :price, :discount, :amount)`,
      { orderId: order.id, description: values.productName, price: plan.price, discount, amount },
    )
    await ctx.db.run(
      `INSERT INTO payments (order_id, provider, state, amount, currency, idempotency_key, created_at, updated_at)
       VALUES (:orderId, :provider, 'pending', :amount, :currency, :key, :now, :now)`,
      { orderId: order.id, provider, amount, currency: plan.currency, key: order.idempotency_key, now: ctx.now() },
    )
    if (promo && !(await takePromoUse(ctx, promo.id, order.id))) throw invalid({ promoCode: promoMessages.invalid })
    await recordAudit(
      ctx,
      'order-begin',
      { type: 'order', id: order.id, publisherId: storefront.publisher.id },
      { amount, currency: plan.currency, product: plan.product, promo: promo !== null },
    )
    return order
  })
}

/** Inserts with a fresh order number, again when the number was taken; undefined when the form's order is there already. */
async function insertOrder(
  ctx: AppContext,
  values: Record<string, string | number | boolean | Date | null>,
): Promise<OrderRow | undefined> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const [order] = await ctx.db.query<OrderRow>(
      `INSERT INTO orders (publisher_id, publication_id, order_number, state, kind, idempotency_key, placed_at, ordered_on, product,
         product_name, term_months, is_recurring, band, country, currency, product_price, discount, amount, promo_code_id, promo_code,
         payment_type, buyer_id, buyer_draft, title, first_name, last_name, email, mobile, billing, shipping, created_at, updated_at)
       VALUES (:publisherId, :publicationId, :orderNumber, 'pending', 'subscription', :idempotencyKey, :now, :today, :product,
         :productName, :termMonths, :isRecurring, :band, :country, :currency, :price, :discount, :amount, :promoId, :promoCode,
         :paymentType, :buyerId, :draft, :title, :firstName, :lastName, :email, :mobile, :billing, :shipping, :now, :now)
       ON CONFLICT DO NOTHING RETURNING *`,
      { ...values, orderNumber: newOrderNumber() },
    )
    if (order) return order
    if (await orderByKey(ctx, String(values.idempotencyKey))) return undefined
  }
  throw new Error('No free order number was found')
}

async function findAgain(ctx: AppContext, idempotencyKey: string): Promise<OrderRow> {
  const order = await orderByKey(ctx, idempotencyKey)
  if (!order) throw new Error('The order that was there is gone')
  return order
}

function billingOf(input: PlaceOrderInput): PostalAddress {
  const { title, firstName, lastName, country } = input
  return { title, firstName, lastName, ...input.billing, country }
}

/** The delivery address, or null where it is the billing one. Both lie in the country whose price was paid. */
function shippingOf(input: PlaceOrderInput): PostalAddress | null {
  if (input.isDeliveredToBilling || !input.shipping) return null
  const { title, firstName, lastName } = input.shipping
  const isNamed = firstName !== '' || lastName !== ''
  const name = isNamed
    ? { title, firstName, lastName }
    : { title: input.title, firstName: input.firstName, lastName: input.lastName }
  return { ...input.shipping, ...name, country: input.country }
}
