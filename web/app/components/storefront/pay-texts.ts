import type { PaidProvider } from '#core/payment-methods/payment-methods.rules.ts'
import { phrase } from '../../i18n/phrase.ts'

/** The pay button's label. It names the method when payment continues outside this page's card fields. */
export const payTexts: Record<PaidProvider, string> = {
  'stripe-card': phrase('Pay {amount}'),
  'stripe-bacs': phrase('Pay {amount} by direct debit'),
  paypal: phrase('Pay {amount} with PayPal'),
  'secure-trading': phrase('Pay {amount} by card'),
  demo: phrase('Pay {amount}'),
}
