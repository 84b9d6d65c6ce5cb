import { renewalDeclined, renewalFailedLate, renewalNotSent, renewalWaits } from '../agreements/settle-renewal.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { notFound } from '../kernel/errors.ts'
import type { OrderState } from '../kernel/order-state.ts'
import { cutText } from '../kernel/text-format.ts'
import { enterReversal } from '../ledger/ledger-entries.rows.ts'
import type { ChargeResult } from '../ports/payment-gateway.ts'
import { releasePromoUse } from '../promos/promo-uses.ts'
import type { ReaderRow } from '../readers/readers.rows.ts'
import { queueWebhooks } from '../webhooks/queue-webhooks.ts'
import { buyerOfOrder, type OrderBuyer } from './buyer-of-order.ts'
import { fulfilOrder } from './fulfil-order.ts'
import { fulfilRenewal } from './fulfil-renewal.ts'
import { lockReservations } from './lock-reservations.ts'
import { lockReaderOfOrder, moveOrder, type OrderRow, Orders } from './orders.rows.ts'
import { markMismatch, markPaidTwice, Payments } from './payments.rows.ts'
import { reverseOrder } from './reverse-order.ts'
import {
  leftOf,
  owedAsCredit,
  settleReportedWhole,
  settleReversal,
  takeBackCredit,
  winBackCharge,
} from './settle-reversal.ts'
import { releaseCopies } from './take-copies.ts'

type PaidResult = Extract<ChargeResult, { money: unknown }>

/**
 * Moves an order to the state its gateway reports. The first caller wins a compare-and-set on its state; a repeated, late or
 * concurrent answer changes nothing. Returns the order's state afterwards. `isRenewal`: the caller knows that it is a renewal, which saves a query.
 */
export async function settleOrder(
  ctx: AppContext,
  { orderId, result, isRenewal = false }: { orderId: number; result: ChargeResult; isRenewal?: boolean },
): Promise<OrderState> {
  if (result.state === 'pending' && !result.needsBuyer) return currentState(ctx, orderId)
  return ctx.db.transaction(async () => {
    const buyer = isRenewal ? undefined : await buyerOfLinked(ctx, orderId, result)
    const locked = await lockReaderOfOrder(ctx, orderId)
    if (result.state === 'pending') await keepOpenForBuyer(ctx, orderId)
    else if (result.state === 'paid' || result.state === 'accepted') {
      if ((await acceptPayment(ctx, orderId, result, { ...locked, buyer })) && !isReversal(result)) return 'paid'
    } else if (result.state === 'failed' || result.state === 'refunded') await handleLostPayment(ctx, orderId, result)
    else await markFailed(ctx, orderId, result)
    return currentState(ctx, orderId)
  })
}

/**
 * The buyer of an order by a renewal link that this payment settles, stored before its reader is locked, as any order does; undefined for other
 * orders, which have no reader yet.
 */
async function buyerOfLinked(ctx: AppContext, orderId: number, result: ChargeResult): Promise<OrderBuyer | undefined> {
  if ((result.state !== 'paid' && result.state !== 'accepted') || isFullyReturned(result)) return undefined
  const order = await Orders.find(ctx, { id: orderId })
  if (!order || order.readerId === null || order.renewalId !== null) return undefined
  if (!payableStates.includes(order.state) || isOtherAmount(order, result)) return undefined
  return buyerOfOrder(ctx, order)
}

const isOtherAmount = ({ amount, currency }: Pick<OrderRow, 'amount' | 'currency'>, { money }: PaidResult) =>
  amount !== money.amount || currency !== money.currency

async function currentState(ctx: AppContext, orderId: number): Promise<OrderState> {
  const [row] = await ctx.db.query<{ state: OrderState }>(`SELECT state FROM orders WHERE id = :orderId`, { orderId })
  if (!row) throw notFound('The order')
  return row.state
}

/**
 * Handles money that was received, or that the bank has promised; returns whether it made the order paid. An amount or currency other than the
 * order's is recorded as a mismatch, and the order is not settled.
 */
