import type { Currency } from '../kernel/money.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'

export type EffortChannel = 'mail' | 'letter'

/**
 * Why an effort goes: a `reminder` says neutrally that the subscription ends, to all who did not stop reminders; an `offer` is marketing, and
 * goes to who bought here and does not refuse offers.
 */
export type EffortKind = 'reminder' | 'offer'

/** What an effort offers instead of what the reader has; all null: the same plan at its price. */
interface EffortOffer {
  offerProduct: Product | null
  offerTermMonths: TermMonths | null
  offerPercent: number | null
  /** Minor units, by currency. */
  offerPrices: Partial<Record<Currency, number>> | null
}

/** One step of a series. */
export interface Effort extends EffortOffer {
  /** Days after the last day that counts; before it where negative. */
  dayOffset: number
  channel: EffortChannel
  subject: string
  body: string
  subjectB: string
  bodyB: string
}

const shippedEffort = (dayOffset: number): Effort => ({
  ...{ dayOffset, channel: 'mail', subject: '', body: '', subjectB: '', bodyB: '' },
  ...{ offerProduct: null, offerTermMonths: null, offerPercent: null, offerPrices: null },
})

/** What a publication follows that has not set up a series of its own. */
export const shippedSeries: readonly Effort[] = [-60, -30, -14, -3, 7, 21].map(shippedEffort)
