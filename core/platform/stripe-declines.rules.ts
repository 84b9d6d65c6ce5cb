/**
 * Codes after which the same card or account is not charged again: whoever issued it will not change its mind, and the networks fine
 * those who try. Stripe's decline codes, error codes and failure codes of debits alike.
 */
export const finalDeclineCodes: readonly string[] = [
  // The card is gone, blocked or out of date.
  'lost_card',
  'stolen_card',
  'pickup_card',
  'restricted_card',
  'expired_card',
  'incorrect_number',
  'invalid_number',
  'invalid_account',
  'incorrect_cvc',
  'invalid_cvc',
  'invalid_expiry_month',
  'invalid_expiry_year',
  'no_such_issuer',
  // The issuer or the cardholder does not allow it.
  'transaction_not_allowed',
  'not_permitted',
  'service_not_allowed',
  'do_not_try_again',
  'stop_payment_order',
  'revocation_of_authorization',
  'revocation_of_all_authorizations',
  'highest_risk_level',
  // The bank account is gone, or its mandate.
  'account_closed',
  'bank_account_closed',
  'bank_account_restricted',
  'bank_account_unusable',
  'bank_ownership_changed',
  'debit_not_authorized',
  'invalid_account_number',
  'no_account',
  'payment_intent_mandate_invalid',
  // What was kept is not at Stripe any more.
  'payment_method_missing',
  'resource_missing',
]

/** Codes with which the bank asks for its cardholder: no decline, but a payment that waits for the buyer. */
const buyerCodes: readonly string[] = ['authentication_required', 'payment_intent_authentication_failure']

/** The part of Stripe's error that says why a payment was not made. */
interface PaymentError {
  code?: string | null | undefined
  decline_code?: string | null | undefined
  advice_code?: string | null | undefined
  message?: string | null | undefined
}

/** Whether the bank wants its cardholder to confirm a payment that was made without them. */
export function asksForBuyer({ code, decline_code: declineCode }: PaymentError): boolean {
  return buyerCodes.includes(declineCode ?? '') || buyerCodes.includes(code ?? '')
}

/** Why a payment was declined: the most exact code there is, words for staff, and whether it is so for good. */
export function readDecline(error: PaymentError): { code: string; reason: string; isFinal: boolean } {
  const codes = [error.decline_code, error.code].filter((code) => typeof code === 'string')
  const isFinal = error.advice_code === 'do_not_try_again' || codes.some((code) => finalDeclineCodes.includes(code))
  return { code: codes[0] ?? 'unknown', reason: error.message ?? 'The payment was declined', isFinal }
}
