import type { Services } from '../context.ts'
import { languageOf } from '../kernel/country-language.rules.ts'
import { recordRenewals } from '../orders/orders.rows.ts'
import { paymentTypes } from '../payment-methods/payment-methods.rules.ts'
import type { PaymentProvider } from '../ports/payment-gateway.ts'
import { planName } from '../pricing/plan-code.rules.ts'
import { insertRows, type NewRow } from './insert-rows.ts'
import type { Sale } from './make-sales.ts'
import { addressOf, amountOf, currency, instantOf, publicationIdOf, type SalesContext } from './sale-facts.ts'
import { seedBuyers } from './seed-buyers.ts'
import { seedRenewals } from './seed-renewals.ts'

/** Writes paid orders with everything a paid order has, but nothing that would still be sent: no jobs, no emails. */
export async function seedOrders(services: Services, context: SalesContext, sales: readonly Sale[]): Promise<void> {
  const { db } = services
  const buyerIds = await seedBuyers(services, context, sales)
  const newOrders = sales.map((sale, index) => {
    const { customer } = sale
    const buyerId = buyerIds.get(customer) ?? 0
    return { sale, key: `demo-order-${String(index + 1).padStart(6, '0')}`, buyerId }
  })
  await insertRows(
    db,
    'orders',
    newOrders.map((order) => orderRow(context, order)),
  )
  const rows = await db.query<{ id: number; order_number: string }>(`SELECT id, order_number FROM orders`)
  const ids = new Map(rows.map((row) => [row.order_number, row.id]))
  const orders = newOrders.map((order) => ({ ...order, id: ids.get(order.sale.orderNumber) ?? 0 }))
  await db.run(
    `UPDATE readers SET buyer_id = (SELECT MAX(o.buyer_id) FROM orders o WHERE o.reader_id = readers.id) WHERE origin = 'storefront'`,
  )
  await recordRenewals(services, [...context.readerIds.values()])
  await insertRows(db, 'order_items', orders.map(itemRow))
  await insertRows(db, 'payments', orders.map(paymentRow))
  await insertRows(db, 'demo_charges', orders.filter(({ sale }) => providerOf(sale) === 'demo').map(chargeRow))
  await insertRows(
    db,
    'ledger_entries',
    orders.map((order) => ledgerRow(context, order)),
  )
  await insertRows(
    db,
    'reader_events',
    orders.map((order) => eventRow(context, order)),
  )
  await seedRenewals(services, context, orders)
  await seedRedemptions(services, context, orders)
}

interface NewOrder {
  sale: Sale
  key: string
  buyerId: number
}

type StoredOrder = NewOrder & { id: number }

function orderRow(context: SalesContext, { sale, key, buyerId }: NewOrder): NewRow {
  const { customer } = sale
  const { buyer } = customer
  const at = instantOf(sale)
  return {
    publisher_id: context.publisherId,
    publication_id: publicationIdOf(context, sale),
    order_number: sale.orderNumber,
    state: 'paid',
    kind: 'subscription',
    idempotency_key: key,
    placed_at: at,
    ordered_on: sale.on,
    paid_at: at,
    product: sale.product,
    product_name: planName(sale),
    term_months: sale.termMonths,
    is_recurring: sale.isRecurring,
    is_gift: customer.isGift,
    band: sale.band,
    country: buyer.country,
    language: sale.staffSale ? languageOf(buyer.country) : null,
    currency: currency(sale),
    product_price: sale.price,
    discount: sale.discount,
    amount: amountOf(sale),
    promo_code_id: promoIdOf(context, sale),
    promo_code: sale.promo?.code ?? '',
    payment_type: paymentTypes[providerOf(sale)],
    channel: sale.staffSale?.channel ?? 'storefront',
    taken_by_id: sale.staffSale ? context.publisherId : null,
    staff_note: sale.staffSale?.note ?? '',
    sub_start_on: sale.startOn,
    sub_end_on: sale.endOn,
    buyer_id: buyerId,
    reader_id: context.readerIds.get(customer) ?? null,
    title: buyer.title,
    first_name: buyer.firstName,
    last_name: buyer.lastName,
    email: buyer.email,
    mobile: buyer.telephone,
    billing: addressOf(buyer),
    shipping: customer.isGift ? addressOf(customer.recipient) : null,
    created_at: at,
    updated_at: at,
  }
}

