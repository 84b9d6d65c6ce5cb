import type { PublisherPlan } from '../pricing/publisher-plans.rules.ts'

/** What the provider billed for a plan. Pence; drafts are excluded. */
export interface PlanInvoice {
  reference: string
  issuedAt: Date
  state: 'open' | 'paid' | 'void' | 'uncollectible'
  /** With VAT where that is charged. Negative: an overpayment, deducted from later charges. */
  total: number
  paidAt: Date | null
  lines: { text: string; amount: number }[]
}

/** The state of a plan at the provider. */
export interface PlanSubscription {
  subscriptionReference: string
  customerReference: string
  /** Null for one that is not ours, such as a price created in the provider’s dashboard. */
  planKey: string | null
  /** `incomplete`: its first payment was never made. */
  state: 'incomplete' | 'active' | 'past-due' | 'ended'
  periodEndsAt: Date
  cancelsAtEnd: boolean
  couponId: string | null
  /** Pence of the next charge, less the credit balance; null if none follows. */
  nextAmount: number | null
  cardLastFour: string | null
  /** Oldest first. */
  invoices: PlanInvoice[]
}

/** A change of plan, calculated and requested as of one point in time. */
export interface PlanChangeRequest {
  subscriptionReference: string
  plan: PublisherPlan
  isTaxed: boolean
  at: Date
}

interface PlanChangePreview {
  /** Pence that are charged immediately; a negative amount is deducted from the next charges. */
  total: number
  /** Pence of the next charge after that. */
  nextAmount: number
}

type Declined = { state: 'declined'; reason: string }

/** A plan that a publisher without a running plan is about to pay for. */
interface PlanStartRequest {
  plan: PublisherPlan
  isTaxed: boolean
  couponId: string | null
  /** The coupon's discount, for a provider that does not know it itself. */
  percentOff: number
  customerReference: string | null
  email: string
  name: string
  /** Where the provider's page sends the browser back to; `{session}` in it is replaced by the session's id. */
  returnUrl: string
  cancelUrl: string
  /** For a provider without a page of its own. */
  cardNumber: string
  idempotencyKey: string
}

interface StartedPlan {
  state: 'done'
  subscriptionReference: string
  customerReference: string
}

/** The operations on a running plan. Those with an idempotency key take effect once, however often the request is repeated. */
export interface PlanLifecycle {
  /** True for the fake: it has no page of its own, so the card is entered on ours, and its clock can be advanced. */
  readonly isDemo: boolean
  /** Null for one that the provider does not know. */
  lookUp(subscriptionReference: string): Promise<PlanSubscription | null>
  /** An invoice of any plan, also one that has ended. Null for one that the provider does not know. */
  lookUpInvoice(reference: string): Promise<PlanInvoice | null>
  previewChange(request: PlanChangeRequest): Promise<PlanChangePreview>
  /** Changes the plan and charges what that costs; a decline changes nothing. */
  change(request: PlanChangeRequest & { idempotencyKey: string }): Promise<{ state: 'done' } | Declined>
  /** Cancels it at the end of the paid time, or undoes that. */
  setCancelling(subscriptionReference: string, isCancelling: boolean): Promise<void>
  /** A page where the publisher enters another card; null if the card is entered on ours. */
  startCardUpdate(request: {
    subscriptionReference: string
    customerReference: string
    returnUrl: string
    cancelUrl: string
    idempotencyKey: string
  }): Promise<{ url: string } | null>
  /**
   * Makes the card entered on that page (or, on our own page, the card with that number) the one to charge. False: no card was entered, or the
   * page was another publisher's.
   */
  finishCardUpdate(request: {
    subscriptionReference: string
    customerReference: string
    session: string
  }): Promise<boolean>
  /** Tries to charge a plan's open amount. */
  payOpenInvoice(subscriptionReference: string): Promise<{ state: 'done' } | Declined>
  start(
    request: PlanStartRequest,
  ): Promise<StartedPlan | Declined | { state: 'redirect'; session: string; url: string }>
  /** The outcome of the provider's page for paying for a plan. */
  findCheckout(session: string): Promise<StartedPlan | { state: 'open'; url: string } | { state: 'expired' }>
  /** Expires such a page, so that it can no longer be paid; a page that was paid stays paid. */
  expireCheckout(session: string): Promise<void>
  /** Only for the fake: advances the clock of one plan by days. */
  advanceDays?(subscriptionReference: string, days: number): Promise<void>
}
