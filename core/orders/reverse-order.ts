import { endAgreementOfLatest } from '../agreements/payment-agreements.rows.ts'
import { isTriedAgain } from '../agreements/settle-renewal.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { dayOf } from '../kernel/calendar.ts'
import { cutText } from '../kernel/text-format.ts'
import { entriesOf } from '../ledger/ledger-entries.rows.ts'
import { releasePromoUse } from '../promos/promo-uses.ts'
import { reverseTerm } from '../readers/reverse-term.ts'
import type { OrderRow } from './orders.rows.ts'
import { Payments } from './payments.rows.ts'
import { returnAgreement } from './return-agreement.ts'
import { releaseCopies } from './take-copies.ts'

/**
 * Reverses the effects of a paid order except its money, atomically: a direct debit failed days later, a bank took the money
 * back, or it was refunded in full. The caller, which knows the cause, has already written the ledger; earlier months are not changed.
 */
export async function reverseOrder(
  ctx: AppContext,
  order: OrderRow,
  reversal: {
    state: 'failed' | 'refunded'
    reason: string
    /** A bank decided for its customer: nothing is retried. */
    isDispute?: boolean
    /** Whether an email about it is sent to the buyer and the publication; a credit note is a separate email. */
    isNotified?: boolean
  },
): Promise<void> {
  const { id: orderId, publisherId } = order
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const reason = cutText(reversal.reason, 300)
  await Payments.update(ctx, { orderId }, { state: reversal.state, declineReason: reason })
  await releasePromoUse(ctx, orderId)
  // Posted copies never return to stock.
  if (order.postedOn === null) await releaseCopies(ctx, orderId)
  if (order.product && order.readerId && order.subStartOn && order.subEndOn) {
    await reverseTerm(ctx, {
      readerId: order.readerId,
      publicationId: order.publicationId,
      orderId,
      orderNumber: order.orderNumber,
      product: order.product,
      startOn: order.subStartOn,
      endOn: order.subEndOn,
      today,
      reason: reversal.state === 'failed' ? 'the payment failed' : 'the money was refunded',
    })
  }
  const failedRenewalId = reversal.state === 'failed' && !reversal.isDispute ? order.renewalId : null
  // The debit of a renewal may be retried.
  if (failedRenewalId === null) await endAgreementOfLatest(ctx, order)
  await returnAgreement(ctx, order)
  // If it is, a separate email tells its reader so.
  const isRetried = failedRenewalId !== null && (await isTriedAgain(ctx, failedRenewalId))
  const recipients = isRetried ? (['publication'] as const) : (['buyer', 'publication'] as const)
  const round = await earlierReversals(ctx, orderId)
  for (const to of reversal.isNotified === false ? [] : recipients) {
    const dedupeKey = `payment-failed:${to}:${orderId}${round === 0 ? '' : `:${round}`}`
    await enqueueMail(ctx, 'payment-failed', { orderId, to, ...(round > 0 && { round }) }, { dedupeKey, publisherId })
  }
  await recordAudit(
    ctx,
    'order-reversed',
    { type: 'order', id: orderId, publisherId },
    { because: reversal.state, reason },
  )
}

/**
 * A number that is higher for each reversal of an order that was paid again, and zero for the first: a dispute was won, or a refund failed. Each reversal
 * is reported.
 */
async function earlierReversals(ctx: AppContext, orderId: number): Promise<number> {
  const entries = await entriesOf(ctx, orderId)
  return entries.filter(({ kind }) => kind === 'dispute-won' || kind === 'refund-failed').length
}
