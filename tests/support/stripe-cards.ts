/** What a card number does, as Stripe's test cards do it. Any other number is paid. */
export const stripeCards = {
  paid: '4242424242424242',
  declined: '4000000000000002',
  insufficientFunds: '4000000000009995',
  stolen: '4000000000009979',
  /** The bank asks the cardholder: 3-D Secure. */
  needsAction: '4000002500003155',
  /** Is kept for later; every later charge without the buyer is declined. */
  declinedLater: '4000000000000341',
} as const

/** Account numbers for direct debit with the sort code 10-88-00. Whether they pay is said days later (`finishDebit`). */
export const stripeAccounts = { right: '00012345', refused: '55555559' } as const

interface Decline {
  code: string
  decline_code?: string
  message: string
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

/** Why a card or account is refused at once; undefined where it is not. */
export function declineOf(number: string, { isLater = false } = {}): Decline | undefined {
  return isLater && number === stripeCards.declinedLater ? declines[stripeCards.declined] : declines[number]
}
