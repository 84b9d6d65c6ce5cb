import { isDeepStrictEqual } from 'node:util'
import { recordAudit } from '../audit/record-audit.ts'
import type { RecognisedBuyer } from '../buyers/recognise-buyer.ts'
import type { AppContext } from '../context.ts'
import { invalid } from '../kernel/errors.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'
import type { OrderChannel } from '../ledger/order-choices.rules.ts'
import { paymentTypes, type StaffProvider } from '../payment-methods/payment-methods.rules.ts'
import { withStoredPostCode } from '../postcodes/post-code.rules.ts'
import { promoMessages } from '../pricing/discount.rules.ts'
import { takePromoUse } from '../promos/promo-uses.ts'
import type { Storefront } from '../storefronts/storefront.rules.ts'
import type { NewSale } from './new-sale.ts'
import type { OrderForm, ShownTotal } from './order-form.input.ts'
import { OrderItems } from './order-items.rows.ts'
import { newOrderNumber } from './order-number.ts'
import { type BuyerDraft, type OrderRow, Orders } from './orders.rows.ts'
import { Payments } from './payments.rows.ts'
import { takeCopies } from './take-copies.ts'

/** The fields of an order form that are stored. */
export type NewOrderForm = Omit<
  OrderForm,
  'urlKey' | 'currency' | keyof ShownTotal | 'replaces' | 'confirmEmail' | 'password' | 'confirmPassword' | 'source'
> &
  Partial<Pick<OrderForm, 'source'>>

type AddressForm = Pick<
  NewOrderForm,
  'title' | 'firstName' | 'lastName' | 'country' | 'billing' | 'shipping' | 'isDeliveredToBilling'
>

/** The additional fields of a staff order. */
export interface StaffOrderFields {
  provider: StaffProvider
  channel: OrderChannel
  takenById: number | null
  note: string
  vatNumber: string
  formHash: string
  draft: Pick<BuyerDraft, 'readerId' | 'startOn'>
}

/** Whether an order has the two addresses, with their names, that a form gives. */
export function hasAddressesOf(order: OrderRow, input: AddressForm): boolean {
  return isDeepStrictEqual([order.billing, order.shipping], [billingOf(input), shippingOf(input)])
}

/** The order with this idempotency key; null if the form was not submitted before. */
export function findByIdempotencyKey(ctx: AppContext, idempotencyKey: string): Promise<OrderRow | null> {
  return Orders.find(ctx, { idempotencyKey })
}

/**
 * Writes the pending order with its items and its payment, and reserves one use of the promo code and the copies, in one transaction, before
 * the buyer is charged. If the same form is submitted twice concurrently, returns the first order.
 */
export async function createPendingOrder(
  ctx: AppContext,
  storefront: Storefront,
  input: NewOrderForm,
  sale: NewSale,
  buyer: RecognisedBuyer,
  staffFields: StaffOrderFields | null = null,
): Promise<OrderRow> {
  const { promo, discount, amount, currency } = sale
  const provider = amount === 0 ? 'free' : (staffFields?.provider ?? input.payment.provider)
  const values = {
    publisherId: storefront.publisher.id,
    publicationId: storefront.id,
    state: 'pending',
    kind: sale.kind,
    idempotencyKey: input.idempotencyKey,
    placedAt: ctx.now(),
    orderedOn: sale.today,
    product: sale.product,
    productName: sale.productName,
    termMonths: sale.termMonths,
    isRecurring: sale.isRecurring,
    isGift: sale.gift !== null,
    gift: sale.gift,
    band: sale.band,
    country: input.country,
    language: input.language ?? null,
    currency,
    productPrice: sale.price,
    discount,
    amount,
    promoCodeId: promo?.id ?? null,
    promoCode: promo?.code ?? '',
    paymentType: paymentTypes[provider],
    ...input.source,
    buyerId: buyer.buyerId,
    ...sale.renews,
    buyerDraft: {
      passwordHash: buyer.passwordHash,
      isUnproven: buyer.isUnproven,
      ...sale.buyerDraft,
      ...staffFields?.draft,
    },
    ...(staffFields
      ? {
          channel: staffFields.channel,
          takenById: staffFields.takenById,
          staffNote: staffFields.note,
          vatNumber: staffFields.vatNumber,
          formHash: staffFields.formHash,
        }
      : {}),
    title: input.title,
    firstName: input.firstName,
    lastName: input.lastName,
    email: input.email,
    mobile: input.mobile,
    billing: billingOf(input),
    shipping: shippingOf(input),
  } as const
  return ctx.db.transaction(async () => {
    const order = await insertOrder(ctx, values)
    if (!order) return requireByIdempotencyKey(ctx, input.idempotencyKey)
    for (const { price, ...item } of sale.items) {
      await OrderItems.insert(ctx, { ...item, orderId: order.id, unitPrice: price })
    }
    const { idempotencyKey } = order
    await Payments.insert(ctx, { orderId: order.id, provider, state: 'pending', amount, currency, idempotencyKey })
    // The reader that staff chose becomes the order's own only when it is paid.
    const readerId = order.readerId ?? (order.isGift ? null : (staffFields?.draft.readerId ?? null))
    if (promo && !(await takePromoUse(ctx, promo.id, { id: order.id, readerId })))
      throw invalid({ promoCode: promoMessages.invalid })
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

/** Inserts with a new order number and retries if the number is taken; null if an order with its key already exists. */
export async function insertOrder(
  ctx: AppContext,
  values: Omit<Parameters<typeof Orders.insertNew>[1], 'orderNumber'>,
): Promise<OrderRow | null> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const order = await Orders.insertNew(ctx, { ...values, orderNumber: newOrderNumber() })
    if (order) return order
    if (await findByIdempotencyKey(ctx, values.idempotencyKey)) return null
  }
  throw new Error('No free order number was found')
}

async function requireByIdempotencyKey(ctx: AppContext, idempotencyKey: string): Promise<OrderRow> {
  const order = await findByIdempotencyKey(ctx, idempotencyKey)
  if (!order) throw new Error('The order with this idempotency key has disappeared')
  return order
}

/** Where the order of a form is delivered, or the billing address if nothing is. */
export function deliveryAddressOf(input: AddressForm): PostalAddress {
  return shippingOf(input) ?? billingOf(input)
}

function billingOf(input: AddressForm): PostalAddress {
  const { title, firstName, lastName, country } = input
  return withStoredPostCode({ title, firstName, lastName, ...input.billing, country })
}

/** The delivery address, or null if it is the same as the billing address. Both are in the country whose prices apply. */
function shippingOf(input: AddressForm): PostalAddress | null {
  if (input.isDeliveredToBilling || !input.shipping) return null
  const { title, firstName, lastName } = input.shipping
  const isNamed = firstName !== '' || lastName !== ''
  const name = isNamed
    ? { title, firstName, lastName }
    : { title: input.title, firstName: input.firstName, lastName: input.lastName }
  return withStoredPostCode({ ...input.shipping, ...name, country: input.country })
}
