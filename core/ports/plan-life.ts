import type { PublisherPlan } from '../pricing/publisher-plans.rules.ts'

/** What the provider billed for a plan. Pence; drafts are none. */
export interface PlanInvoice {
  reference: string
  issuedAt: Date
  state: 'open' | 'paid' | 'void' | 'uncollectible'
  /** With VAT where that is charged. Less than nothing: what was paid too much, taken off later charges. */
  total: number
  paidAt: Date | null
  lines: { text: string; amount: number }[]
}

/** How a plan stands at the provider. */
export interface PlanSubscription {
  subscriptionReference: string
  customerReference: string
  /** Null for one that is none of ours, such as a price made by hand. */
  planKey: string | null
  /** `incomplete`: its first payment was never made. */
  state: 'incomplete' | 'active' | 'past-due' | 'ended'
  periodEndsAt: Date
  cancelsAtEnd: boolean
  couponId: string | null
  /** Pence of the next charge, what is in credit taken off; null where none follows. */
  nextAmount: number | null
  cardLastFour: string | null
  /** Oldest first. */
  invoices: PlanInvoice[]
}

/** A change of plan that is worked out, and asked for, as of one moment. */
export interface PlanChangeRequest {
  subscriptionReference: string
  plan: PublisherPlan
  isTaxed: boolean
  at: Date
}

interface PlanChangePreview {
  /** Pence that are charged at once; less than nothing is taken off the next charges. */
  total: number
  /** Pence of the next charge after that. */
  nextAmount: number
}

type Declined = { state: 'declined'; reason: string }

/** A plan that a publisher who has none, or none any more, is about to pay for. */
interface PlanStartRequest {
  plan: PublisherPlan
  isTaxed: boolean
  couponId: string | null
  /** What the coupon takes off, for a provider that does not know it by itself. */
  percentOff: number
  customerReference: string | null
  email: string
  name: string
  /** Where the provider's page sends the browser back to; `{session}` in it becomes the session's name. */
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

/** What becomes of a plan once it runs. Whatever is asked for twice under one key is done once. */
export interface PlanLife {
  /** True for the stand-in: it has no page of its own, so that the card is asked for on ours, and its days can be let pass. */
  readonly isDemo: boolean
  /** Null for one that the provider never heard of. */
  lookUp(subscriptionReference: string): Promise<PlanSubscription | null>
  previewChange(request: PlanChangeRequest): Promise<PlanChangePreview>
  /** Changes the plan and charges what that costs; a decline changes nothing. */
  change(request: PlanChangeRequest & { idempotencyKey: string }): Promise<{ state: 'done' } | Declined>
  /** Cancels it at the end of the paid time, or undoes that. */
  setCancelling(subscriptionReference: string, isCancelling: boolean): Promise<void>
  /** A page where the publisher gives another card; null where the card is asked for on ours. */
  beginCard(request: {
    subscriptionReference: string
    customerReference: string
    returnUrl: string
    cancelUrl: string
    idempotencyKey: string
  }): Promise<{ url: string } | null>
  /** Charges the card of that page (or, on our own, of that number) from now on. False: there is none, or it is somebody else's. */
  finishCard(request: { subscriptionReference: string; customerReference: string; session: string }): Promise<boolean>
  /** Tries to charge what is open of a plan. */
  payOpen(subscriptionReference: string): Promise<{ state: 'done' } | Declined>
  start(request: PlanStartRequest): Promise<StartedPlan | Declined | { state: 'go'; session: string; url: string }>
  /** What became of a page on which a plan was to be paid. */
  findStart(session: string): Promise<StartedPlan | { state: 'open'; url: string } | { state: 'over' }>
  /** Expires such a page, so that it can no longer be paid; a page that was paid stays paid. */
  closeStart(session: string): Promise<void>
  /** Of the stand-in alone: lets days pass for one plan. */
  passDays?(subscriptionReference: string, days: number): Promise<void>
}
