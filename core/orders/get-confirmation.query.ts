import { sameText } from '../access/tokens.ts'
import { renewalReplacedBy } from '../agreements/renewal-summary.query.ts'
import { asBoolean, asJson } from '../database.ts'
import type { Day } from '../kernel/dates.ts'
import { notFound } from '../kernel/errors.ts'
import type { Language } from '../kernel/languages.ts'
import type { Currency } from '../kernel/money.ts'
import type { OrderState } from '../kernel/order-state.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'
import { formatPlanCode, isDelivered, type Product, type TermMonths } from '../pricing/plan-code.rules.ts'
import { useCase } from '../use-case.ts'
import type { Confirmation } from './confirmation.rules.ts'
import { OrderKey } from './order-by-key.ts'
import { confirmationKey } from './order-number.ts'
import type { Gift } from './orders.rows.ts'

const statusByState: Record<OrderState, Pick<Confirmation, 'status' | 'why'>> = {
  paid: { status: 'confirmed', why: null },
  pending: { status: 'being-confirmed', why: null },
  declined: { status: 'not-confirmed', why: 'declined' },
  cancelled: { status: 'not-confirmed', why: 'cancelled' },
  refunded: { status: 'not-confirmed', why: 'refunded' },
  reversed: { status: 'not-confirmed', why: 'reversed' },
}

/** An order for the person who placed it: the number alone is not enough, the key that came with it is required too. */
export const getConfirmation = useCase({
  permission: 'public',
  input: OrderKey,
  transaction: 'none',
  async run(ctx, { orderNumber, key }): Promise<Confirmation> {
    if (!sameText(key, confirmationKey(ctx.settings.appSecret, orderNumber))) throw notFound('The order')
    const [row] = await ctx.db.query<{
      id: number
      state: OrderState
      product: Product | null
      product_name: string
      amount: number
      currency: Currency
      payment_type: string
      email: string
      sub_start_on: Day | null
      sub_end_on: Day | null
      term_months: TermMonths | null
      is_recurring: unknown
      is_gift: unknown
      gift: unknown
      billing: unknown
      shipping: unknown
      product_price: number
      country: string
      language: Language | null
      charged_on: Day | null
      url_key: string
      has_no_password: unknown
    }>(
      `SELECT o.id, o.state, o.product, o.product_name, o.amount, o.currency, o.payment_type, o.email, o.sub_start_on, o.sub_end_on,
              o.term_months, o.is_recurring, o.is_gift, o.gift, o.billing, o.shipping, o.product_price, o.country, o.language,
              p.url_key,
              CASE WHEN y.state = 'accepted' THEN y.charged_on END AS charged_on,
              b.id IS NOT NULL AND b.password_hash IS NULL AS has_no_password
       FROM orders o JOIN publications p ON p.id = o.publication_id LEFT JOIN payments y ON y.order_id = o.id
         LEFT JOIN buyers b ON b.id = o.buyer_id
       WHERE o.order_number = :orderNumber`,
      { orderNumber },
    )
    if (!row) throw notFound('The order')
    const issues = await ctx.db.query<Confirmation['issues'][number]>(
      `SELECT description AS volume, unit_price AS price, postage FROM order_items
       WHERE order_id = :id AND kind = 'back-issue' ORDER BY id`,
      { id: row.id },
    )
    const isRecurring = asBoolean(row.is_recurring)
    const { product, term_months: termMonths, product_price: price } = row
    return {
      ...statusByState[row.state],
      orderNumber,
      product,
      productName: row.product_name,
      amount: row.amount,
      issues,
      currency: row.currency,
      isFree: row.payment_type === 'Free',
      email: row.email,
      subStartOn: row.sub_start_on,
      subEndOn: row.sub_end_on,
      termMonths,
      isRecurring,
      renewalPrice: price,
      replaced: isRecurring && row.state === 'paid' ? await renewalReplacedBy(ctx, row.id) : null,
      delivery: product && !isDelivered(product) ? null : asJson<PostalAddress>(row.shipping ?? row.billing),
      gift: asBoolean(row.is_gift) ? (asJson<Gift | null>(row.gift) ?? { email: '', message: '' }) : null,
      chargedOn: row.charged_on,
      needsPassword: asBoolean(row.has_no_password),
      urlKey: row.url_key,
      country: row.country,
      language: row.language,
      plan: product && formatPlanCode({ product, termMonths, isRecurring, price }),
    }
  },
})
