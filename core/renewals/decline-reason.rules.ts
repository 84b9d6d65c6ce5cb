/** The text that staff see for a provider's decline code. */
const reasons: Readonly<Record<string, string>> = {
  keys_refused: 'Stripe refused this account’s API keys',
  insufficient_funds: 'Not enough money in the account',
  lost_card: 'The card was reported lost',
  stolen_card: 'The card was reported stolen',
  pickup_card: 'The bank has blocked the card',
  expired_card: 'The card has expired',
  incorrect_cvc: 'The card’s security code is wrong',
  invalid_cvc: 'The card’s security code is wrong',
  incorrect_number: 'The card number is wrong',
  invalid_account: 'The card or its account is closed',
  bank_account_closed: 'The bank account is closed',
  authentication_required: 'The bank asks the reader to confirm the payment',
  transaction_not_allowed: 'The bank does not allow this payment with this card',
  card_not_supported: 'The card cannot be used for this payment',
  currency_not_supported: 'The card does not support this currency',
  do_not_honor: 'The bank declined and gave no reason',
  generic_decline: 'The bank declined and gave no reason',
  try_again_later: 'The bank could not respond',
  processing_error: 'The bank could not respond',
  debit_not_authorized: 'The reader or their bank did not authorise the direct debit',
  mandate_invalid: 'The direct debit instruction is no longer valid',
}

/** Why a renewal was not paid, in plain words: by its code if that is known, else as it was stored. */
export function declineReasonText({ declineCode, reason }: { declineCode: string | null; reason: string }): string {
  return reasons[declineCode ?? ''] ?? (reason || 'The payment was declined')
}