function providerOf(sale: Sale): PaymentProvider {
  return amountOf(sale) === 0 ? 'free' : (sale.staffSale?.method ?? 'demo')
}

function promoIdOf(context: SalesContext, { customer, promo }: Sale): number | null {
  return promo ? (context.publications.get(customer.publication.urlKey)?.promoIds.get(promo) ?? null) : null
}

function itemRow({ id, sale }: StoredOrder): NewRow {
  return {
    order_id: id,
    kind: 'subscription',
    back_issue_id: null,
    description: planName(sale),
    quantity: 1,
    unit_price: sale.price,
    postage: 0,
    discount: sale.discount,
    amount: amountOf(sale),
  }
}

function paymentRow({ id, sale, key }: StoredOrder): NewRow {
  const provider = providerOf(sale)
  return {
    order_id: id,
    provider,
    state: provider === 'invoice' ? 'invoiced' : 'paid',
    amount: amountOf(sale),
    currency: currency(sale),
    idempotency_key: key,
    provider_reference: sale.staffSale ? sale.orderNumber : `${provider}_${key}`,
    decline_reason: null,
    created_at: instantOf(sale),
    updated_at: instantOf(sale),
  }
}

/** The demo bank's record of the charge, so that a look-up of an old payment finds it. */
function chargeRow({ sale, key }: StoredOrder): NewRow {
  return {
    idempotency_key: key,
    state: 'paid',
    amount: amountOf(sale),
    currency: currency(sale),
    reason: null,
    created_at: instantOf(sale),
  }
}

function ledgerRow(context: SalesContext, { id, sale }: StoredOrder): NewRow {
  const isEarnedOverTime = sale.termMonths !== null
  return {
    publisher_id: context.publisherId,
    publication_id: publicationIdOf(context, sale),
    order_id: id,
    kind: 'sale',
    entered_on: sale.on,
    currency: currency(sale),
    amount: amountOf(sale),
    product: sale.product,
    service_start_on: isEarnedOverTime ? sale.startOn : null,
    service_end_on: isEarnedOverTime ? sale.endOn : null,
    term_months: sale.termMonths,
    created_at: instantOf(sale),
  }
}

function eventRow(context: SalesContext, { id, sale }: StoredOrder): NewRow {
  const isFree = amountOf(sale) === 0
  return {
    reader_id: context.readerIds.get(sale.customer) ?? 0,
    publication_id: publicationIdOf(context, sale),
    kind: sale.isRenewal ? 'subscribed' : 'added',
    sub_type: sale.product,
    start_on: sale.startOn,
    end_on: sale.endOn,
    amount: isFree ? null : amountOf(sale),
    currency: currency(sale),
    order_id: id,
    before: null,
    note: planName(sale),
    actor_kind: 'system',
    actor_id: null,
    created_at: instantOf(sale),
  }
}

async function seedRedemptions({ db }: Services, context: SalesContext, orders: readonly StoredOrder[]): Promise<void> {
  const withPromo = orders.filter(({ sale }) => sale.promo)
  await insertRows(
    db,
    'promo_redemptions',
    withPromo.map(({ id, sale }) => ({
      promo_code_id: promoIdOf(context, sale),
      order_id: id,
      taken_at: instantOf(sale),
      given_back_at: null,
    })),
  )
  await db.run(
    `UPDATE promo_codes SET used = (SELECT COUNT(*) FROM promo_redemptions r WHERE r.promo_code_id = promo_codes.id)`,
  )
}
