import { newPasswordProblem } from '../access/password-policy.ts'
import { hashPassword, passwordMatches } from '../access/passwords.ts'
import { emailKey, type RecognisedBuyer, recogniseBuyer } from '../buyers/recognise-buyer.ts'
import type { AppContext } from '../context.ts'
import { AppError, conflict, invalid, isAppError } from '../kernel/errors.ts'
import type { Currency } from '../kernel/money.ts'
import type { OrderState } from '../kernel/order-state.ts'
import { methodsFor } from '../payment-methods/payment-methods.rules.ts'
import type { PaymentStep } from '../ports/payment-gateway.ts'
import { promoMessages } from '../pricing/discount.rules.ts'
import { releasePromoUse, retakePromoUse } from '../promos/promo-uses.ts'
import { countFromNetwork } from '../rate-limits/rate-limit.ts'
import { getStorefront } from '../storefronts/get-storefront.query.ts'
import { closedMessage, noPaymentsMessage, type Storefront } from '../storefronts/storefront.rules.ts'
import { releaseCopies, takeCopies } from './copies.ts'
import { createPendingOrder, findByIdempotencyKey, hasAddressesOf } from './create-pending-order.ts'
import type { NewSale } from './new-sale.ts'
import { isWallet, type OrderForm } from './order-form.input.ts'
import { confirmationKey } from './order-number.ts'
import { type OrderKind, type OrderRow, Orders } from './orders.rows.ts'
import { cancelPayment, startPayment } from './pay-order.ts'
import { Payments } from './payments.rows.ts'

/** An order that was taken: `paid`, or `pending` while the buyer has a step to take or the bank has not responded. */
export interface PlacedOrder {
  orderId: number
  orderNumber: string
  /** Opens the confirmation page together with the number. */
  key: string
  state: OrderState
  /** What the buyer's browser has to do next for the payment to complete; null for nothing. */
  next: PaymentStep | null
  /** Null for back issues. */
  product: string | null
  productName: string
  amount: number
  currency: Currency
}

/** Fixed by spec 1, section 8. */
export const declinedMessage = 'Sorry your payment has been declined. Please try with another payment method'

const limitPerAddress = { hits: 60, windowSeconds: 15 * 60 }

/** What is ordered, apart from who orders it. */
interface OrderRequest {
  kind: OrderKind
  /** The storefront, if it differs from what every visitor sees. */
  storefront?: Storefront
  /** Returns what is sold and its price; throws for what cannot be bought. */
  price(storefront: Storefront): Promise<NewSale>
  /** Who orders, if that is known without the form's email and password. */
  buyer?: RecognisedBuyer
  /** Throws if this buyer has to confirm the order first. */
  checkBuyer?(storefront: Storefront, buyer: RecognisedBuyer): Promise<void>
  /** Whether an existing order is for the same thing. */
  isSame(order: OrderRow): boolean | Promise<boolean>
}

/**
 * The steps of every order, whatever it buys. First it is stored as pending, then the gateway is called outside any transaction, then its
 * answer is settled. The same form sent again, concurrently or later, finds the same order and makes no second charge; with another way to pay it
 * is a new order, once the open payment is cancelled.
 */
export async function orderOnce(ctx: AppContext, input: OrderForm, request: OrderRequest): Promise<PlacedOrder> {
  const readStorefront = async () =>
    request.storefront ?? (await getStorefront(ctx, { urlKey: input.urlKey, includeClosed: true }))
  let storefront = await readStorefront()
  const existing = await lastOrderOf(ctx, input)
  if (existing) {
    await checkSameForm(existing, storefront, input, request)
    // A closed shop no longer charges buyers: the sweep settles pending payments.
    if (storefront.isClosed) return toPlacedOrder(ctx, existing)
    const state = await replacedState(ctx, existing, input)
    if (state !== 'cancelled') {
      await storeLastPassword(ctx, existing, input)
      await retakeReleased(ctx, existing.id, input)
      const placed = await payPendingOrder(ctx, { ...existing, state: state ?? existing.state }, input)
      // Another tab may have replaced it while its payment began: without the next step nobody can pay it.
      if (placed.next) await ctx.db.transaction(() => lockUnreplaced(ctx, existing.id, input))
      return placed
    }
    // The copies of the replaced order are in stock again.
    storefront = await readStorefront()
  } else if (input.replaces.length > 0 && !storefront.isClosed) {
    const paid = await replaceOpenOrders(ctx, storefront, input, request)
    if (paid) return toPlacedOrder(ctx, paid)
    storefront = await readStorefront()
  }
  if (storefront.isClosed) throw new AppError('gone', closedMessage)
  await countFromNetwork(ctx, 'order', limitPerAddress)
  const sale = await request.price(storefront)
  if (sale.amount > 0) checkPayment(storefront, sale, input)
  const buyer = request.buyer ?? (await recogniseBuyer(ctx, storefront.id, { ...input, isWallet: isWallet(input) }))
  await request.checkBuyer?.(storefront, buyer)
  const order = await ctx.db.transaction(async () => {
    if (existing) await releaseUnpaid(ctx, existing.id)
    const form = { ...input, idempotencyKey: keyAfter(input, existing) }
    return createPendingOrder(ctx, storefront, form, sale, buyer)
  })
  await checkSameForm(order, storefront, input, request)
  return payPendingOrder(ctx, order, input)
}

