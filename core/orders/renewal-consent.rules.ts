import { type Day, formatDay } from '../kernel/dates.ts'
import { fillSlots } from '../kernel/phrases.ts'

/** The text that a buyer agreed to by ordering a plan that renews, and its version. */
export interface RenewalConsent {
  text: string
  termsVersion: string
}

/** The day on which the text below was introduced: change both together. */
const renewalTermsVersion = '2026-11-29'

/** The text next to the storefront's order button, in English: the key of its translations. */
export const renewalTerms =
  'Renews on {day} for {amount}, and again after each term, until you turn it off in your account.'

/** The text that a buyer agrees to by ordering a plan that renews. */
export function renewalConsent(price: string, renewsOn: Day): RenewalConsent {
  return {
    text: fillSlots(renewalTerms, { day: formatDay(renewsOn), amount: price }),
    termsVersion: renewalTermsVersion,
  }
}
