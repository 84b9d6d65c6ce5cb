import { newPasswordProblem } from '../access/password-policy.ts'
import { hashPassword, passwordMatches } from '../access/passwords.ts'
import { emailKey, type RecognisedBuyer, recogniseBuyer } from '../buyers/recognise-buyer.ts'
import type { AppContext } from '../context.ts'
import { AppError, conflict, invalid, isAppError, notFound } from '../kernel/errors.ts'
import type { Currency } from '../kernel/money.ts'
import type { OrderState } from '../kernel/order-state.ts'
import { paymentDeclinedMessage } from '../payment-methods/declined-message.rules.ts'
import { methodsFor } from '../payment-methods/payment-methods.rules.ts'
import type { PaymentStep } from '../ports/payment-gateway.ts'
import { promoMessages } from '../pricing/discount.rules.ts'
import { releasePromoUse, retakePromoUse } from '../promos/promo-uses.ts'
import { countFromNetwork } from '../rate-limits/rate-limit.ts'
import { getStorefront } from '../storefronts/get-storefront.query.ts'
import { closedMessage, noPaymentsMessage, type Storefront } from '../storefronts/storefront.rules.ts'
import { createPendingOrder, findByIdempotencyKey, hasAddressesOf } from './create-pending-order.ts'
import type { NewSale } from './new-sale.ts'
import { isWallet, type OrderForm, orderKeyTexts } from './order-form.input.ts'
import { confirmationKey } from './order-number.ts'
import { lockedOrders, type OrderKind, type OrderRow, Orders } from './orders.rows.ts'
import { cancelPayment, startPayment } from './pay-order.ts'
import { Payments } from './payments.rows.ts'
import { releaseCopies, takeCopies } from './take-copies.ts'

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

const limitPerAddress = { hits: 60, windowSeconds: 15 * 60 }

/** What is ordered, and how its buyer is checked. */
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
  /** An open order that this one replaces, whose payment is cancelled. */
  replaces?: number | null
}

/**
 * The steps of every order, whatever it buys. First it is stored as pending, then the gateway is called outside any transaction, then its
 * answer is settled. The same form sent again, concurrently or later, finds the same order and makes no second charge; with another payment method it
 * is a new order, once the open payment is cancelled.
 */
export async function orderOnce(ctx: AppContext, input: OrderForm, request: OrderRequest): Promise<PlacedOrder> {
  const readStorefront = async () =>
    request.storefront ?? (await getStorefront(ctx, { urlKey: input.urlKey, includeClosed: true }))
  let storefront = await readStorefront()
  const existing = await lastOrderOf(ctx, input)
  const replaced = request.replaces ? [request.replaces] : []
  if (existing) {
    await checkSameForm(existing, storefront, input, request)
    // A closed shop no longer charges buyers: the sweep settles pending payments.
    if (storefront.isClosed) return toPlacedOrder(ctx, existing)
    // Replaced by an order with another key: of a changed form, or by the link of its record.
    if (existing.replacedBy !== null) throw paidElsewhereError()
    const state = await replacedState(ctx, existing, input)
    if (state !== 'cancelled') {
      await storeLastPassword(ctx, existing, input)
      return payPendingOrder(ctx, await retakeReleased(ctx, existing.id), input)
    }
    replaced.push(existing.id)
    // The copies of the replaced order are in stock again.
    storefront = await readStorefront()
  } else if (input.replaces.length > 0 && !storefront.isClosed) {
    const cancelled = await cancelOpenOrders(ctx, storefront, input, request)
    if (cancelled.paid) return toPlacedOrder(ctx, cancelled.paid)
    replaced.push(...cancelled.ids)
    storefront = await readStorefront()
  }
  if (storefront.isClosed) throw new AppError('gone', closedMessage)
  await countFromNetwork(ctx, 'order', limitPerAddress)
  const sale = await request.price(storefront)
  if (sale.amount > 0) checkPayment(storefront, sale, input)
  const buyer = request.buyer ?? (await recogniseBuyer(ctx, storefront.id, { ...input, isWallet: isWallet(input) }))
  await request.checkBuyer?.(storefront, buyer)
  const { order, isPaidAlready } = await ctx.db.transaction(async () => {
    const paid = await releaseUnpaid(ctx, replaced)
    if (paid) return { order: paid, isPaidAlready: true }
    const form = { ...input, idempotencyKey: keyAfter(input, existing) }
    const created = await createPendingOrder(ctx, storefront, form, sale, buyer)
    for (const id of replaced) await Orders.update(ctx, { id }, { replacedBy: created.id })
    return { order: created, isPaidAlready: false }
  })
  if (isPaidAlready) return toPlacedOrder(ctx, order)
  await checkSameForm(order, storefront, input, request)
  return payPendingOrder(ctx, order, input)
}