type FormKey = Pick<OrderForm, 'idempotencyKey'>

/**
 * The key of the order after another of the same form, which was cancelled for another way to pay: it is derived, so that two tabs that choose that
 * concurrently make one order. A form's own key never contains a colon.
 */
function keyAfter({ idempotencyKey }: FormKey, last: { id: number } | null): string {
  return last ? `${idempotencyKey}:${last.id}` : idempotencyKey
}

/** The last order of a form; null where it has none yet. */
async function lastOrderOf(ctx: AppContext, input: FormKey): Promise<OrderRow | null> {
  for (let last: OrderRow | null = null; ; ) {
    const next: OrderRow | null = await findByIdempotencyKey(ctx, keyAfter(input, last))
    if (!next) return last
    last = next
  }
}

/**
 * The state of an order for which the form now names another way to pay. The payment of a pending one is cancelled first, and one that was paid
 * meanwhile stays paid; one that was cancelled already, because its provider refused it, is replaced too. Null where it is paid in the way that the
 * form names, or is over.
 */
async function replacedState(
  ctx: AppContext,
  { id, amount, state }: OrderRow,
  { payment: { provider } }: OrderForm,
): Promise<OrderState | null> {
  const isReplaceable = (state === 'pending' || state === 'cancelled') && amount > 0
  const payment = isReplaceable ? await Payments.find(ctx, { orderId: id }) : null
  if (!payment || payment.provider === provider) return null
  return state === 'pending' ? cancelReplaced(ctx, payment) : state
}

/**
 * Cancels the open orders of a form that was changed and sent with a new key: its new order may need the promo use and the copies that they hold.
 * Returns one that was paid meanwhile, which is the order.
 */
async function replaceOpenOrders(
  ctx: AppContext,
  storefront: Storefront,
  { replaces }: OrderForm,
  { kind }: OrderRequest,
): Promise<OrderRow | null> {
  for (const idempotencyKey of replaces) {
    const order = await lastOrderOf(ctx, { idempotencyKey })
    if (order?.state !== 'pending' || order.publicationId !== storefront.id || order.kind !== kind) continue
    const payment = await Payments.find(ctx, { orderId: order.id })
    try {
      if (payment && (await cancelReplaced(ctx, payment)) === 'paid') return { ...order, state: 'paid' }
    } catch (error) {
      // Its provider is not responding: the order stays open for the sweep. No browser can pay it, because its step was never received.
      if (!isAppError(error) || error.kind !== 'upstream') throw error
    }
  }
  return null
}

/** Cancels the payment of an order that another replaces, and returns the state of the order after that: `paid` where it was paid meanwhile. */
export async function cancelReplaced(
  ctx: AppContext,
  { orderId, providerReference }: { orderId: number; providerReference: string | null },
): Promise<OrderState> {
  try {
    const state = await cancelPayment(ctx, orderId)
    return state === 'declined' ? 'cancelled' : state
  } catch (error) {
    // Its provider is not responding, which may be why another is chosen. It never named a payment, so no browser can pay it, and the sweep cancels it.
    if (isAppError(error) && error.kind === 'upstream' && providerReference === null)
      return releaseReplaced(ctx, orderId)
    throw error
  }
}

/** Releases the promo use and copies of a replaced order that stays open; if it is paid after all, they are taken again. Returns as `cancelReplaced`. */
async function releaseReplaced(ctx: AppContext, orderId: number): Promise<OrderState> {
  return ctx.db.transaction(async () => {
    // Two tabs that replace it concurrently release each copy once.
    const order = await Orders.find(ctx, { id: orderId }, { isLocked: true })
    if (order?.state !== 'pending') return order && order.state !== 'declined' ? order.state : 'cancelled'
    await releasePromoUse(ctx, orderId)
    await releaseCopies(ctx, orderId)
    return 'cancelled'
  })
}

