import { renewalDeclined, renewalFailedLate, renewalNotSent, renewalWaits } from '../agreements/settle-renewal.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { notFound } from '../kernel/errors.ts'
import type { OrderState } from '../kernel/order-state.ts'
import { enterReversal } from '../ledger/ledger-entries.rows.ts'
import type { ChargeAnswer } from '../ports/payment-gateway.ts'
import { releasePromoUse } from '../promos/promo-uses.ts'
import type { ReaderRow } from '../readers/readers.rows.ts'
import { queueWebhooks } from '../webhooks/queue-webhooks.ts'
import { releaseCopies } from './copies.ts'
import { fulfilOrder } from './fulfil-order.ts'
import { fulfilRenewal } from './fulfil-renewal.ts'
import { lockReaderOfOrder, moveOrder, type OrderRow, Orders } from './orders.rows.ts'
import { markMismatch, Payments } from './payments.rows.ts'
import { reverseOrder } from './reverse-order.ts'
import { settleReportedWhole, settleReversal } from './settle-reversal.ts'

type Money = Extract<ChargeAnswer, { money: unknown }>

/**
 * Moves an order to the state its gateway reports. The first caller wins a compare-and-set on its state; a repeated, late or
 * concurrent answer changes nothing. Returns the order's state afterwards.
 */
export async function settleOrder(
  ctx: AppContext,
  { orderId, answer }: { orderId: number; answer: ChargeAnswer },
): Promise<OrderState> {
  if (answer.state === 'pending' && !answer.needsBuyer) return currentState(ctx, orderId)
  return ctx.db.transaction(async () => {
    const locked = await lockReaderOfOrder(ctx, orderId)
    if (answer.state === 'pending') await waitForBuyer(ctx, orderId)
    else if (answer.state === 'paid' || answer.state === 'accepted') {
      if ((await acceptPayment(ctx, orderId, answer, locked)) && !isReversal(answer)) return 'paid'
    } else if (answer.state === 'failed' || answer.state === 'refunded') await loseMoney(ctx, orderId, answer)
    else await markFailed(ctx, orderId, answer)
    return currentState(ctx, orderId)
  })
}

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
  answer: Money,
  { lockedOrder, reader }: Awaited<ReturnType<typeof lockReaderOfOrder>>,
): Promise<boolean> {
  if (lockedOrder && (lockedOrder.amount !== answer.money.amount || lockedOrder.currency !== answer.money.currency)) {
    await recordMismatch(ctx, { orderId, publisherId: lockedOrder.publisherId, answer })
    return false
  }
  if (lockedOrder && !wasPaid.includes(lockedOrder.state) && isGone(answer)) {
    await markFailed(ctx, orderId, {
      state: 'declined',
      reference: answer.reference,
      reason: 'The money was refunded',
    })
    return false
  }
  // Money that arrives after the order was abandoned still makes it an order.
  const order = await moveOrder(ctx, orderId, { from: ['pending', 'cancelled', 'declined'], to: 'paid' })
  if (order) await fulfil(ctx, order, answer, reader)
  else if (answer.state === 'paid') {
    await Payments.update(ctx, { orderId, state: 'accepted' }, { state: 'paid' })
    // A direct debit has a charge once it is paid; older payments have none stored. The provider's reports refer to it.
    if (answer.chargeReference)
      await Payments.update(ctx, { orderId, chargeReference: null }, { chargeReference: answer.chargeReference })
  }
  if (answer.state === 'paid') await settleReversal(ctx, orderId, answer)
  return order !== undefined
}

/** Applies the effects of a paid order: a placed one or a renewal. */
function fulfil(ctx: AppContext, order: OrderRow, answer: Money, reader: ReaderRow | null): Promise<void> {
  const { renewalId } = order
  if (renewalId === null) return fulfilOrder(ctx, order, answer)
  return fulfilRenewal(ctx, { ...order, renewalId }, answer, reader)
}

/** A renewal whose bank asks the buyer first stays open. */
async function waitForBuyer(ctx: AppContext, orderId: number): Promise<void> {
  const order = await Orders.find(ctx, { id: orderId, state: 'pending' })
  if (order?.renewalId) await renewalWaits(ctx, { renewalId: order.renewalId, orderId })
}

