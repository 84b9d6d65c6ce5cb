import { endAgreementOfLatest } from '../agreements/payment-agreements.rows.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { type CreditNoteRow, creditInvoice } from '../invoices/credit-notes.rows.ts'
import { outstanding } from '../invoices/invoice.rules.ts'
import { Invoices } from '../invoices/invoices.rows.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import { cutText } from '../kernel/text-format.ts'
import { enterReversal, enterUndone, orderBalance } from '../ledger/ledger-entries.rows.ts'
import type { RefundResult } from '../ports/payment-gateway.ts'
import { retakePromoUse } from '../promos/promo-uses.ts'
import { reverseTerm } from '../readers/reverse-term.ts'
import { queueWebhooks } from '../webhooks/queue-webhooks.ts'
import { lockReservations } from './lock-reservations.ts'
import { moveOrder, type OrderRow } from './orders.rows.ts'
import { Payments } from './payments.rows.ts'
import { type RefundRow, Refunds } from './refunds.rows.ts'
import { endAgreementAfter } from './return-agreement.ts'
import { reverseOrder } from './reverse-order.ts'
import { retakeCopies } from './take-copies.ts'

const causeOf = ({ id }: { id: number }) => `refund:${id}`

/**
 * Moves a refund to the state its provider reports, in a transaction that holds the order's row. It is entered in the ledger when it is
 * accepted, and reversed there if it fails after that; a repeated, late or concurrent answer changes nothing.
 */
export async function settleRefund(
  ctx: AppContext,
  { order, refundId, result }: { order: OrderRow; refundId: number; result: RefundResult },
): Promise<void> {
  const refund = await Refunds.find(ctx, { id: refundId, orderId: order.id })
  if (!refund) return
  const isAccepted = result.state === 'pending' || result.state === 'succeeded'
  if (refund.acceptedAt === null)
    return isAccepted ? acceptRefund(ctx, order, refund, result) : refuseRefund(ctx, order, refund, result)
  const isOpen = refund.state === 'pending' || refund.state === 'succeeded'
  if (isOpen && !isAccepted) return handleLateFailure(ctx, order, refund, result)
  if (refund.state === 'pending' && result.state === 'succeeded') {
    await Refunds.update(ctx, { id: refund.id }, { state: 'succeeded', endedAt: ctx.now() })
  } else if (isOpen) await Refunds.update(ctx, { id: refund.id }, {})
}

async function acceptRefund(ctx: AppContext, order: OrderRow, refund: RefundRow, result: RefundResult): Promise<void> {
  await lockReservations(ctx, order)
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const hasSucceeded = result.state === 'succeeded'
  await Refunds.update(
    ctx,
    { id: refund.id },
    {
      state: hasSucceeded ? 'succeeded' : 'pending',
      providerReference: result.reference ?? refund.providerReference,
      problem: null,
      acceptedAt: ctx.now(),
      endedAt: hasSucceeded ? ctx.now() : null,
    },
  )
  await enterReversal(ctx, {
    orderId: order.id,
    kind: refund.method === 'credit' ? 'credit' : 'refund',
    cause: causeOf(refund),
    amount: refund.amount,
    today,
    firstMonth: refund.scope === 'months' ? refund.firstMonth : null,
  })
  await recordRefund(ctx, 'refund-accepted', order, refund)
  const payload = { orderId: order.id, refundId: refund.id, reason: 'refund' }
  await queueWebhooks(ctx, order.publicationId, { type: 'order.refunded', readerId: order.readerId, data: payload })
  const { id, amount, reason } = refund
  const note = await creditInvoice(ctx, { id, orderId: order.id, amount, reason, today })
  const balance = await orderBalance(ctx, order.id, today)
  if (balance && balance.net <= 0) await finishFullRefund(ctx, order, refund, note === null)
  else if (refund.scope === 'months' && refund.fromOn) await shortenTerm(ctx, order, refund.fromOn)
  if (note) return finishCreditNote(ctx, order, note)
  if (balance && balance.net <= 0) return
  await enqueueMail(
    ctx,
    'refund-notice',
    { orderId: order.id, refundId: refund.id, to: 'buyer' },
    {
      dedupeKey: `refund-notice:${refund.id}`,
      publisherId: order.publisherId,
    },
  )
}

