/** Decline codes after which the card networks forbid another attempt with the same card. */
export const noRetryDeclineCodes: ReadonlySet<string> = new Set([
  'lost_card',
  'stolen_card',
  'pickup_card',
  'invalid_account',
  'bank_account_closed',
])

/** Decline codes that are only about the expiry date: the same card may be charged once it has a new expiry date. */
const outOfDate = new Set(['expired_card', 'invalid_expiry_month', 'invalid_expiry_year'])

/** Masthead's own code: the provider refused the publisher's API keys, so nothing was charged or declined. */
export const keysRefused = 'keys_refused'

/**
 * Masthead's own code: since the renewal was declined, the reader has given another card, or the decline was resolved otherwise. If the renewal is
 * cancelled, it is charged once its cancellation is undone.
 */
export const declineResolved = 'decline_resolved'

/** Whether the same card must not be tried again. */
export function isFinalForCard(declineCode: string | null): boolean {
  return noRetryDeclineCodes.has(declineCode ?? '')
}

/** The details of a card that are stored. */
interface CardDetails {
  lastFour: string | null
  expiresOn: string | null
}

/** Whether a card's number differs from the one that was stored. */
export function isOtherNumber(before: CardDetails, now: CardDetails): boolean {
  return before.lastFour !== null && now.lastFour !== null && before.lastFour !== now.lastFour
}

/**
 * Whether the cause of a decline is resolved because the card network has replaced the card's number or expiry date. A new number is another card; a
 * new expiry date resolves only declines for the old date.
 */
export function isDeclineResolved(declineCode: string | null, before: CardDetails, now: CardDetails): boolean {
  if (declineCode === null) return false
  if (isOtherNumber(before, now)) return true
  return outOfDate.has(declineCode) && before.expiresOn !== now.expiresOn
}
