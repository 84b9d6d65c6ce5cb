/** The behaviour of a card number, like Stripe's test cards. Any other number is paid. */
export const stripeCards = {
  paid: '4242424242424242',
  declined: '4000000000000002',
  insufficientFunds: '4000000000009995',
  stolen: '4000000000009979',
  /** The bank requires authentication: 3-D Secure. */
  needsAction: '4000002500003155',
  /** Is stored; every later off-session charge is declined. */
  declinedLater: '4000000000000341',
  /** Is paid the first time; every later off-session charge requires authentication. */
  needsBuyerLater: '4000002760003184',
  /** Is stored, and reported lost by the next charge. */
  lostLater: '4000000000009987',
  /** Is stored, and expired by the next charge. */
  expiredLater: '4000000000000069',
  /** Is stored; then the bank declines, and the network forbids another attempt. */
  doNotTryAgainLater: '4000000000000259',
} as const

/** Account numbers for direct debit with the sort code 10-88-00. Whether they pay is decided days later (`finishDebit`). */
export const stripeAccounts = { right: '00012345', refused: '55555559' } as const

interface Decline {
  code: string
  decline_code?: string
  advice_code?: string
  message: string
}

const cardDeclined = { code: 'card_declined', message: 'Your card was declined.' }

/** The result of an off-session charge, where it differs from one with the buyer present. */
const offSessionDeclines: Record<string, Decline> = {
  [stripeCards.declinedLater]: { ...cardDeclined, decline_code: 'insufficient_funds', advice_code: 'try_again_later' },
  [stripeCards.lostLater]: { ...cardDeclined, decline_code: 'lost_card', advice_code: 'do_not_try_again' },
  [stripeCards.expiredLater]: { code: 'expired_card', decline_code: 'expired_card', message: 'Your card has expired.' },
  [stripeCards.doNotTryAgainLater]: {
    ...cardDeclined,
    decline_code: 'generic_decline',
    advice_code: 'do_not_try_again',
  },
  [stripeCards.needsBuyerLater]: {
    code: 'authentication_required',
    decline_code: 'authentication_required',
    message: 'Your card was declined. This transaction requires authentication.',
  },
}

const declines: Record<string, Decline> = {
  [stripeCards.declined]: {
    code: 'card_declined',
    decline_code: 'generic_decline',
    message: 'Your card was declined.',
  },
  [stripeCards.insufficientFunds]: {
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  },
  [stripeCards.stolen]: { code: 'card_declined', decline_code: 'stolen_card', message: 'Your card was declined.' },
  [stripeAccounts.refused]: {
    code: 'bank_account_unusable',
    message: 'The bank account cannot be used. Please use a different bank account.',
  },
}

/** Why a card or account is refused immediately; undefined if it is not. */
export function declineOf(number: string, { isOffSession = false } = {}): Decline | undefined {
  return (isOffSession ? offSessionDeclines[number] : undefined) ?? declines[number]
}
