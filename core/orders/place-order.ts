import { countTry } from '../access/rate-limit.ts'
import { emailKey, recogniseBuyer } from '../buyers/recognise-buyer.ts'
import type { AppContext } from '../context.ts'
import { AppError, conflict, invalid, isAppError } from '../kernel/errors.ts'
import type { Currency } from '../kernel/money.ts'
import type { ChargeAnswer } from '../payments/payment-gateway.ts'
import { getStorefront } from '../publications/get-storefront.query.ts'
import { closedMessage, noPaymentsMessage, type Storefront } from '../publications/storefront.rules.ts'
import { useCase } from '../use-case.ts'
import { beginOrder, orderByKey } from './begin-order.ts'
import { confirmationKey } from './order-number.ts'
import type { OrderRow, OrderState } from './order-row.ts'
import { PlaceOrderInput } from './place-order.input.ts'
import { checkAnswers, priceOrder } from './price-order.ts'
import { settleOrder } from './settle-order.ts'

/** An order that was taken: `paid`, or `pending` while the bank has not answered. */
export interface PlacedOrder {
  orderId: number
  orderNumber: string
  /** Opens the confirmation page together with the number. */
  key: string
  state: OrderState
  product: string
  productName: string
  amount: number
  currency: Currency
}

/** The given text of spec 1, section 8. */
const declinedMessage = 'Sorry your payment has been declined. Please try with another payment method'

const perAddress = { hits: 60, windowSeconds: 15 * 60 }

/**
 * Sells a subscription to a visitor. First the order is written as pending, then the gateway is asked outside any transaction, then
 * its answer is settled. The same form sent again, at once or later, finds the same order and charges nothing twice.
 */
export const placeOrder = useCase({
  permission: 'public',
  input: PlaceOrderInput,
  transaction: 'none',
  async run(ctx, input): Promise<PlacedOrder> {
    const storefront = await getStorefront(ctx, { urlKey: input.urlKey, evenClosed: true })
    const before = await orderByKey(ctx, input.idempotencyKey)
    if (before && storefront.isClosed) return asItStands(ctx, sameSender(before, storefront, input))
    if (before) return finishOrder(ctx, sameSender(before, storefront, input), input)
    if (storefront.isClosed) throw new AppError('gone', closedMessage)
    if (ctx.origin.address) await countTry(ctx, `order-from:${ctx.origin.address}`, perAddress)
    checkAnswers(storefront, input.answers)
    const priced = await priceOrder(ctx, storefront, input)
    if (priced.amount > 0 && !storefront.takesDemoPayments) throw paymentsNotConfigured(storefront)
    if (priced.amount > 0 && !input.payment.details.cardNumber?.trim())
      throw invalid({ 'payment.cardNumber': 'Required' })
    const buyer = await recogniseBuyer(ctx, storefront.id, input)
    const order = await beginOrder(ctx, storefront, input, priced, buyer)
    return finishOrder(ctx, sameSender(order, storefront, input), input)
  },
})

/** A form's key is known to its sender alone; with another title or e-mail it is somebody else's. */
function sameSender(order: OrderRow, storefront: Storefront, input: PlaceOrderInput): OrderRow {
  if (order.publication_id !== storefront.id || emailKey(order.email) !== emailKey(input.email)) {
    throw conflict('This form was sent before with other details. Please reload the page and order again.')
  }
  return order
}

/** Asks the gateway, unless it has answered, and settles what it says. */
async function finishOrder(ctx: AppContext, order: OrderRow, input: PlaceOrderInput): Promise<PlacedOrder> {
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
async function askForMoney(ctx: AppContext, order: OrderRow, input: PlaceOrderInput): Promise<ChargeAnswer> {
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