/** The order has no remaining amount: it is reversed like one that was refunded in full in one step. */
async function finishFullRefund(
  ctx: AppContext,
  order: OrderRow,
  refund: RefundRow,
  isNotified: boolean,
): Promise<void> {
  const refundedOrder = await moveOrder(ctx, order.id, { from: ['paid'], to: 'refunded' })
  if (!refundedOrder) return
  await reverseOrder(ctx, refundedOrder, {
    state: 'refunded',
    reason: refund.reason || (refund.method === 'credit' ? 'The money is kept as credit' : 'The money was refunded'),
    isNotified,
  })
}

/** For an invoice the buyer is sent a credit note, which says what is still due; if nothing is, the order is paid. */
async function finishCreditNote(ctx: AppContext, order: OrderRow, note: CreditNoteRow): Promise<void> {
  const invoice = await Invoices.find(ctx, { id: note.invoiceId })
  if (invoice && outstanding(invoice) === 0)
    await Payments.update(ctx, { orderId: order.id, state: 'invoiced' }, { state: 'paid' })
  const payload = { invoiceId: note.invoiceId, what: 'credit-note', step: note.id } as const
  await enqueueMail(ctx, 'invoice-notice', payload, {
    dedupeKey: `credit-note:${note.id}`,
    publisherId: order.publisherId,
  })
}

/** The subscription ends before the first refunded month, and does not renew. */
async function shortenTerm(ctx: AppContext, order: OrderRow, fromOn: string): Promise<void> {
  await endAgreementOfLatest(ctx, order)
  await endAgreementAfter(ctx, order)
  if (!order.product || !order.readerId || !order.subStartOn || !order.subEndOn) return
  await reverseTerm(ctx, {
    readerId: order.readerId,
    publicationId: order.publicationId,
    orderId: order.id,
    orderNumber: order.orderNumber,
    product: order.product,
    startOn: order.subStartOn,
    endOn: order.subEndOn,
    today: dayOf(ctx.now(), ctx.settings.timeZone),
    reason: 'the unserved months were refunded',
    keptUntil: addDays(fromOn, -1),
  })
}

/** The provider refused it, or never received it and will not: nothing was refunded. */
async function refuseRefund(ctx: AppContext, order: OrderRow, refund: RefundRow, result: RefundResult): Promise<void> {
  if (refund.state !== 'planned') return
  await markFailed(ctx, refund, result)
  await recordRefund(ctx, 'refund-failed', order, refund, result.reason)
}

/**
 * Handles a refund that failed after it was accepted: its entries are reversed from today, and an order that was refunded in full is paid again. The
 * term is unchanged: the buyer was notified that it has ended, and staff see that the money is still to be refunded.
 */
async function handleLateFailure(
  ctx: AppContext,
  order: OrderRow,
  refund: RefundRow,
  result: RefundResult,
): Promise<void> {
  await lockReservations(ctx, order)
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  await markFailed(ctx, refund, result)
  await enterUndone(ctx, { orderId: order.id, kind: 'refund', cause: causeOf(refund), by: 'refund-failed', today })
  if (await moveOrder(ctx, order.id, { from: ['refunded'], to: 'paid', isPaidAgain: true })) {
    await Payments.update(ctx, { orderId: order.id }, { state: 'paid', declineReason: null })
    await retakeCopies(ctx, order.id)
    if (order.promoCodeId) await retakePromoUse(ctx, order.promoCodeId, order)
  }
  await recordRefund(ctx, 'refund-failed', order, refund, result.reason)
  await enqueueMail(
    ctx,
    'refund-notice',
    { orderId: order.id, refundId: refund.id, to: 'publication' },
    {
      dedupeKey: `refund-failed:${refund.id}`,
      publisherId: order.publisherId,
    },
  )
}

async function markFailed(ctx: AppContext, refund: RefundRow, result: RefundResult): Promise<void> {
  await Refunds.update(
    ctx,
    { id: refund.id },
    {
      state: result.state === 'cancelled' ? 'cancelled' : 'failed',
      providerReference: result.reference ?? refund.providerReference,
      problem: cutText(result.reason || 'The provider gave no reason', 300),
      endedAt: ctx.now(),
    },
  )
}

async function recordRefund(
  ctx: AppContext,
  action: 'refund-accepted' | 'refund-failed',
  order: OrderRow,
  { amount, currency, scope, method }: RefundRow,
  reason?: string,
): Promise<void> {
  const facts = { amount, currency, scope, method, ...(reason ? { reason: cutText(reason, 300) } : {}) }
  await recordAudit(ctx, action, { type: 'order', id: order.id, publisherId: order.publisherId }, facts)
}