async function acceptPayment(
  ctx: AppContext,
  orderId: number,
  result: PaidResult,
  { lockedOrder, ...stored }: Awaited<ReturnType<typeof lockReaderOfOrder>> & { buyer: OrderBuyer | undefined },
): Promise<boolean> {
  // Also where another amount was paid: an order that was held for that is closed once the money is returned.
  if (lockedOrder && !oncePaidStates.includes(lockedOrder.state) && isFullyReturned(result)) {
    await markFailed(ctx, orderId, {
      state: 'declined',
      reference: result.reference,
      reason: 'The money was refunded',
    })
    await recordSecondPayment(ctx, { orderId, publisherId: lockedOrder.publisherId, result })
    return false
  }
  if (lockedOrder && isOtherAmount(lockedOrder, result)) {
    await recordMismatch(ctx, { orderId, publisherId: lockedOrder.publisherId, result })
    return false
  }
  // Money that arrives after the order was abandoned still makes it an order.
  const order = await moveOrder(ctx, orderId, { from: payableStates, to: 'paid' })
  if (order) {
    if (isReversal(result)) await lockReservations(ctx, order)
    await fulfil(ctx, order, result, stored)
  } else if (result.state === 'paid') {
    await Payments.update(ctx, { orderId, state: 'accepted' }, { state: 'paid' })
    // A direct debit has a charge once it is paid; older payments have none stored. The provider's reports refer to it.
    if (result.chargeReference)
      await Payments.update(ctx, { orderId, chargeReference: null }, { chargeReference: result.chargeReference })
  }
  if (result.state === 'paid') {
    if (lockedOrder?.state === 'reversed') await winBackCharge(ctx, orderId, result)
    await settleReversal(ctx, orderId, result)
  }
  // Last: the order's row is locked before its payment's.
  if (lockedOrder) await recordSecondPayment(ctx, { orderId, publisherId: lockedOrder.publisherId, result })
  return order !== undefined
}

/** Applies the effects of a paid order: a placed one or a renewal. */
function fulfil(
  ctx: AppContext,
  order: OrderRow,
  result: PaidResult,
  { reader, buyer }: { reader: ReaderRow | null; buyer: OrderBuyer | undefined },
): Promise<void> {
  const { renewalId } = order
  if (renewalId === null) return fulfilOrder(ctx, order, result, buyer ? { buyer } : {})
  return fulfilRenewal(ctx, { ...order, renewalId }, result, reader)
}

/** A renewal whose bank asks the buyer first stays open. */
async function keepOpenForBuyer(ctx: AppContext, orderId: number): Promise<void> {
  const order = await Orders.find(ctx, { id: orderId, state: 'pending' })
  if (order?.renewalId) await renewalWaits(ctx, { renewalId: order.renewalId, orderId })
}

const payableStates: readonly OrderState[] = ['pending', 'cancelled', 'declined']

const oncePaidStates: readonly OrderState[] = ['paid', 'refunded', 'reversed']

/** Whether the provider reports refunded or disputed money, whatever its outcome. */
function isReversal(result: PaidResult): boolean {
  if (result.state !== 'paid') return false
  const { refunds = [], disputes = [] } = result
  return refunds.length > 0 || disputes.length > 0
}

/** Whether all of the money had been returned before the order was ever marked as paid. */
function isFullyReturned(result: PaidResult): boolean {
  if (result.state !== 'paid') return false
  const { refunds = [], disputes = [], money } = result
  const refunded = refunds.filter(({ state }) => state === 'succeeded' || state === 'pending')
  const sum = refunded.reduce((total, { amount }) => total + amount, 0)
  return disputes.some(({ state }) => state === 'lost') || (refunded.length > 0 && sum >= money.amount)
}

/** The provider took an amount other than the order's: it is recorded once for manual review, and never fulfilled. */
async function recordMismatch(
  ctx: AppContext,
  { orderId, publisherId, result }: { orderId: number; publisherId: number; result: PaidResult },
): Promise<void> {
  if (!(await markMismatch(ctx, orderId, result.reference))) return
  ctx.log.error({ order: orderId, ...result.money }, 'the amount of a payment differs from its order')
  await recordAudit(ctx, 'payment-mismatch', { type: 'order', id: orderId, publisherId }, result.money)
}

/** The order was paid more than once: a payment other than the one that paid it is recorded once, for staff to refund at the provider. */
async function recordSecondPayment(
  ctx: AppContext,
  { orderId, publisherId, result }: { orderId: number; publisherId: number; result: PaidResult },
): Promise<void> {
  const [second] = (result.state === 'paid' && result.duplicates) || []
  if (!second || !(await markPaidTwice(ctx, orderId, second.reference))) return
  const facts = { reference: second.reference, ...second.money }
  ctx.log.error({ order: orderId, ...facts }, 'an order was paid a second time: refund that payment at the provider')
  await recordAudit(ctx, 'payment-twice', { type: 'order', id: orderId, publisherId }, facts)
}

