import { recordAudit } from '../audit/record-audit.ts'
import { takeCopies } from '../back-issues/copies.ts'
import type { RecognisedBuyer } from '../buyers/recognise-buyer.ts'
import type { AppContext } from '../context.ts'
import { invalid } from '../kernel/errors.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'
import { paymentTypes } from '../payment-methods/payment-methods.rules.ts'
import { promoMessages } from '../pricing/discount.rules.ts'
import { takePromoUse } from '../promos/promo-uses.ts'
import type { Storefront } from '../storefronts/storefront.rules.ts'
import type { NewSale } from './new-sale.ts'
import type { OrderForm } from './order-form.input.ts'
import { newOrderNumber } from './order-number.ts'
import type { BuyerDraft, OrderRow } from './order-row.ts'

/** An order by the key of its form; undefined when the form was not sent before. */
export async function orderByKey(ctx: AppContext, idempotencyKey: string): Promise<OrderRow | undefined> {
  const [order] = await ctx.db.query<OrderRow>(`SELECT * FROM orders WHERE idempotency_key = :idempotencyKey`, {
    idempotencyKey,
  })
  return order
}

/**
 * Writes the pending order with its items, its payment, and the promo use and the copies it takes: one transaction, before anybody is
 * asked for money. The same form sent twice at once gives the order that was first.
 */
export async function beginOrder(
  ctx: AppContext,
  storefront: Storefront,
  input: OrderForm,
  sale: NewSale,
  buyer: RecognisedBuyer,
): Promise<OrderRow> {
  const { promo, discount, amount, currency } = sale
  const provider = amount === 0 ? 'free' : input.payment.provider
  const draft: BuyerDraft = { passwordHash: buyer.passwordHash, isUnproven: buyer.isUnproven, ...sale.said }
  const shipping = shippingOf(input)
  const values = {
    publisherId: storefront.publisher.id,
    publicationId: storefront.id,
    kind: sale.kind,
    idempotencyKey: input.idempotencyKey,
    now: ctx.now(),
    today: sale.today,
    product: sale.product,
    productName: sale.productName,
    termMonths: sale.termMonths,
    isRecurring: sale.isRecurring,
    isGift: sale.gift !== null,
    gift: sale.gift ? JSON.stringify(sale.gift) : null,
    band: sale.band,
    country: input.country,
    currency,
    price: sale.price,
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
    shipping: shipping ? JSON.stringify(shipping) : null,
  }
  return ctx.db.transaction(async () => {
    const order = await insertOrder(ctx, values)
    if (!order) return findAgain(ctx, input.idempotencyKey)
    await insertItems(ctx, order.id, sale.items)
    await ctx.db.run(
      `INSERT INTO payments (order_id, provider, state, amount, currency, idempotency_key, created_at, updated_at)
       VALUES (:orderId, :provider, 'pending', :amount, :currency, :key, :now, :now)`,
      { orderId: order.id, provider, amount, currency, key: order.idempotency_key, now: ctx.now() },
    )
    if (promo && !(await takePromoUse(ctx, promo.id, order.id))) throw invalid({ promoCode: promoMessages.invalid })
    if (sale.kind === 'back-issues') await takeCopies(ctx, order.id)
    await recordAudit(
      ctx,
      'order-begin',
      { type: 'order', id: order.id, publisherId: storefront.publisher.id },
      { amount, currency, product: sale.product ?? sale.kind, promo: promo !== null },
    )
    return order
  })
}

async function insertItems(ctx: AppContext, orderId: number, items: NewSale['items']): Promise<void> {
  for (const item of items) {
    await ctx.db.run(
      `INSERT INTO order_items (order_id, kind, back_issue_id, description, quantity, unit_price, postage, discount, amount)
       VALUES (:orderId, :kind, :backIssueId, :description, 1, :price, :postage, :discount, :amount)`,
      { orderId, ...item },
    )
  }
}

/** Inserts with a fresh order number, again when the number was taken; undefined when the form's order is there already. */
async function insertOrder(
  ctx: AppContext,
  values: Record<string, string | number | boolean | Date | null>,
): Promise<OrderRow | undefined> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const [order] = await ctx.db.query<OrderRow>(
      `INSERT INTO orders (publisher_id, publication_id, order_number, state, kind, idempotency_key, placed_at, ordered_on, product,
         product_name, term_months, is_recurring, is_gift, gift, band, country, currency, product_price, discount, amount, promo_code_id, promo_code,
         payment_type, buyer_id, buyer_draft, title, first_name, last_name, email, mobile, billing, shipping, created_at, updated_at)
       VALUES (:publisherId, :publicationId, :orderNumber, 'pending', :kind, :idempotencyKey, :now, :today, :product,
         :productName, :termMonths, :isRecurring, :isGift, :gift, :band, :country, :currency, :price, :discount, :amount, :promoId, :promoCode,
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

function billingOf(input: OrderForm): PostalAddress {
  const { title, firstName, lastName, country } = input
  return { title, firstName, lastName, ...input.billing, country }
}

/** The delivery address, or null where it is the billing one. Both lie in the country whose price was paid. */
function shippingOf(input: OrderForm): PostalAddress | null {
  if (input.isDeliveredToBilling || !input.shipping) return null
  const { title, firstName, lastName } = input.shipping
  const isNamed = firstName !== '' || lastName !== ''
  const name = isNamed
    ? { title, firstName, lastName }
    : { title: input.title, firstName: input.firstName, lastName: input.lastName }
  return { ...input.shipping, ...name, country: input.country }
}
