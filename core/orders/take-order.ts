import { countTry } from '../access/rate-limit.ts'
import { emailKey, recogniseBuyer } from '../buyers/recognise-buyer.ts'
import type { AppContext } from '../context.ts'
import { AppError, conflict, invalid, isAppError } from '../kernel/errors.ts'
import type { Currency } from '../kernel/money.ts'
import type { ChargeAnswer } from '../payments/payment-gateway.ts'
import { getStorefront } from '../publications/get-storefront.query.ts'
import { closedMessage, noPaymentsMessage, type Storefront } from '../publications/storefront.rules.ts'
import { beginOrder, orderByKey } from './begin-order.ts'
import type { NewSale } from './new-sale.ts'
import type { OrderForm } from './order-form.input.ts'
import { confirmationKey } from './order-number.ts'
import type { OrderKind, OrderRow, OrderState } from './order-row.ts'
import { settleOrder } from './settle-order.ts'

/** An order that was taken: `paid`, or `pending` while the bank has not answered. */
export interface PlacedOrder {
  orderId: number
  orderNumber: string
  /** Opens the confirmation page together with the number. */
  key: string
  state: OrderState
  /** Null for back issues. */
  product: string | null
  productName: string
  amount: number
  currency: Currency
}

/** The given text of spec 1, section 8. */
const declinedMessage = 'Sorry your payment has been declined. Please try with another payment method'

const perAddress = { hits: 60, windowSeconds: 15 * 60 }

/**
 * The way of every order, whatever it buys. First it is written as pending, then the gateway is asked outside any transaction, then its
 * answer is settled. The same form sent again, at once or later, finds the same order and charges nothing twice. `price` says what is
 * sold and for how much, and refuses what cannot be had.
 */
export async function takeOrder(
  ctx: AppContext,
  input: OrderForm,
  kind: OrderKind,
  price: (storefront: Storefront) => Promise<NewSale>,
): Promise<PlacedOrder> {
  const storefront = await getStorefront(ctx, { urlKey: input.urlKey, evenClosed: true })
  const sender = (order: OrderRow) => sameSender(order, storefront, input, kind)
  const before = await orderByKey(ctx, input.idempotencyKey)
  if (before && storefront.isClosed) return asItStands(ctx, sender(before))
  if (before) return finishOrder(ctx, sender(before), input)
  if (storefront.isClosed) throw new AppError('gone', closedMessage)
  if (ctx.origin.address) await countTry(ctx, `order-from:${ctx.origin.address}`, perAddress)
  const sale = await price(storefront)
  if (sale.amount > 0 && !storefront.takesDemoPayments) throw paymentsNotConfigured(storefront)
  if (sale.amount > 0 && !input.payment.details.cardNumber?.trim()) throw invalid({ 'payment.cardNumber': 'Required' })
  const buyer = await recogniseBuyer(ctx, storefront.id, input)
  const order = await beginOrder(ctx, storefront, input, sale, buyer)
  return finishOrder(ctx, sender(order), input)
}

/** A form's key is known to its sender alone; with another title, e-mail or kind of order it is somebody else's. */
function sameSender(order: OrderRow, storefront: Storefront, input: OrderForm, kind: OrderKind): OrderRow {
  if (
    order.publication_id !== storefront.id ||
    order.kind !== kind ||
    emailKey(order.email) !== emailKey(input.email)
  ) {
    throw conflict('This form was sent before with other details. Please reload the page and order again.')
  }
  return order
}

/** Asks the gateway, unless it has answered, and settles what it says. */
async function finishOrder(ctx: AppContext, order: OrderRow, input: OrderForm): Promise<PlacedOrder> {
  if (order.state === 'cancelled') throw cancelled()
  let state: OrderState = order.state
  if (state === 'pending') {
    const answer = await askForMoney(ctx, order, input)
    state = await settleOrder(ctx, { orderId: order.id, answer })
  }
  return asItStands(ctx, { ...order, state })
}

/** What the buyer is told. In a closed shop nobody is asked for money any more: the sweep learns what became of a pending payment. */
function asItStands(ctx: AppContext, order: OrderRow): PlacedOrder {
  if (order.state === 'declined') throw new AppError('declined', declinedMessage)
  if (order.state === 'cancelled') throw cancelled()
  return {
    orderId: order.id,
    orderNumber: order.order_number,
    key: confirmationKey(ctx.settings.appSecret, order.order_number),
    state: order.state,
    product: order.product,
    productName: order.product_name,
    amount: order.amount,
    currency: order.currency,
  }
}

/** The gateway's answer. When it cannot be had now the order stays pending, and is asked about again later. */
async function askForMoney(ctx: AppContext, order: OrderRow, input: OrderForm): Promise<ChargeAnswer> {
  const money = { amount: order.amount, currency: order.currency }
  if (order.amount === 0) return { state: 'paid', reference: `free_${order.idempotency_key}`, money }
  const gateway = ctx.payments[input.payment.provider]
  if (!gateway) return { state: 'pending', reference: '' }
  try {
    return await gateway.charge({
      money,
      idempotencyKey: order.idempotency_key,
      publicationId: order.publication_id,
      details: input.payment.details,
    })
  } catch (error) {
    if (isAppError(error) && error.kind === 'invalid') throw error
    ctx.log.warn({ error, order: order.id }, 'the payment gateway did not answer; the order stays pending')
    return { state: 'pending', reference: '' }
  }
}

function cancelled(): AppError {
  return conflict('This order was cancelled and no money was taken. Please order again.')
}

/** Error AC74, with the ways to reach the publisher filled in. */
function paymentsNotConfigured(storefront: Storefront): AppError {
  const message = noPaymentsMessage(storefront.publisher)
  return conflict(message, { fields: { payment: message } })
}