async function handleLostPayment(
  ctx: AppContext,
  orderId: number,
  result: Extract<ChargeResult, { state: 'failed' | 'refunded' }>,
): Promise<void> {
  const { reference, reason } = result
  const decline = result.state === 'failed' ? { code: result.code, isFinal: result.isFinal } : {}
  if (result.state === 'refunded') {
    const paidOrder = await Orders.find(ctx, { id: orderId, state: 'paid' }, { isLocked: true })
    if (paidOrder) return settleReportedWhole(ctx, paidOrder, result)
  }
  const order = result.state === 'failed' && (await moveOrder(ctx, orderId, { from: ['paid'], to: 'reversed' }))
  if (order) {
    await lockReservations(ctx, order)
    await reverseRest(ctx, order)
    await reverseOrder(ctx, order, { state: 'failed', reason })
    if (order.renewalId !== null) {
      const { code = null, isFinal = false } = decline
      await renewalFailedLate(ctx, { renewalId: order.renewalId, orderId }, { code, reason, isFinal })
    }
  } else if (result.state === 'failed' && (await isKeptAsCredit(ctx, orderId))) await loseCredit(ctx, orderId, reason)
  // It failed before it was ever marked as paid.
  else await markFailed(ctx, orderId, { state: 'declined', reference, reason, ...decline })
}

/**
 * Reverses what is left of an order whose payment failed, today. Unused credit is included: there is no money for it. What staff had refunded is
 * already reversed.
 */
async function reverseRest(ctx: AppContext, order: OrderRow): Promise<void> {
  const { id: orderId, publicationId, readerId } = order
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  await takeBackCredit(ctx, { orderId, cause: 'debit-failed', today })
  const amount = await leftOf(ctx, orderId)
  await enterReversal(ctx, { orderId, kind: 'debit-failed', cause: '', amount, today })
  const payload = { orderId, refundId: null, reason: 'debit-failed' }
  await queueWebhooks(ctx, publicationId, { type: 'order.refunded', readerId, data: payload })
}

/** Whether an order was refunded in full and some of that is still owed as credit. */
async function isKeptAsCredit(ctx: AppContext, orderId: number): Promise<boolean> {
  const order = await Orders.find(ctx, { id: orderId, state: 'refunded' }, { isLocked: true })
  return order !== null && (await owedAsCredit(ctx, orderId)) > 0
}

/** The payment of an order failed whose term had already ended because its money was kept as credit: only the credit is left to take back. */
async function loseCredit(ctx: AppContext, orderId: number, reason: string): Promise<void> {
  const order = await moveOrder(ctx, orderId, { from: ['refunded'], to: 'reversed' })
  if (!order) return
  await reverseRest(ctx, order)
  await Payments.update(ctx, { orderId }, { state: 'failed', declineReason: cutText(reason, 300) })
  const subject = { type: 'order', id: orderId, publisherId: order.publisherId } as const
  await recordAudit(ctx, 'order-reversed', subject, { because: 'failed', reason: cutText(reason, 300) })
}

/** Handles a payment that failed or was never made: marks the order, and releases what it had taken. */
async function markFailed(
  ctx: AppContext,
  orderId: number,
  result: Extract<ChargeResult, { state: 'declined' | 'unknown' }>,
): Promise<void> {
  const isDeclined = result.state === 'declined'
  const order = await moveOrder(ctx, orderId, { from: ['pending'], to: isDeclined ? 'declined' : 'cancelled' })
  if (!order) return
  await Payments.update(
    ctx,
    { orderId },
    {
      state: isDeclined ? 'declined' : 'cancelled',
      // A stored reference is not cleared.
      ...(isDeclined && result.reference ? { providerReference: result.reference } : {}),
      declineReason: isDeclined ? cutText(result.reason, 300) : null,
      declineCode: isDeclined ? (result.code ?? null) : null,
    },
  )
  if (order.renewalId !== null) await settleAttempt(ctx, { orderId, renewalId: order.renewalId, result })
  await releasePromoUse(ctx, order.id)
  await releaseCopies(ctx, order.id)
  await recordAudit(ctx, isDeclined ? 'order-declined' : 'order-cancelled', {
    type: 'order',
    id: order.id,
    publisherId: order.publisherId,
  })
}

/** Handles an attempt at a renewal that took no money: it was declined, or cancelled before a charge. */
async function settleAttempt(
  ctx: AppContext,
  {
    orderId,
    renewalId,
    result,
  }: { orderId: number; renewalId: number; result: Extract<ChargeResult, { state: 'declined' | 'unknown' }> },
): Promise<void> {
  if (result.state === 'unknown') return renewalNotSent(ctx, { renewalId, orderId })
  const { code = null, reason, isFinal = false } = result
  await renewalDeclined(ctx, { renewalId, orderId }, { code, reason, isFinal })
}
