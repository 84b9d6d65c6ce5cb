import { z } from 'zod'
import { asBoolean, asJson } from '../database.ts'
import type { Day } from '../kernel/dates.ts'
import { notFound } from '../kernel/errors.ts'
import type { Currency } from '../kernel/money.ts'
import type { OrderState } from '../kernel/order-state.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'
import { isDelivered, type PlanChoice, type Product, type TermMonths } from '../pricing/plan-code.rules.ts'
import { useCase } from '../use-case.ts'
import { ownBuyer } from './live-buyer.ts'

/** An order as shown on its buyer's receipt; amounts in minor units. */
export interface OwnReceipt {
  orderNumber: string
  orderedOn: Day
  state: OrderState
  productName: string
  /** The plan that was ordered; null for back issues, which are in `items`. */
  plan: PlanChoice | null
  /** The automatic renewal at its end is on: not turned off, refunded or replaced since. */
  renews: boolean
  startOn: Day | null
  endOn: Day | null
  paymentType: string
  currency: Currency
  isFree: boolean
  price: number
  discount: number
  promoCode: string
  amount: number
  items: { description: string; unitPrice: number; postage: number }[]
  billing: PostalAddress
  /** Null if nothing is posted. */
  delivery: PostalAddress | null
}

interface Row {
  id: number
  order_number: string
  ordered_on: Day
  state: OrderState
  product: Product | null
  product_name: string
  term_months: TermMonths | null
  is_recurring: unknown
  renews: unknown
  sub_start_on: Day | null
  sub_end_on: Day | null
  payment_type: string
  currency: Currency
  product_price: number
  discount: number
  promo_code: string
  amount: number
  billing: unknown
  shipping: unknown
}

/** The receipt of one of the logged-in buyer's own orders, by its number; another buyer's order is not found. */
export const getOwnReceipt = useCase({
  permission: 'buyer',
  input: z.object({ orderNumber: z.string().max(20).default('') }),
  transaction: 'none',
  async run(ctx, { orderNumber }): Promise<OwnReceipt> {
    const { id: buyerId, publicationId } = await ownBuyer(ctx)
    const [row] = await ctx.db.query<Row>(
      `SELECT id, order_number, ordered_on, state, product, product_name, term_months, is_recurring, sub_start_on, sub_end_on, payment_type, currency,
              product_price, discount, promo_code, amount, billing, shipping,
              EXISTS (SELECT 1 FROM payment_agreements a
                      WHERE a.buyer_id = orders.buyer_id AND a.state = 'active' AND a.renews_on = orders.sub_end_on
                        AND (a.order_id = orders.id OR a.id = (SELECT w.agreement_id FROM renewals w WHERE w.id = orders.renewal_id))) AS renews
       FROM orders
       WHERE order_number = :orderNumber AND buyer_id = :buyerId AND publication_id = :publicationId AND state IN ('paid', 'pending', 'refunded', 'reversed')`,
      { orderNumber, buyerId, publicationId },
    )
    if (!row) throw notFound('The order')
    const items = await ctx.db.query<{ description: string; unit_price: number; postage: number }>(
      `SELECT description, unit_price, postage FROM order_items WHERE order_id = :id ORDER BY id`,
      { id: row.id },
    )
    return {
      orderNumber: row.order_number,
      orderedOn: row.ordered_on,
      state: row.state,
      productName: row.product_name,
      plan: row.product && {
        product: row.product,
        termMonths: row.term_months,
        isRecurring: asBoolean(row.is_recurring),
      },
      renews: asBoolean(row.renews),
      startOn: row.sub_start_on,
      endOn: row.sub_end_on,
      paymentType: row.payment_type,
      currency: row.currency,
      isFree: row.payment_type === 'Free',
      price: row.product_price,
      discount: row.discount,
      promoCode: row.promo_code,
      amount: row.amount,
      items: items.map(({ description, unit_price: unitPrice, postage }) => ({ description, unitPrice, postage })),
      billing: asJson<PostalAddress>(row.billing),
      delivery: row.product && !isDelivered(row.product) ? null : asJson<PostalAddress>(row.shipping ?? row.billing),
    }
  },
})
