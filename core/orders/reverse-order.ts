import { recordAudit } from '../audit/record-audit.ts'
import { giveBackCopies } from '../back-issues/copies.ts'
import type { AppContext } from '../context.ts'
import { leaveMail } from '../jobs/leave-mail.ts'
import { dayOf } from '../kernel/dates.ts'
import { enterRefund } from '../ledger/ledger-entries.rows.ts'
import { endAgreementOfOrder } from '../payments/end-agreement-of-order.ts'
import type { ChargeAnswer } from '../ports/payment-gateway.ts'
import { giveBackPromoUse } from '../promos/promo-uses.ts'
import { takeBackTerm } from '../readers/take-back-term.ts'
import type { OrderRow } from './order-row.ts'

/**
 * Takes back what a paid order meant, together or not at all: a direct debit failed days later, a bank took its money back, or the
 * publisher gave it back at the provider. The ledger has it under today, the months before stay as they were.
 */
export async function reverseOrder(
  ctx: AppContext,
  order: OrderRow,
  answer: Extract<ChargeAnswer, { state: 'failed' | 'refunded' }>,
): Promise<void> {
  const { id: orderId, publisher_id: publisherId } = order
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const reason = answer.reason.slice(0, 300)
  await ctx.db.run(
    `UPDATE payments SET state = :state, decline_reason = :reason, updated_at = :now WHERE order_id = :orderId`,
    { orderId, state: answer.state, reason, now: ctx.now() },
  )
  await giveBackPromoUse(ctx, orderId)
  // What was refunded may have been posted: copies come back only where nobody paid.
  if (answer.state === 'failed') await giveBackCopies(ctx, orderId)
  await enterRefund(ctx, { orderId, today })
  if (order.product && order.reader_id && order.sub_start_on && order.sub_end_on) {
    await takeBackTerm(ctx, {
      readerId: order.reader_id,
      publicationId: order.publication_id,
      orderId,
      orderNumber: order.order_number,
      product: order.product,
      startOn: order.sub_start_on,
      endOn: order.sub_end_on,
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
