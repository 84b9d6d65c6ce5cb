import type { PaymentIntentResult, Stripe, StripeError } from '@stripe/stripe-js'

/** What a confirmation came to. */
export type Outcome =
  | { kind: 'paid' }
  | { kind: 'declined' }
  /** Something in the fields is to be mended; `message` is the provider's, in the language of the page. */
  | { kind: 'mend'; message: string | undefined }
  /** Nobody can say: the provider could not be reached. */
  | { kind: 'unsure' }

/** Slips of the hand. Every other word of a bank is between it and its customer. */
const slips = new Set([
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

const done = new Set(['succeeded', 'processing', 'requires_capture'])

/** Reads the answer of a confirmation; where there was none, the payment is looked at again. */
export async function outcomeOf(stripe: Stripe, clientSecret: string, result: PaymentIntentResult): Promise<Outcome> {
  const { error, paymentIntent } = result
  if (!error) return done.has(paymentIntent.status) ? { kind: 'paid' } : { kind: 'declined' }
  // Paid in another tab, or by an earlier press whose answer was lost.
  if (error.payment_intent && done.has(error.payment_intent.status)) return { kind: 'paid' }
  if (isUnanswered(error)) {
    const { paymentIntent: now } = await stripe.retrievePaymentIntent(clientSecret)
    return now && done.has(now.status) ? { kind: 'paid' } : { kind: 'unsure' }
  }
  return isSlip(error) ? { kind: 'mend', message: error.message } : { kind: 'declined' }
}

/** Whether the provider has said nothing at all, neither yes nor no. */
export function isUnanswered({ type }: StripeError): boolean {
  return type === 'api_connection_error' || type === 'api_error' || type === 'rate_limit_error'
}

function isSlip(error: StripeError): boolean {
  return error.type === 'validation_error' || (error.code !== undefined && slips.has(error.code))
}
