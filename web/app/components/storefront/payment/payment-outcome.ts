import type { PaymentIntentResult, Stripe, StripeError } from '@stripe/stripe-js'

/** The result of confirming a payment. */
export type Outcome =
  | { kind: 'paid' }
  | { kind: 'declined' }
  /** The buyer can correct the input; `message` is the provider's, in the page's language. */
  | { kind: 'invalid'; message: string | undefined }
  /** The provider could not be reached: the payment may or may not have succeeded. */
  | { kind: 'unknown' }

/** Typing errors, shown to the buyer. Any other code is a decline, whose reason is not passed on: a thief should not learn it. */
const inputErrors = new Set([
  'incorrect_number',
  'invalid_number',
  'invalid_expiry_month',
  'invalid_expiry_year',
  'incorrect_cvc',
  'invalid_cvc',
  'incorrect_zip',
  'bank_account_unusable',
  'account_number_invalid',
  'routing_number_invalid',
])

/** The states of a Stripe payment that needs nothing more from the buyer. */
export const paidStatuses = new Set(['succeeded', 'processing', 'requires_capture'])

/** Interprets the response to a confirmation; without a response it fetches the payment's state from the provider. */
export async function outcomeOf(stripe: Stripe, clientSecret: string, result: PaymentIntentResult): Promise<Outcome> {
  const { error, paymentIntent } = result
  if (!error) return paidStatuses.has(paymentIntent.status) ? { kind: 'paid' } : { kind: 'declined' }
  // Already paid in another tab, or by an earlier click whose response was lost.
  if (error.payment_intent && paidStatuses.has(error.payment_intent.status)) return { kind: 'paid' }
  if (isUnanswered(error)) {
    const { paymentIntent: retrieved } = await stripe.retrievePaymentIntent(clientSecret)
    return retrieved && paidStatuses.has(retrieved.status) ? { kind: 'paid' } : { kind: 'unknown' }
  }
  return isInputError(error) ? { kind: 'invalid', message: error.message } : { kind: 'declined' }
}

/** Whether the provider gave no result: a network failure, a server error or a rate limit. */
export function isUnanswered({ type }: StripeError): boolean {
  return type === 'api_connection_error' || type === 'api_error' || type === 'rate_limit_error'
}

function isInputError(error: StripeError): boolean {
  return error.type === 'validation_error' || (error.code !== undefined && inputErrors.has(error.code))
}