type FormKey = Pick<OrderForm, 'idempotencyKey'>

/**
 * The key of a form's next order, after the last one was cancelled for another payment method. It is derived, so that two tabs that switch concurrently
 * make one order. A form's own key never contains a colon.
 */
function keyAfter({ idempotencyKey }: FormKey, last: { id: number } | null): string {
  return last ? `${idempotencyKey}:${last.id}` : idempotencyKey
}

/** The last order of a form; null if it has none yet. */
async function lastOrderOf(ctx: AppContext, input: FormKey): Promise<OrderRow | null> {
  for (let last: OrderRow | null = null; ; ) {
    const next: OrderRow | null = await findByIdempotencyKey(ctx, keyAfter(input, last))
    if (!next) return last
    last = next
  }
}

/**
 * The state of an order whose form now names another payment method. A pending payment is cancelled first; if it was paid meanwhile, it stays paid. An
 * order that was already cancelled, because its provider refused it, is replaced too. Null if the form names the same method, or the order has ended.
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
 * Cancels the payments of the open orders of a form that was changed and sent with a new key: its new order may need the promo use and the copies that
 * they hold. Returns their ids; or `paid`, an order that was paid meanwhile, which is then the form's order.
 */
async function cancelOpenOrders(
  ctx: AppContext,
  storefront: Storefront,
  { replaces }: OrderForm,
  { kind }: OrderRequest,
): Promise<{ ids: number[]; paid?: OrderRow }> {
  const ids: number[] = []
  for (const idempotencyKey of replaces) {
    const order = await lastOrderOf(ctx, { idempotencyKey })
    if (order?.state !== 'pending' || order.publicationId !== storefront.id || order.kind !== kind) continue
    const payment = await Payments.find(ctx, { orderId: order.id })
    try {
      if (payment && (await cancelReplaced(ctx, payment)) === 'paid') return { ids, paid: { ...order, state: 'paid' } }
      ids.push(order.id)
    } catch (error) {
      // Its provider is not responding: the order stays open for the sweep. No browser can pay it, because its step was never received.
      if (!isAppError(error) || error.kind !== 'upstream') throw error
    }
  }
  return { ids }
}

/** Cancels the payment of an order that another replaces, and returns the order's state after that: `paid` if it was paid meanwhile. */
export async function cancelReplaced(
  ctx: AppContext,
  { orderId, providerReference }: { orderId: number; providerReference: string | null },
): Promise<OrderState> {
  try {
    const state = await cancelPayment(ctx, orderId)
    return state === 'declined' ? 'cancelled' : state
  } catch (error) {
    // Its provider is not responding, which may be why another is chosen. It has returned no payment id, so no browser
    // can pay it, and the sweep cancels it.
    if (isAppError(error) && error.kind === 'upstream' && providerReference === null)
      return releaseReplaced(ctx, orderId)
    throw error
  }
}

/**
 * Releases the promo use and copies of a replaced order that stays open; if it is paid after all, they are taken again.
 * Returns what `cancelReplaced` returns.
 */
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

