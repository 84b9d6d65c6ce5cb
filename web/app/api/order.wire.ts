import { z } from 'zod'
import type { OrderDetails } from '#core/orders/get-order.query.ts'
import type { LedgerRow } from '#core/orders/ledger-rows.ts'
import type { PlacedOrder } from '#core/orders/take-order.ts'
import { products } from '#core/pricing/plan-code.rules.ts'
import { WireStep, wireStep } from './payment.wire.ts'
import { WireAmount, WireCurrency, WireDay, WireId, wireAmount, wireDay } from './wire-values.ts'

/** What every order payload has, and where it goes. The only amount is compared, never charged. */
const anyOrderBody: Record<string, string> = {
  urlKey: 'urlKey',
  country: 'country',
  maincurrency: 'currency',
  purchasePrice: 'total',
  idempotencyKey: 'idempotencyKey',
  title: 'title',
  firstName: 'firstName',
  lastName: 'lastName',
  email: 'email',
  password: 'password',
  mobile: 'mobile',
  billingCompanyName: 'billing.companyName',
  billingAddressOne: 'billing.addressOne',
  billingAddressTwo: 'billing.addressTwo',
  billingAddressThree: 'billing.addressThree',
  billingCity: 'billing.city',
  billingState: 'billing.state',
  billingPostcode: 'billing.postCode',
  deliveryCheckbox: 'isDeliveredToBilling',
  shippingTitle: 'shipping.title',
  shippingFirstName: 'shipping.firstName',
  shippingLastName: 'shipping.lastName',
  shippingCompanyName: 'shipping.companyName',
  shippingAddressOne: 'shipping.addressOne',
  shippingAddressTwo: 'shipping.addressTwo',
  shippingAddressThree: 'shipping.addressThree',
  shippingCity: 'shipping.city',
  shippingPostcode: 'shipping.postCode',
  payment: 'payment.provider',
  cardNumber: 'payment.details.cardNumber',
}

/** One copy of each issue is ordered. */
export const backIssueOrderBody: Record<string, string> = { ...anyOrderBody, backIssues: 'backIssues' }

export const orderBody: Record<string, string> = {
  ...anyOrderBody,
  paymentIntentId: 'paymentReference',
  checkboxSelection: 'plan',
  promoCode: 'promoCode',
  customQuestionAans: 'answers.A',
  customQuestionBans: 'answers.B',
  customQuestionCans: 'answers.C',
  customQuestionDans: 'answers.D',
  customQuestionEans: 'answers.E',
  pubOffers: 'optOuts.pubOffers',
  pubOffersPost: 'optOuts.pubOffersPost',
  pubOffersTel: 'optOuts.pubOffersTel',
  pubOffersSMS: 'optOuts.pubOffersSms',
  partnerOffers: 'optOuts.partnerOffers',
  partnerOffersPost: 'optOuts.partnerOffersPost',
  partnerOffersTel: 'optOuts.partnerOffersTel',
  partnerOffersSMS: 'optOuts.partnerOffersSms',
}

/** The call itself says how it is paid, or the hosted page asks. */
export const orderBodyWithoutPayment: Record<string, string> = Object.fromEntries(
  Object.entries(orderBody).filter(([, field]) => !field.startsWith('payment')),
)

export const WireHostedOrder = z.object({
  orderNumber: z.string(),
  key: z.string().describe('Opens /ordersuccess together with the number'),
  state: z.string().describe('pending while the page waits for the buyer; paid where nothing is to be paid'),
  url: z.string().nullable().describe("Secure Trading's page, to post the fields to; null where nothing is to be paid"),
  fields: z
    .array(z.object({ name: z.string(), value: z.string() }))
    .describe('The form, signed where a site security password is stored; a name may stand more than once'),
})

export function wireHostedOrder({ orderNumber, key, state, next }: PlacedOrder): z.input<typeof WireHostedOrder> {
  const form = next?.kind === 'post' ? next : null
  return { orderNumber, key, state, url: form?.url ?? null, fields: form?.fields ?? [] }
}

