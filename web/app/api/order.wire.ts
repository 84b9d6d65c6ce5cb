import { z } from 'zod'
import { formatDay } from '#core/kernel/dates.ts'
import {
  type LedgerColumn,
  type LedgerColumnRow,
  type LedgerKind,
  type LedgerValues,
  ledgerColumns,
} from '#core/ledger/ledger-columns.rules.ts'
import type { LedgerRow } from '#core/ledger/ledger-rows.ts'
import type { OrderToPost } from '#core/orders/copies-to-post.query.ts'
import type { OrderDetails } from '#core/orders/get-order.query.ts'
import type { PlacedOrder } from '#core/orders/order-once.ts'
import type { RefundView } from '#core/orders/refund-view.ts'
import { products } from '#core/pricing/plan-code.rules.ts'
import { WireStep, wireStep } from './payment.wire.ts'
import { WireAmount, WireCurrency, WireDay, WireId, wireAmount, wireDay } from './wire-values.ts'

/** The fields of every order payload and the fields they fill. The price is only compared with the server's, never charged. */
const anyOrderBody: Record<string, string> = {
  urlKey: 'urlKey',
  country: 'country',
  language: 'language',
  maincurrency: 'currency',
  purchasePrice: 'total',
  discountPercent: 'discountPercent',
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
  shippingState: 'shipping.state',
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
  gift: 'isGift',
  giftEmail: 'giftEmail',
  giftMessage: 'giftMessage',
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

/** For calls that determine the payment method themselves, or whose hosted page asks for it. */
export const orderBodyWithoutPayment: Record<string, string> = Object.fromEntries(
  Object.entries(orderBody).filter(([, field]) => !field.startsWith('payment')),
)

/** The specification sends its amount in minor units. */
export const paymentIntentBody: Record<string, string> = { ...orderBodyWithoutPayment, amount: 'minorTotal' }

export const WireHostedOrder = z.object({
  orderNumber: z.string(),
  key: z.string().describe('Opens /ordersuccess together with the number'),
  state: z.string().describe('pending while the page waits for the buyer; paid if nothing is due'),
  url: z.string().nullable().describe("Secure Trading's page, to post the fields to; null if nothing is due"),
  fields: z
    .array(z.object({ name: z.string(), value: z.string() }))
    .describe('The form, signed where a site security password is stored; a name may occur more than once'),
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
  state: z.string().describe('paid, or pending while the buyer has a step to take or the bank has not responded'),
  key: z.string().describe('Opens /ordersuccess and cancelOrder together with the number'),
  next: WireStep,
})

export function wirePlacedOrder(order: PlacedOrder): z.input<typeof WirePlacedOrder> {
  return { ...order, amount: wireAmount(order.amount), next: wireStep(order.next) }
}

const text = z.string()

/** The schema of each kind of column in a response. */
const schemas = {
  text,
  day: WireDay,
  dayOrNone: WireDay.nullable(),
  money: WireAmount,
  earned: WireAmount.nullable(),
  currency: WireCurrency,
  yesNo: z.boolean(),
} as const satisfies Record<LedgerKind, z.ZodType>

type WireName<Column extends LedgerColumnRow> = Column extends { wire: infer Name extends string }
  ? Name
  : Column['name']
type ColumnSchemas = { [Column in LedgerColumnRow as WireName<Column>]: (typeof schemas)[Column['kind']] }
type WireColumns = { [Name in keyof ColumnSchemas]: z.input<ColumnSchemas[Name]> }

const columns: readonly LedgerColumn[] = ledgerColumns
const namedColumns = ledgerColumns.map(({ name, kind }, index) => ({
  name,
  kind,
  wireName: columns[index]?.wire ?? name,
}))
const columnSchemas = Object.fromEntries(
  columns.map(({ name, kind, wire, about }) => [wire ?? name, about ? schemas[kind].describe(about) : schemas[kind]]),
) as ColumnSchemas

/** Columns that both the ledger and the order itself have. */
const ledgerFields = {
  _id: WireId,
  state: text.describe('paid, refunded or reversed; nothing of what was refunded or reversed is fulfilled or owed'),
  subType: z.enum(products).nullable(),
  ...columnSchemas,
}

export const WireLedgerRow = z.object(ledgerFields)

export function wireLedgerRow(row: LedgerRow | OrderDetails): z.input<typeof WireLedgerRow> {
  return { _id: row.id, state: row.state, subType: row.product, ...wireColumns(row) }
}

function wireColumns(row: LedgerValues): WireColumns {
  return Object.fromEntries(
    namedColumns.map(({ name, kind, wireName }) => {
      const value = row[name]
      if (value === null) return [wireName, null]
      if (kind === 'money' || kind === 'earned') return [wireName, wireAmount(Number(value))]
      return [wireName, kind === 'day' || kind === 'dayOrNone' ? wireDay(String(value)) : value]
    }),
  ) as WireColumns
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

export const WireRefund = z.object({
  _id: WireId,
  state: text.describe('planned until the provider has responded, pending, succeeded, failed or cancelled'),
  scope: text.describe('whole, months or amount'),
  amount: WireAmount,
  currency: WireCurrency,
  months: z.int().nullable().describe('How many unserved months it covers; null if it is not a refund of months'),
  from: WireDay.nullable(),
  until: WireDay.nullable(),
  reason: text,
  method: text.describe(
    'provider, hand, credit: kept for a later order, or reported: made at the provider, which reported it',
  ),
  problem: text.describe('Why it failed; empty where it did not'),
})

export function wireRefund(refund: RefundView): z.input<typeof WireRefund> {
  const { id, state, scope, amount, currency, monthCount, fromOn, untilOn, reason, method, problem } = refund
  return {
    _id: id,
    state,
    scope,
    amount: wireAmount(amount),
    currency,
    months: monthCount,
    reason,
    method,
    from: fromOn && wireDay(fromOn),
    until: untilOn && wireDay(untilOn),
    problem: problem ?? '',
  }
}

export const WireOrderToPost = z.object({
  _id: WireId,
  orderNumber: text,
  orderedOn: WireDay,
  publicationName: text,
  email: text,
  address: WireAddress,
  copies: z.array(z.object({ description: text, quantity: z.int(), oversold: z.boolean() })),
})

export function wireOrderToPost(order: OrderToPost): z.input<typeof WireOrderToPost> {
  const { id, orderNumber, orderedOn, publicationName, email, address, copies } = order
  return {
    _id: id,
    orderNumber,
    orderedOn: formatDay(orderedOn),
    publicationName,
    email,
    address: { ...address, postcode: address.postCode },
    copies: copies.map(({ isOversold, ...copy }) => ({ ...copy, oversold: isOversold })),
  }
}

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
  postedOn: WireDay.nullable().describe(
    'When the copies of back issues were posted; null if they are still to be posted, or there are none',
  ),
  refunds: z.array(WireRefund).describe('Refunds that were made or requested, oldest first'),
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
    postedOn: wireDay(order.postedOn),
    refunds: order.refunds.map(wireRefund),
    billing: { ...order.billing, postcode: order.billing.postCode },
    shipping: order.shipping && { ...order.shipping, postcode: order.shipping.postCode },
  }
}
