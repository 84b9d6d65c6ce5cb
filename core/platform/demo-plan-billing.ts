import type { Database } from '#core/database.ts'
import { demoCards, passesLuhn } from '#core/payment-methods/demo-cards.rules.ts'
import { openDemoPlan } from '#core/payment-methods/demo-plans.rows.ts'
import type { Coupon, PlanBilling, PlanPayment } from '#core/ports/plan-billing.ts'
import { signupMetadataKey } from '#core/ports/plan-billing.ts'
import { monthlyTotal } from '#core/pricing/publisher-plans.rules.ts'
import { endDemoPlan, makeDemoPlanLifecycle, newDemoPlanState } from './demo-plan-lifecycle.ts'

const coupons: readonly Coupon[] = [
  { id: 'FREE20', name: 'Autumn offer', percentOff: 20, isForever: true },
  { id: 'SAVE99', name: 'Friends and family', percentOff: 99, isForever: true },
  { id: 'FREE100', name: 'Free Unlimited Use Plan', percentOff: 100, isForever: true },
]

const paymentName = /^demo_pi_(\d+)_([\w-]{43})$/

/**
 * A fake payment provider for plans, so that sign-up can be tried without a provider account. It reports every payment
 * as made, and charges nobody. It stores no payments: a payment's name contains its amount and its sign-up.
 */
export const makeDemoPlanBilling = (db: Database, now: () => Date): PlanBilling => ({
  lifecycle: makeDemoPlanLifecycle(db, now),
  takesMoney: false,
  publishableKey: 'pk_demo',
  checkCard(number) {
    const card = number.replaceAll(/[\s-]/g, '')
    if (card === demoCards.declined || card === demoCards.insufficientFunds) return 'declined'
    return passesLuhn(card) ? 'approved' : 'invalid'
  },
  async findCoupon(code) {
    return coupons.find(({ id }) => id === code.trim().toUpperCase()) ?? null
  },
  async startSubscription({ plan, isTaxed, couponId, idempotencyKey }) {
    const percentOff = coupons.find(({ id }) => id === couponId)?.percentOff ?? 0
    const amount = monthlyTotal(plan, isTaxed ? 'VAT' : 'TAXFREE', percentOff)
    const subscriptionReference = `demo_sub_${idempotencyKey}`
    const customerReference = `demo_cus_${idempotencyKey}`
    const state = newDemoPlanState({ plan, isTaxed, couponId, percentOff }, subscriptionReference, now())
    await openDemoPlan({ db, now }, { subscriptionReference, customerReference, state })
    const paymentIntentId = `demo_pi_${amount}_${idempotencyKey}`
    return {
      amount,
      payment: amount === 0 ? null : { paymentIntentId, clientSecret: `${paymentIntentId}_secret_demo` },
      customerReference,
      subscriptionReference,
    }
  },
  async lookUpPayment(paymentIntentId): Promise<PlanPayment> {
    const [, amount, reference] = paymentName.exec(paymentIntentId) ?? []
    if (!amount || !reference) return { state: 'unknown', amount: 0, currency: 'GBP', metadata: {}, clientSecret: null }
    return {
      state: 'succeeded',
      amount: Number(amount),
      currency: 'GBP',
      metadata: { [signupMetadataKey]: reference },
      clientSecret: `${paymentIntentId}_secret_demo`,
    }
  },
  // Nobody was charged: there is nothing to refund, and nothing that could be refunded twice.
  refundPayment: async ({ idempotencyKey }) => ({
    state: 'succeeded',
    reference: `demo_re_${idempotencyKey}`,
    reason: 'The money was refunded',
  }),
  endSubscription: (subscriptionReference) => endDemoPlan(db, now, subscriptionReference),
  async readEvent() {
    return null
  },
})