/** Locks the order that another of its form is about to replace, and releases what another tab has taken for it since. Throws where that tab may pay it. */
async function releaseUnpaid(ctx: AppContext, orderId: number): Promise<void> {
  const order = await Orders.find(ctx, { id: orderId }, { isLocked: true })
  if (order?.state === 'cancelled' || order?.state === 'declined') return
  const payment = await Payments.find(ctx, { orderId })
  if (order?.state !== 'pending' || payment?.providerReference) throw sentOtherwise()
  await releasePromoUse(ctx, orderId)
  await releaseCopies(ctx, orderId)
}

/** Locks an order that is continued, and throws where another of its form has replaced it. */
async function lockUnreplaced(ctx: AppContext, id: number, input: FormKey): Promise<OrderRow | null> {
  const order = await Orders.find(ctx, { id }, { isLocked: true })
  if (await findByIdempotencyKey(ctx, keyAfter(input, { id }))) throw sentOtherwise()
  return order
}

/**
 * A form that was reloaded has lost its password, and another one may have been typed: the account of a new buyer gets the last. Once the order is
 * paid, nothing changes.
 */
async function storeLastPassword(
  ctx: AppContext,
  { id, buyerDraft }: OrderRow,
  { password }: OrderForm,
): Promise<void> {
  if (!buyerDraft?.passwordHash || password === '') return
  // Hashing is slow on purpose.
  await countFromNetwork(ctx, 'order-password', limitPerAddress)
  if (await passwordMatches(buyerDraft.passwordHash, password)) return
  const problem = await newPasswordProblem(password, ctx.settings.passwordMinLength)
  if (problem) throw invalid({ password: problem })
  const draft = { ...buyerDraft, passwordHash: await hashPassword(password) }
  await Orders.update(ctx, { id, state: 'pending' }, { buyerDraft: draft })
}

/**
 * Takes again what a pending order released for another that did not come about (`releaseReplaced`). If it has been sold meanwhile, the order is
 * refused, before its payment begins.
 */
async function retakeReleased(ctx: AppContext, orderId: number, input: FormKey): Promise<void> {
  await ctx.db.transaction(async () => {
    const order = await lockUnreplaced(ctx, orderId, input)
    if (order?.state !== 'pending') return
    if (order.promoCodeId !== null && !(await retakePromoUse(ctx, order.promoCodeId, order)))
      throw invalid({ promoCode: promoMessages.invalid })
    if (order.kind === 'back-issues') await takeCopies(ctx, orderId, 'given-back')
  })
}

function checkPayment(storefront: Storefront, sale: NewSale, { payment }: OrderForm): void {
  const methods = methodsFor(storefront.accepts, sale)
  if (methods.length === 0) throw paymentsNotConfigured(storefront)
  if (!methods.includes(payment.provider)) throw invalid({ payment: 'Choose how to pay' })
  if (payment.provider === 'demo' && !payment.details.cardNumber?.trim()) {
    throw invalid({ 'payment.cardNumber': 'Required' })
  }
}

/** Only its sender knows a form's key. Sent again for another storefront, country, email, address or selection, it is not the same order. */
async function checkSameForm(
  order: OrderRow,
  storefront: Storefront,
  input: OrderForm,
  request: OrderRequest,
): Promise<void> {
  const isSame =
    order.publicationId === storefront.id &&
    order.kind === request.kind &&
    order.country === input.country &&
    emailKey(order.email) === emailKey(input.email) &&
    hasAddressesOf(order, input) &&
    (await request.isSame(order))
  if (!isSame) throw sentOtherwise()
}

const sentOtherwise = () =>
  conflict('This form was sent before with other details. Please reload the page and order again.')

/** Starts the payment, unless the order is already settled. */
async function payPendingOrder(ctx: AppContext, order: OrderRow, input: OrderForm): Promise<PlacedOrder> {
  if (order.state !== 'pending') return toPlacedOrder(ctx, order)
  const { state, next } = await startPayment(ctx, order.id, input.payment.details)
  return { ...toPlacedOrder(ctx, { ...order, state }), next }
}

/** The buyer's view of an order. */
export function toPlacedOrder(ctx: AppContext, order: OrderRow): PlacedOrder {
  if (order.state === 'declined') throw new AppError('declined', declinedMessage)
  if (order.state === 'cancelled')
    throw conflict('This order was cancelled and no money was taken. Please order again.')
  return {
    orderId: order.id,
    orderNumber: order.orderNumber,
    key: confirmationKey(ctx.settings.appSecret, order.orderNumber),
    state: order.state,
    next: null,
    product: order.product,
    productName: order.productName,
    amount: order.amount,
    currency: order.currency,
  }
}

/** Error AC74 with the publisher's contact details filled in. */
function paymentsNotConfigured(storefront: Storefront): AppError {
  const message = noPaymentsMessage(storefront.publisher)
  return conflict(message, { fields: { payment: message } })
}
