import { z } from 'zod'
import { asBoolean, asInstant, asJson } from '../database.ts'
import { type Day, dayOf } from '../kernel/dates.ts'
import { notFound } from '../kernel/errors.ts'
import type { Currency } from '../kernel/money.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'
import { fulfilledAndLiability } from '../ledger/liability.rules.ts'
import type { PaymentState } from '../payment-methods/payment-states.rules.ts'
import type { Product } from '../pricing/plan-code.rules.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import type { OrderKind } from './order-row.ts'

/** Where an order's payment stands. */
interface PaymentView {
  state: PaymentState
  /** Why it was declined, failed or was given back; empty where it was not. */
  reason: string
  /** Of the card or the account; empty where it is not known. */
  lastFour: string
  /** When a direct debit is taken. */
  chargedOn: Day | null
  /** When the order was taken back. */
  takenBackAt: Date | null
}

/**
 * One order with everything its page shows; amounts in minor units, `liability` null for a free order. Nothing is fulfilled and nothing
 * is owed of one that was taken back.
 */
export interface OrderDetails {
  id: number
  orderNumber: string
  state: string
  orderedOn: Day
  placedAt: Date
  paidAt: Date | null
  payment: PaymentView | null
  kind: OrderKind
  publicationId: number
  publicationName: string
  urlKey: string
  product: Product | null
  productName: string
  termMonths: number | null
  isRecurring: boolean
  isGift: boolean
  paymentType: string
  currency: Currency
  productPrice: number
  discount: number
  amount: number
  promoCode: string
  subStartOn: Day | null
  subEndOn: Day | null
  fulfilled: number | null
  liability: number | null
  country: string
  readerId: number | null
  title: string
  firstName: string
  lastName: string
  email: string
  mobile: string
  billing: PostalAddress
  /** Null: the same as billing, or nothing is delivered. */
  shipping: PostalAddress | null
  items: {
    description: string
    quantity: number
    unitPrice: number
    postage: number
    discount: number
    amount: number
    /** Paid for when no copy was left. */
    isOversold: boolean
  }[]
}

type Row = Record<string, unknown> & {
  id: number
  amount: number
  payment_type: string
  sub_start_on: Day | null
  term_months: number | null
}

/** One of the acting publisher's orders, by id; somebody else's is not found. */
export const getOrder = useCase({
  permission: 'order:read',
  input: z.object({ id: z.coerce.number('The order was not found').int() }),
  transaction: 'none',
  async run(ctx, { id }): Promise<OrderDetails> {
    const { publisherId } = tenantOf(ctx)
    const [row] = await ctx.db.query<Row>(
      `SELECT o.*, p.publication_name, p.url_key, y.state AS payment_state, y.decline_reason, y.account_last_four, y.charged_on,
              y.updated_at AS payment_updated_at, r.id AS present_reader_id
       FROM orders o JOIN publications p ON p.id = o.publication_id LEFT JOIN payments y ON y.order_id = o.id
         LEFT JOIN readers r ON r.id = o.reader_id AND r.publication_id = o.publication_id
       WHERE o.id = :id ${publisherId === undefined ? '' : 'AND o.publisher_id = :publisherId'}`,
      { id, publisherId: publisherId ?? null },
    )
    if (!row) throw notFound('The order')
    const items = await ctx.db.query<{
      description: string
      quantity: number
      unit_price: number
      postage: number
      discount: number
      amount: number
      copy_state: string | null
    }>(
      `SELECT description, quantity, unit_price, postage, discount, amount, copy_state FROM order_items WHERE order_id = :id ORDER BY id`,
      { id },
    )
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const earned = fulfilledAndLiability(
      {
        amount: row.state === 'paid' ? row.amount : 0,
        serviceStartOn: row.sub_start_on,
        serviceEndOn: row.sub_end_on as Day | null,
        termMonths: row.term_months,
      },
      today,
    )
    const isFree = row.payment_type === 'Free'
    return {
      id: row.id,
      orderNumber: row.order_number as string,
      state: row.state as string,
      kind: row.kind as OrderKind,
      orderedOn: row.ordered_on as Day,
      placedAt: asInstant(row.placed_at as string),
      paidAt: row.paid_at ? asInstant(row.paid_at as string) : null,
      payment: paymentOf(row),
      publicationId: row.publication_id as number,
      publicationName: row.publication_name as string,
      urlKey: row.url_key as string,
      product: row.product as Product | null,
      productName: row.product_name as string,
      termMonths: row.term_months,
      isRecurring: asBoolean(row.is_recurring),
      isGift: asBoolean(row.is_gift),
      paymentType: row.payment_type,
      currency: row.currency as Currency,
      productPrice: row.product_price as number,
      discount: row.discount as number,
      amount: row.amount,
      promoCode: row.promo_code as string,
      subStartOn: row.sub_start_on,
      subEndOn: row.sub_end_on as Day | null,
      fulfilled: isFree ? null : earned.fulfilled,
      liability: isFree ? null : earned.liability,
      country: row.country as string,
      readerId: row.present_reader_id as number | null,
      title: row.title as string,
      firstName: row.first_name as string,
      lastName: row.last_name as string,
      email: row.email as string,
      mobile: row.mobile as string,
      billing: asJson<PostalAddress>(row.billing),
      shipping: row.shipping ? asJson<PostalAddress>(row.shipping) : null,
      items: items.map(({ unit_price: unitPrice, copy_state: copyState, ...item }) => ({
        ...item,
        unitPrice,
        isOversold: copyState === 'oversold',
      })),
    }
  },
})

function paymentOf(row: Row): PaymentView | null {
  if (!row.payment_state) return null
  const state = row.payment_state as PaymentState
  const isTakenBack = state === 'failed' || state === 'refunded'
  return {
    state,
    reason: (row.decline_reason as string | null) ?? '',
    lastFour: (row.account_last_four as string | null) ?? '',
    chargedOn: row.charged_on as Day | null,
    takenBackAt: isTakenBack ? asInstant(row.payment_updated_at as string) : null,
  }
}
