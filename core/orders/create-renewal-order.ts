import type { PaymentAgreements } from '../agreements/payment-agreements.rows.ts'
import { beginAttempt, type RenewalRow } from '../agreements/renewals.rows.ts'
import type { AppContext } from '../context.ts'
import { awaitAll } from '../database.ts'
import type { Day } from '../kernel/dates.ts'
import type { Language } from '../kernel/languages.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'
import { paymentTypes } from '../payment-methods/payment-methods.rules.ts'
import { planName } from '../pricing/plan-code.rules.ts'
import type { ReaderRow } from '../readers/readers.rows.ts'
import type { RowOf } from '../table.ts'
import { insertOrder } from './create-pending-order.ts'
import { OrderItems } from './order-items.rows.ts'
import { Orders } from './orders.rows.ts'
import { Payments } from './payments.rows.ts'

/**
 * Stores an attempt at a renewal as a pending order with its payment: billed as the first order was, delivered to the reader's current address
 * (for a gift: to the one that the giver entered), and recorded on the renewal. Its key is derived from agreement, cycle and attempt, so no attempt
 * is made twice. Call it in a transaction.
 */
export async function createRenewalOrder(
  ctx: AppContext,
  {
    renewal,
    agreement,
    reader,
    attempt,
    on,
  }: {
    renewal: RenewalRow
    agreement: RowOf<typeof PaymentAgreements>
    reader: ReaderRow
    attempt: number
    on: Day
  },
): Promise<number> {
  const [first] = await FirstOrders.rows<CurrentBuyer>(
    ctx,
    `SELECT ${FirstOrders.columns('o')}, b.id AS "buyerId", b.email AS "buyerEmail", b.mobile AS "buyerMobile", b.language AS "buyerLanguage"
     FROM orders o JOIN buyers b ON b.id = :buyerId WHERE o.id = :orderId`,
    { orderId: agreement.orderId, buyerId: agreement.buyerId },
  )
  if (!first) throw new Error(`The agreement ${agreement.id} has no order or no buyer`)
  const { amount, currency } = renewal
  const { product, termMonths, band, provider } = agreement
  const productName = planName({ product, termMonths, isRecurring: true })
  const idempotencyKey = `renewal:${agreement.id}:${renewal.cycleOn}:${attempt}`
  const { title, firstName, lastName, country, billing, isGift, gift } = first
  const order = await insertOrder(ctx, {
    publisherId: renewal.publisherId,
    publicationId: renewal.publicationId,
    state: 'pending',
    kind: 'subscription',
    idempotencyKey,
    placedAt: ctx.now(),
    orderedOn: on,
    product,
    productName,
    termMonths,
    band,
    country,
    currency,
    isGift,
    gift,
    isRecurring: true,
    language: first.buyerLanguage ?? first.language,
    productPrice: amount,
    amount,
    paymentType: paymentTypes[provider],
    buyerId: first.buyerId,
    readerId: reader.id,
    renewalId: renewal.id,
    title,
    firstName,
    lastName,
    email: first.buyerEmail,
    mobile: first.buyerMobile || first.mobile,
    billing,
    // The giver of a gift sees the order: where the recipient lives now is in the reader's record alone.
    shipping: isGift ? first.shipping : addressOf(reader),
  })
  if (!order) throw new Error(`The attempt ${idempotencyKey} was made before`)
  const orderId = order.id
  const description = productName
  await awaitAll(
    OrderItems.insert(ctx, { orderId, kind: 'subscription', description, unitPrice: amount, amount }),
    Payments.insert(ctx, { orderId, provider, state: 'pending', amount, currency, idempotencyKey }),
    beginAttempt(ctx, renewal.id, { attempts: attempt, orderId }),
  )
  return orderId
}

/** The fields of the first order that are copied to each renewal order. */
const FirstOrders = Orders.pick(
  'title',
  'firstName',
  'lastName',
  'mobile',
  'country',
  'billing',
  'shipping',
  'isGift',
  'gift',
  'language',
)

/** The buyer's current contact data. */
interface CurrentBuyer {
  buyerId: number
  buyerEmail: string
  buyerMobile: string
  buyerLanguage: Language | null
}

function addressOf(reader: ReaderRow): PostalAddress {
  const { title, firstName, lastName, companyName, addressOne, addressTwo, addressThree } = reader
  const { city, state, postCode, country } = reader
  return {
    title,
    firstName,
    lastName,
    companyName,
    addressOne,
    addressTwo,
    addressThree,
    city,
    state,
    postCode,
    country,
  }
}
