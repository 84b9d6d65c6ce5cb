import type { AppContext } from '../context.ts'
import { failureLevel, isAppError } from '../kernel/errors.ts'
import type { RefundResult } from '../ports/payment-gateway.ts'
import { gatewayPayment } from './gateway-payment.ts'
import { lockReaderOfOrder, Orders } from './orders.rows.ts'
import { type RefundRow, Refunds, refundsOf } from './refunds.rows.ts'
import { settleRefund } from './settle-refund.ts'
import { takeRestOfDisputes } from './settle-reversal.ts'

/**
 * Requests a stored refund at the provider, outside any transaction, and settles it by the answer. On a retry (`isRepeat`) it is first looked up at the
 * provider, then sent with the same idempotency key, so that a lost response never makes a second refund. If the provider does not respond, the refund
 * stays planned for the sweep.
 */
export async function requestRefund(ctx: AppContext, refund: RefundRow, { isRepeat = false } = {}): Promise<void> {
  const { orderId } = refund
  let result: RefundResult
  try {
    const { payment, gateway } = await gatewayPayment(ctx, orderId)
    const recordedRefundIds = (await refundsOf(ctx, orderId)).flatMap(
      ({ providerReference }) => providerReference ?? [],
    )
    result = gateway?.refund
      ? await gateway.refund(payment, {
          idempotencyKey: refund.idempotencyKey,
          reference: refund.providerReference,
          recordedRefundIds,
          isRepeat,
          money: { amount: refund.amount, currency: refund.currency },
          reason: refund.reason,
        })
      : {
          state: 'failed',
          reference: null,
          reason: 'This payment method does not support refunds from here: refund the buyer manually',
        }
  } catch (error) {
    if (isAppError(error) && error.kind !== 'upstream') throw error
    ctx.log[failureLevel(error)](
      { error, refund: refund.id },
      'the provider did not respond to a refund request; it is retried',
    )
    await Refunds.update(ctx, { id: refund.id }, {})
    return
  }
  await ctx.db.transaction(async () => {
    await lockReaderOfOrder(ctx, orderId)
    const order = await Orders.find(ctx, { id: orderId }, { isLocked: true })
    if (!order) return
    await settleRefund(ctx, { order, refundId: refund.id, result })
    await takeRestOfDisputes(ctx, order)
  })
}