/**
 * Locks the orders that a new one is about to replace, and releases what another tab has reserved for them since. Returns an order that was paid
 * meanwhile: it takes the place of the new one. Throws if that tab can still pay one.
 */
async function releaseUnpaid(ctx: AppContext, ids: readonly number[]): Promise<OrderRow | null> {
  if (ids.length === 0) return null
  for (const order of await lockedOrders(ctx, { ids })) {
    if (order.state === 'cancelled' || order.state === 'declined') continue
    if (order.state !== 'pending') return order
    const payment = await Payments.find(ctx, { orderId: order.id })
    if (payment?.providerReference) throw paidElsewhereError()
    await releasePromoUse(ctx, order.id)
    await releaseCopies(ctx, order.id)
  }
  return null
}

/** Locks an order that is continued, and throws if another has replaced it. */
async function lockUnreplaced(ctx: AppContext, id: number): Promise<OrderRow> {
  const order = await Orders.find(ctx, { id }, { isLocked: true })
  if (!order) throw notFound('The order')
  if (order.replacedBy !== null) throw paidElsewhereError()
  return order
}

/**
 * Stores the password that was typed last for the account of a new buyer: a reloaded form has lost the first one. Once the order is paid, nothing
 * changes.
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
 * Takes again the promo use and the copies that a pending order released for a replacement that was never placed (`releaseReplaced`). If they have been
 * sold meanwhile, the order is refused before its payment begins. Returns the current order.
 */
async function retakeReleased(ctx: AppContext, orderId: number): Promise<OrderRow> {
  return ctx.db.transaction(async () => {
    const order = await lockUnreplaced(ctx, orderId)
    if (order.state !== 'pending') return order
    if (order.promoCodeId !== null && !(await retakePromoUse(ctx, order.promoCodeId, order)))
      throw invalid({ promoCode: promoMessages.invalid })
    if (order.kind === 'back-issues') await takeCopies(ctx, orderId, 'given-back')
    return order
  })
}

function checkPayment(storefront: Storefront, sale: NewSale, { payment }: OrderForm): void {
  const methods = methodsFor(storefront.accepts, sale)
  if (methods.length === 0) throw paymentsNotConfigured(storefront)
  if (!methods.includes(payment.provider)) throw invalid({ payment: 'Choose how to pay' })
  if (payment.provider === 'demo' && !payment.details.cardNumber?.trim()) {
    throw invalid({ 'payment.details.cardNumber': 'Required' })
  }
}

/** Throws if a form's key is sent again for another storefront, country, email, address or selection. Only the sender of a form knows its key. */
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
  if (!isSame) throw differentFormError()
}

const differentFormError = () => conflict(orderKeyTexts.used)

/** Another tab may pay it, or the order that replaced it: ordering again at once could mean paying twice. */
const paidElsewhereError = () =>
  conflict('This order is being paid in another window. Finish it there, or check your email before you order again.')

/** Starts the payment, unless the order is already settled. */
async function payPendingOrder(ctx: AppContext, order: OrderRow, input: OrderForm): Promise<PlacedOrder> {
  if (order.state !== 'pending') return toPlacedOrder(ctx, order)
  const { state, next } = await startPayment(ctx, order.id, input.payment.details)
  if (!next) return toPlacedOrder(ctx, { ...order, state })
  // Another tab may have replaced or settled it while its payment began: without the next step nobody can pay it.
  const current = await ctx.db.transaction(() => lockUnreplaced(ctx, order.id))
  if (current.state === 'cancelled') throw paidElsewhereError()
  return { ...toPlacedOrder(ctx, current), next: current.state === 'pending' ? next : null }
}

/** The buyer's view of an order. */
export function toPlacedOrder(ctx: AppContext, order: OrderRow): PlacedOrder {
  if (order.state === 'declined') throw new AppError('declined', paymentDeclinedMessage)
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