const wasPaid: readonly OrderState[] = ['paid', 'refunded', 'reversed']

/** Whether the provider reports refunded or disputed money, whatever its outcome. */
function isReversal(answer: Money): boolean {
  if (answer.state !== 'paid') return false
  const { refunds = [], disputes = [] } = answer
  return refunds.length > 0 || disputes.length > 0
}

/** Whether all of the money had been returned before the order was ever marked as paid. */
function isGone(answer: Money): boolean {
  if (answer.state !== 'paid') return false
  const { refunds = [], disputes = [], money } = answer
  const refunded = refunds.filter(({ state }) => state === 'succeeded' || state === 'pending')
  const sum = refunded.reduce((total, { amount }) => total + amount, 0)
  return disputes.some(({ state }) => state === 'lost') || (refunded.length > 0 && sum >= money.amount)
}

/** The provider took an amount other than the order's: it is recorded once for manual review, and never fulfilled. */
async function recordMismatch(
  ctx: AppContext,
  { orderId, publisherId, answer }: { orderId: number; publisherId: number; answer: Money },
): Promise<void> {
  if (!(await markMismatch(ctx, orderId, answer.reference))) return
  ctx.log.error({ order: orderId, ...answer.money }, 'the amount of a payment differs from its order')
  await recordAudit(ctx, 'payment-mismatch', { type: 'order', id: orderId, publisherId }, answer.money)
}

async function loseMoney(
  ctx: AppContext,
  orderId: number,
  answer: Extract<ChargeAnswer, { state: 'failed' | 'refunded' }>,
): Promise<void> {
  const { reference, reason } = answer
  const decline = answer.state === 'failed' ? { code: answer.code, isFinal: answer.isFinal } : {}
  if (answer.state === 'refunded') {
    const paid = await Orders.find(ctx, { id: orderId, state: 'paid' }, { isLocked: true })
    if (paid) return settleReportedWhole(ctx, paid, answer)
  }
  const order = answer.state === 'failed' && (await moveOrder(ctx, orderId, { from: ['paid'], to: 'reversed' }))
  if (order) {
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    await enterReversal(ctx, { orderId, kind: 'debit-failed', cause: '', amount: order.amount, today })
    const payload = { orderId, refundId: null, reason: 'debit-failed' }
    await queueWebhooks(ctx, order.publicationId, { type: 'order.refunded', readerId: order.readerId, data: payload })
    await reverseOrder(ctx, order, { state: 'failed', reason })
    if (order.renewalId !== null) {
      const { code = null, isFinal = false } = decline
      await renewalFailedLate(ctx, { renewalId: order.renewalId, orderId }, { code, reason, isFinal })
    }
  }
  // It failed before it was ever marked as paid.
  else await markFailed(ctx, orderId, { state: 'declined', reference, reason, ...decline })
}

/** Handles a payment that failed or was never made: marks the order, and releases what it had taken. */
async function markFailed(
  ctx: AppContext,
  orderId: number,
  answer: Extract<ChargeAnswer, { state: 'declined' | 'unknown' }>,
): Promise<void> {
  const isDeclined = answer.state === 'declined'
  const order = await moveOrder(ctx, orderId, { from: ['pending'], to: isDeclined ? 'declined' : 'cancelled' })
  if (!order) return
  await Payments.update(
    ctx,
    { orderId },
    {
      state: isDeclined ? 'declined' : 'cancelled',
      // A stored reference is not cleared.
      ...(isDeclined && answer.reference ? { providerReference: answer.reference } : {}),
      declineReason: isDeclined ? answer.reason.slice(0, 300) : null,
      declineCode: isDeclined ? (answer.code ?? null) : null,
    },
  )
  if (order.renewalId !== null) await settleAttempt(ctx, { orderId, renewalId: order.renewalId, answer })
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
    answer,
  }: { orderId: number; renewalId: number; answer: Extract<ChargeAnswer, { state: 'declined' | 'unknown' }> },
): Promise<void> {
  if (answer.state === 'unknown') return renewalNotSent(ctx, { renewalId, orderId })
  const { code = null, reason, isFinal = false } = answer
  await renewalDeclined(ctx, { renewalId, orderId }, { code, reason, isFinal })
}
