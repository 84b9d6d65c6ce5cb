import type Stripe from 'stripe'
import type { RefundResult } from '#core/ports/payment-gateway.ts'
import type { PlanBilling, PlanPayment, StartedSubscription } from '#core/ports/plan-billing.ts'
import { signupMetadataKey } from '#core/ports/plan-billing.ts'
import { refundKey, refundOf } from './stripe-charge-result.ts'
import { callStripe, missingAsNull, openStripe } from './stripe-client.ts'
import { readStripePlanEvent } from './stripe-events.ts'
import { makeStripePlanLifecycle } from './stripe-plan-lifecycle.ts'
import { describePlan, ensureProduct, planItem } from './stripe-plan-product.ts'
import { createRefund, refundsAt } from './stripe-refunds.ts'

interface Options {
  secretKey: string
  publishableKey: string
  /** The secret of the account's webhook endpoint; without one all messages are rejected. */
  webhookSecret?: string | null
  /** Where Stripe's API is; tests and proxies replace it. */
  apiBase: string
}

/**
 * Plans as Stripe subscriptions. Every call that writes has an idempotency key derived from the sign-up's reference, so that a retry after a
 * lost response creates nothing twice.
 */
export function makeStripePlanBilling({ secretKey, publishableKey, webhookSecret, apiBase }: Options): PlanBilling {
  let client: Promise<Stripe> | undefined
  const ready = () => {
    client ??= openStripe(secretKey, apiBase)
    return client
  }

  return {
    takesMoney: true,
    lifecycle: makeStripePlanLifecycle(ready),
    publishableKey,

    findCoupon: (code) =>
      callStripe(async () => {
        const coupon = await (await ready()).coupons.retrieve(code).catch(missingAsNull)
        if (!coupon?.valid || !coupon.percent_off) return null
        const { id, name, percent_off: percentOff, duration } = coupon
        return { id, name: name ?? id, percentOff, isForever: duration === 'forever' }
      }),

    startSubscription: ({ plan, email, name, isTaxed, couponId, idempotencyKey }) =>
      callStripe(async (): Promise<StartedSubscription> => {
        const stripe = await ready()
        const key = (step: string) => ({ idempotencyKey: `signup-${idempotencyKey}-${step}` })
        const metadata = { [signupMetadataKey]: idempotencyKey }
        const product = await ensureProduct(stripe, plan.kind)
        const customer = await stripe.customers.create({ email, name, metadata }, key('customer'))
        const subscription = await stripe.subscriptions.create(
          {
            customer: customer.id,
            description: describePlan(plan, isTaxed),
            items: [planItem(plan, product, isTaxed)],
            ...(couponId ? { discounts: [{ coupon: couponId }] } : {}),
            payment_behavior: 'default_incomplete',
            payment_settings: { save_default_payment_method: 'on_subscription' },
            metadata,
            expand: ['latest_invoice.confirmation_secret', 'latest_invoice.payments'],
          },
          key('subscription'),
        )
        const invoice = subscription.latest_invoice
        if (!invoice || typeof invoice === 'string') throw new Error('Stripe returned no first invoice')
        const started = {
          amount: invoice.amount_due,
          customerReference: customer.id,
          subscriptionReference: subscription.id,
        }
        if (invoice.amount_due === 0) return { ...started, payment: null }
        const intent = invoice.payments?.data.find(({ payment }) => payment.type === 'payment_intent')?.payment
          .payment_intent
        const paymentIntentId = typeof intent === 'string' ? intent : intent?.id
        const clientSecret = invoice.confirmation_secret?.client_secret
        if (!paymentIntentId || !clientSecret) throw new Error('Stripe returned no payment for the first invoice')
        // Stripe passes a subscription's metadata on to its invoices, not to their payments.
        await stripe.paymentIntents.update(paymentIntentId, { metadata }, key('payment'))
        return { ...started, payment: { clientSecret, paymentIntentId } }
      }),

    lookUpPayment: (paymentIntentId) =>
      callStripe(async (): Promise<PlanPayment> => {
        const intent = await (await ready()).paymentIntents.retrieve(paymentIntentId).catch(missingAsNull)
        if (!intent) return { state: 'unknown', amount: 0, currency: 'GBP', metadata: {}, clientSecret: null }
        const { status, amount, amount_received: received, currency, metadata } = intent
        return {
          state: states[status] ?? 'other',
          amount: status === 'succeeded' ? received : amount,
          currency: currency.toUpperCase(),
          metadata,
          clientSecret: intent.client_secret,
        }
      }),

    refundPayment: ({ paymentIntentId, amount, idempotencyKey }) =>
      callStripe(async (): Promise<RefundResult> => {
        const stripe = await ready()
        const refunds = await refundsAt(stripe, paymentIntentId)
        const existing = refunds.find(({ metadata }) => metadata?.[refundKey] === idempotencyKey)
        if (existing) return refundOf(existing)
        // It may have been refunded in Stripe's own dashboard.
        const others = refunds.map(refundOf).filter(({ state }) => state === 'succeeded' || state === 'pending')
        const remaining = others.reduce((sum, refund) => sum - refund.amount, amount)
        const last = others.at(-1)
        if (last && remaining <= 0) return last
        return createRefund(stripe, { payment: paymentIntentId, amount: remaining, key: idempotencyKey, metadata: {} })
      }),

    endSubscription: (subscriptionReference) =>
      callStripe(async () => {
        const stripe = await ready()
        const subscription = await stripe.subscriptions.retrieve(subscriptionReference).catch(missingAsNull)
        if (!subscription || ['canceled', 'incomplete_expired'].includes(subscription.status)) return
        await stripe.subscriptions.cancel(subscriptionReference)
      }),

    readEvent: (message) => readStripePlanEvent(webhookSecret ?? null, message),
  }
}

const states: Record<string, PlanPayment['state']> = {
  succeeded: 'succeeded',
  processing: 'processing',
  requires_payment_method: 'requires-payment-method',
}
