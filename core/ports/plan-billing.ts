import type { PublisherPlan } from '../pricing/publisher-plans.rules.ts'
import type { RefundResult } from './payment-gateway.ts'
import type { PlanLifecycle } from './plan-lifecycle.ts'

/** A valid coupon. */
export interface Coupon {
  id: string
  name: string
  percentOff: number
  /** Applies to every month, not only the first ones. */
  isForever: boolean
}

interface SubscriptionRequest {
  plan: PublisherPlan
  email: string
  name: string
  isTaxed: boolean
  couponId: string | null
  /** Stable per sign-up, and stored by the provider with the payment: the same key sent twice is one subscription. */
  idempotencyKey: string
}

/** A subscription that starts to run when its first payment is made; a free one runs immediately and has no payment. */
export interface StartedSubscription {
  /** Pence, as the provider will charge them for the first month. */
  amount: number
  payment: { clientSecret: string; paymentIntentId: string } | null
  customerReference: string
  subscriptionReference: string
}

/** A payment's state as the provider reports it. `unknown`: the provider does not know it. */
export interface PlanPayment {
  state: 'succeeded' | 'processing' | 'requires-payment-method' | 'other' | 'unknown'
  amount: number
  /** ISO, upper case. */
  currency: string
  metadata: Record<string, string>
  /** The secret that the provider gives only to the browser that pays. */
  clientSecret: string | null
}

/** The key under which a payment's metadata names its sign-up. */
export const signupMetadataKey = 'signup'

/** A signed message about a plan. Only its subject is read from it: the rest is queried. */
export interface PlanEvent {
  id: string
  /** The provider's event type, such as `payment_intent.succeeded`. */
  type: string
  about: PlanEventSubject
}

/** The provider's ids of what a message is about, if it names them. */
export interface PlanEventSubject {
  payment: string | null
  invoice: string | null
  subscription: string | null
  customer: string | null
}

/** How publishers pay for their plan. The installation's own account at a provider, never a publisher's. */
export interface PlanBilling {
  /** False for the fake, which charges no one. */
  readonly takesMoney: boolean
  readonly publishableKey: string
  /** What happens to a plan after its sign-up. */
  readonly lifecycle: PlanLifecycle
  /** Only for the fake: the result of a test card, before a payment is started with it. */
  checkCard?(number: string): 'approved' | 'declined' | 'invalid'
  /** Null for a code that is unknown, expired, or not a percentage. */
  findCoupon(code: string): Promise<Coupon | null>
  startSubscription(request: SubscriptionRequest): Promise<StartedSubscription>
  lookUpPayment(paymentIntentId: string): Promise<PlanPayment>
  /**
   * Refunds a payment, or the amount that remains after refunds made at the provider itself. Idempotent: the same key sent again
   * returns the refund's current state. A refusal by the provider is `failed`; throws `upstream` if the outcome is unknown.
   */
  refundPayment(refund: { paymentIntentId: string; amount: number; idempotencyKey: string }): Promise<RefundResult>
  /** Stops a subscription immediately. Idempotent. */
  endSubscription(subscriptionReference: string): Promise<void>
  /** Reads a webhook; null if its signature is wrong, missing or too old. */
  readEvent(message: { body: string; headers: Record<string, string>; now: Date }): Promise<PlanEvent | null>
}