export const WirePlacedOrder = z.object({
  orderNumber: z.string(),
  product: z.string().nullable().describe('null for back issues'),
  productName: z.string(),
  amount: WireAmount,
  currency: WireCurrency,
  state: z.string().describe('paid, or pending while the buyer has a step to take or the bank has not answered'),
  key: z.string().describe('Opens /ordersuccess and cancelOrder together with the number'),
  next: WireStep,
})

export function wirePlacedOrder(order: PlacedOrder): z.input<typeof WirePlacedOrder> {
  return { ...order, amount: wireAmount(order.amount), next: wireStep(order.next) }
}

const text = z.string()

/** What the ledger and the order itself both say. */
const ledgerFields = {
  _id: WireId,
  orderNumber: text,
  state: text.describe('paid, or refunded or reversed: nothing is fulfilled and nothing owed of what was taken back'),
  orderDate: WireDay,
  title: text,
  firstName: text,
  lastName: text,
  publication: text,
  subType: z.enum(products).nullable(),
  productName: text,
  paymentType: text,
  amount: WireAmount,
  currency: WireCurrency,
  subStartDate: WireDay.nullable(),
  subEndDate: WireDay.nullable(),
  gift: z.boolean(),
  fulfilled: WireAmount.nullable().describe('The part that was delivered; null for a free order'),
  liability: WireAmount.nullable().describe('The part still owed; null for a free order'),
}

export const WireLedgerRow = z.object(ledgerFields)

export function wireLedgerRow(row: LedgerRow | OrderDetails): z.input<typeof WireLedgerRow> {
  return {
    _id: row.id,
    orderNumber: row.orderNumber,
    state: row.state,
    orderDate: wireDay(row.orderedOn) ?? '',
    title: row.title,
    firstName: row.firstName,
    lastName: row.lastName,
    publication: row.publicationName,
    subType: row.product,
    productName: row.productName,
    paymentType: row.paymentType,
    amount: wireAmount(row.amount),
    currency: row.currency,
    subStartDate: wireDay(row.subStartOn),
    subEndDate: wireDay(row.subEndOn),
    gift: row.isGift,
    fulfilled: row.fulfilled === null ? null : wireAmount(row.fulfilled),
    liability: row.liability === null ? null : wireAmount(row.liability),
  }
}

const WireAddress = z.object({
  title: text,
  firstName: text,
  lastName: text,
  companyName: text,
  addressOne: text,
  addressTwo: text,
  addressThree: text,
  city: text,
  state: text,
  postcode: text,
  country: text,
})

export const WireOrder = z.object({
  ...ledgerFields,
  email: text,
  mobile: text,
  recurring: z.boolean(),
  productPrice: WireAmount,
  discount: WireAmount,
  promoCode: text,
  reader: WireId.nullable(),
  items: z.array(
    z.object({
      description: text,
      quantity: z.int(),
      price: WireAmount,
      postage: WireAmount,
      amount: WireAmount,
      oversold: z.boolean().describe('Paid for when no copy was left'),
    }),
  ),
  billing: WireAddress,
  shipping: WireAddress.nullable().describe('null: the same as billing, or nothing is delivered'),
})

export function wireOrder(order: OrderDetails): z.input<typeof WireOrder> {
  return {
    ...wireLedgerRow(order),
    email: order.email,
    mobile: order.mobile,
    recurring: order.isRecurring,
    productPrice: wireAmount(order.productPrice),
    discount: wireAmount(order.discount),
    promoCode: order.promoCode,
    reader: order.readerId,
    items: order.items.map(({ description, quantity, unitPrice, postage, amount, isOversold }) => ({
      description,
      quantity,
      price: wireAmount(unitPrice),
      postage: wireAmount(postage),
      amount: wireAmount(amount),
      oversold: isOversold,
    })),
    billing: { ...order.billing, postcode: order.billing.postCode },
    shipping: order.shipping && { ...order.shipping, postcode: order.shipping.postCode },
  }
}
