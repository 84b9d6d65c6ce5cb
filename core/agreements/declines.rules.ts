/** Declines that the card networks forbid to repeat with the same card. */
export const neverAgain: ReadonlySet<string> = new Set([
  'lost_card',
  'stolen_card',
  'pickup_card',
  'invalid_account',
  'bank_account_closed',
])

/** Declines of a card's last day alone: the same card with another one may be charged. */
const outOfDate = new Set(['expired_card', 'invalid_expiry_month', 'invalid_expiry_year'])

/** Our own code: the provider refused the publisher's credentials, so that nobody was charged or declined. */
export const keysRefused = 'keys_refused'

/** Whether the same card must not be tried again. */
export function isNeverAgain(declineCode: string | null): boolean {
  return neverAgain.has(declineCode ?? '')
}

/** What is shown of a card. */
interface ShownCard {
  lastFour: string | null
  expiresOn: string | null
}

/** Whether a card has another number than the one that was known of it. */
export function isOtherNumber(before: ShownCard, now: ShownCard): boolean {
  return before.lastFour !== null && now.lastFour !== null && before.lastFour !== now.lastFour
}

/**
 * Whether what a card was declined for is over now that its network gave it a new number or a new last day: another number is another card,
 * a new last day corrects what was out of date.
 */
export function isFixed(declineCode: string | null, before: ShownCard, now: ShownCard): boolean {
  if (declineCode === null) return false
  if (isOtherNumber(before, now)) return true
  return outOfDate.has(declineCode) && before.expiresOn !== now.expiresOn
}
