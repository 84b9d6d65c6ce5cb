/**
 * Codes after which the same card or account is not charged again: the issuer will not change its decision, and the networks fine
 * merchants who retry. Stripe's decline codes, error codes and failure codes of debits alike.
 */
export const finalDeclineCodes: readonly string[] = [
  // The card is closed, blocked or expired.
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
  // The bank account or its mandate no longer exists.
  'account_closed',
  'bank_account_closed',
  'bank_account_restricted',
  'bank_account_unusable',
  'bank_ownership_changed',
  'debit_not_authorized',
  'invalid_account_number',
  'no_account',
  'payment_intent_mandate_invalid',
  // The stored payment method no longer exists at Stripe.
  'payment_method_missing',
  'resource_missing',
]

/** Codes by which the bank requires the cardholder to confirm: not a decline, but a payment that waits for the buyer. */
const buyerCodes: readonly string[] = ['authentication_required', 'payment_intent_authentication_failure']

/** The part of Stripe's error that explains why a payment was not made. */
interface PaymentError {
  code?: string | null | undefined
  decline_code?: string | null | undefined
  advice_code?: string | null | undefined
  message?: string | null | undefined
}

/** Whether the bank requires the cardholder to confirm a payment that was made without them. */
export function requiresBuyer({ code, decline_code: declineCode }: PaymentError): boolean {
  return buyerCodes.includes(declineCode ?? '') || buyerCodes.includes(code ?? '')
}

/** Why a payment was declined: the most specific code, a text for staff, and whether it is final. */
export function readDecline(error: PaymentError): { code: string; reason: string; isFinal: boolean } {
  const codes = [error.decline_code, error.code].filter((code) => typeof code === 'string')
  const isFinal = error.advice_code === 'do_not_try_again' || codes.some((code) => finalDeclineCodes.includes(code))
  return { code: codes[0] ?? 'unknown', reason: error.message ?? 'The payment was declined', isFinal }
}
