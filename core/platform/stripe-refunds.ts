import type Stripe from 'stripe'
import type { RefundResult } from '#core/ports/payment-gateway.ts'
import { refundKey, refundOf } from './stripe-charge-result.ts'

/** The refunds of a payment, oldest first. */
export async function refundsAt(stripe: Stripe, paymentIntent: string): Promise<Stripe.Refund[]> {
  const { data } = await stripe.refunds.list({ payment_intent: paymentIntent, limit: 100 })
  return data.toReversed()
}

/** Makes a refund under its key; a refusal by Stripe is `failed`. */
export async function createRefund(
  stripe: Stripe,
  {
    payment,
    amount,
    key,
    metadata,
  }: { payment: string; amount: number; key: string; metadata: Record<string, string> },
): Promise<RefundResult> {
  try {
    const refund = await stripe.refunds.create(
      { payment_intent: payment, amount, metadata: { [refundKey]: key, ...metadata } },
      { idempotencyKey: key },
    )
    return refundOf(refund)
  } catch (error) {
    const { type, message } = error as { type?: unknown; message?: unknown }
    if (type !== 'StripeInvalidRequestError' && type !== 'StripeCardError') throw error
    return { state: 'failed', reference: null, reason: String(message ?? 'Stripe refused the refund') }
  }
}
