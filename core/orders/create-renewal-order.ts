import type { PaymentAgreements } from '../agreements/payment-agreements.rows.ts'
import type { RenewalRow } from '../agreements/renewals.rows.ts'
import { Buyers } from '../buyers/buyers.rows.ts'
import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
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
 * Writes an attempt at a renewal down as a pending order with its payment: billed as the first order was, delivered to where the reader
 * is now. Its key is made of agreement, cycle and attempt, so that no attempt is made twice. Belongs in a transaction.
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
  const first = await Orders.find(ctx, { id: agreement.orderId })
  const buyer = await Buyers.find(ctx, { id: agreement.buyerId })
  if (!first || !buyer) throw new Error(`The agreement ${agreement.id} has no order or no buyer`)
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
    ...{ product, productName, termMonths, band, country, currency, isGift, gift },
    isRecurring: true,
    language: buyer.language ?? first.language,
    productPrice: amount,
    amount,
    paymentType: paymentTypes[provider],
    buyerId: buyer.id,
    readerId: reader.id,
    renewalId: renewal.id,
    ...{ title, firstName, lastName, email: buyer.email, mobile: buyer.mobile || first.mobile },
    billing,
    shipping: addressOf(reader),
  })
  if (!order) throw new Error(`The attempt ${idempotencyKey} was made before`)
  const orderId = order.id
  const description = productName
  await OrderItems.insert(ctx, { orderId, kind: 'subscription', description, unitPrice: amount, amount })
  await Payments.insert(ctx, { orderId, provider, state: 'pending', amount, currency, idempotencyKey })
  return orderId
}

function addressOf(reader: ReaderRow): PostalAddress {
  const { title, firstName, lastName, companyName, addressOne, addressTwo, addressThree } = reader
  const { city, state, postCode, country } = reader
  return {
    ...{ title, firstName, lastName, companyName, addressOne, addressTwo, addressThree },
    ...{ city, state, postCode, country },
  }
}
