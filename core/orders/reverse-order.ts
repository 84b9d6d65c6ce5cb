import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { leaveMail } from '../jobs/leave-mail.ts'
import { dayOf } from '../kernel/dates.ts'
import { enterRefund } from '../ledger/ledger-entries.rows.ts'
import { endAgreementOfOrder } from '../payments/payment-agreements.rows.ts'
import type { ChargeAnswer } from '../ports/payment-gateway.ts'
import { giveBackPromoUse } from '../promos/promo-uses.ts'
import { takeBackTerm } from '../readers/take-back-term.ts'
import { giveBackCopies } from './copies.ts'
import type { OrderRow } from './orders.rows.ts'
import { Payments } from './payments.rows.ts'

/**
 * Takes back what a paid order meant, together or not at all: a direct debit failed days later, a bank took its money back, or the
 * publisher gave it back at the provider. The ledger has it under today, the months before stay as they were.
 */
export async function reverseOrder(
  ctx: AppContext,
  order: OrderRow,
  answer: Extract<ChargeAnswer, { state: 'failed' | 'refunded' }>,
): Promise<void> {
  const { id: orderId, publisherId } = order
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const reason = answer.reason.slice(0, 300)
  await Payments.update(ctx, { orderId }, { state: answer.state, declineReason: reason })
  await giveBackPromoUse(ctx, orderId)
  // What was refunded may have been posted: copies come back only where nobody paid.
  if (answer.state === 'failed') await giveBackCopies(ctx, orderId)
  await enterRefund(ctx, { orderId, today })
  if (order.product && order.readerId && order.subStartOn && order.subEndOn) {
    await takeBackTerm(ctx, {
      readerId: order.readerId,
      publicationId: order.publicationId,
      orderId,
      orderNumber: order.orderNumber,
      product: order.product,
      startOn: order.subStartOn,
      endOn: order.subEndOn,
      today,
      reason: answer.state === 'failed' ? 'the payment failed' : 'the money was given back',
    })
  }
  await endAgreementOfOrder(ctx, orderId)
  for (const to of ['buyer', 'publication'] as const) {
    const dedupeKey = `payment-failed:${to}:${orderId}`
    await leaveMail(ctx, 'payment-failed', { orderId, to }, { dedupeKey, publisherId })
  }
  await recordAudit(
    ctx,
    'order-reversed',
    { type: 'order', id: orderId, publisherId },
    { because: answer.state, reason },
  )
}
