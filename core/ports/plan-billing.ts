import type { PublisherPlan } from '../pricing/publisher-plans.rules.ts'
import type { RefundAnswer } from './payment-gateway.ts'
import type { PlanLife } from './plan-life.ts'

/** A coupon that can be used now. */
export interface Coupon {
  id: string
  name: string
  percentOff: number
  /** Off every month, not the first ones alone. */
  isForever: boolean
}

interface SubscriptionRequest {
  plan: PublisherPlan
  email: string
  name: string
  isTaxed: boolean
  couponId: string | null
  /** Stable per sign-up, and kept by the provider with the payment: the same key asked twice is one subscription. */
  idempotencyKey: string
}

/** A subscription that starts to run when its first payment is made; one that costs nothing runs at once and has no payment. */
export interface StartedSubscription {
  /** Pence, as the provider will charge them for the first month. */
  amount: number
  payment: { clientSecret: string; paymentIntentId: string } | null
  customerReference: string
  subscriptionReference: string
}

/** The provider's own word on a payment. `unknown`: it never heard of it. */
export interface PlanPayment {
  state: 'succeeded' | 'processing' | 'requires-payment-method' | 'other' | 'unknown'
  amount: number
  /** ISO, upper case. */
  currency: string
  metadata: Record<string, string>
  /** What the provider hands to the browser that pays, and to nobody else. */
  clientSecret: string | null
}

/** The key under which a payment's metadata names its sign-up. */
export const signupMetadataKey = 'signup'

/** A signed message about a plan. Of what it says only what it is about is looked at: the rest is asked for. */
export interface PlanEvent {
  id: string
  /** The provider's word for what happened, such as `payment_intent.succeeded`. */
  type: string
  about: PlanEventSubject
}

/** The provider's ids of what a message is about, as far as it names them. */
export interface PlanEventSubject {
  payment: string | null
  invoice: string | null
  subscription: string | null
  customer: string | null
}

/** How publishers pay for their plan. The installation's own account at a provider, never a publisher's. */
export interface PlanBilling {
  /** False for the stand-in, which charges nobody. */
  readonly takesMoney: boolean
  readonly publishableKey: string
  /** What becomes of a plan after its sign-up. */
  readonly life: PlanLife
  /** Of the stand-in alone: what a test card comes to, before a payment is started with it. */
  checkCard?(number: string): 'approved' | 'declined' | 'invalid'
  /** Null for a code that is unknown, over, or no percentage. */
  findCoupon(code: string): Promise<Coupon | null>
  startSubscription(request: SubscriptionRequest): Promise<StartedSubscription>
  lookUpPayment(paymentIntentId: string): Promise<PlanPayment>
  /**
   * Gives back a payment, or what is left of it after refunds that were made at the provider itself. The same key asked again is the same
   * refund, and tells how it stands by now. What the provider says no to is `failed`; throws `upstream` where nobody knows.
   */
  refundPayment(refund: { paymentIntentId: string; amount: number; idempotencyKey: string }): Promise<RefundAnswer>
  /** Stops a subscription at once; one that has stopped stays so. */
  endSubscription(subscriptionReference: string): Promise<void>
  /** A message that the provider sent of itself; null when its signature is wrong, missing or old. */
  readEvent(message: { body: string; headers: Record<string, string>; now: Date }): Promise<PlanEvent | null>
}
