import { invalid } from '../kernel/errors.ts'
import { type PlanPayment, signupMetadataKey } from '../ports/plan-billing.ts'
import { type PriceType, priceTypeOf } from '../pricing/publisher-plans.rules.ts'

/** The messages for a payment that does not complete a sign-up (spec 1, section 4.1). */
export const paymentMessages = {
  processing: 'Your payment is processing.',
  'requires-payment-method': 'Your payment was not successful, please try again.',
  other: 'Something went wrong.',
  replaced: 'A different plan was chosen before this payment was made. It will be refunded.',
  refund: 'No account was registered with this payment. It will be refunded.',
  'other-amount': 'The amount paid is not the price of this plan. Please contact us: nothing is lost.',
} as const

export type PaymentProblem = Exclude<keyof typeof paymentMessages, 'replaced' | 'refund'> | 'foreign'

/** Why a payment does not pay for a sign-up; null if it does. `foreign`: it belongs to another sign-up, or does not exist. */
export function paymentProblem(
  signup: { reference: string; answers: { amount: number } },
  payment: PlanPayment,
): PaymentProblem | null {
  if (payment.state === 'unknown' || payment.metadata[signupMetadataKey] !== signup.reference) return 'foreign'
  if (payment.state !== 'succeeded') return payment.state
  return payment.amount === signup.answers.amount && payment.currency === 'GBP' ? null : 'other-amount'
}

/** Only publishers in the United Kingdom pay VAT, so the country must fit the price that was paid. Throws if it does not. */
export function checkCountry(
  { answers }: { answers: { priceType: PriceType } },
  { country }: { country: string },
  field: string,
): void {
  if (priceTypeOf(country) === answers.priceType) return
  throw invalid({
    [field]:
      answers.priceType === 'VAT'
        ? 'The price that was paid is the one for the United Kingdom. Choose United Kingdom, or contact us.'
        : 'The price that was paid is the one without VAT, for countries other than the United Kingdom. Please contact us.',
  })
}
