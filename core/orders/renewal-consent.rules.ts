import { type Day, formatDay } from '../kernel/dates.ts'
import { fillSlots } from '../kernel/phrases.ts'

/** The text that a buyer agreed to by ordering a plan that renews, and its version. */
export interface RenewalConsent {
  text: string
  termsVersion: string
}

/** The day on which the text below was introduced: change both together. */
const renewalTermsVersion = '2026-11-23'

/** The text next to the storefront's order button, in English: the keys of its translations. */
export const renewalTerms = {
  onDay: 'Renews on {day} for {amount}, and again after each term, until you turn it off in your account.',
  afterTerm: 'Renews after each term for {amount}, until you turn it off in your account.',
} as const

/** The text that a buyer agrees to by ordering a plan that renews; without a day if the term follows a running one, as on the page. */
export function renewalConsent(price: string, renewsOn: Day | null): RenewalConsent {
  const text = renewsOn
    ? fillSlots(renewalTerms.onDay, { day: formatDay(renewsOn), amount: price })
    : fillSlots(renewalTerms.afterTerm, { amount: price })
  return { text, termsVersion: renewalTermsVersion }
}
