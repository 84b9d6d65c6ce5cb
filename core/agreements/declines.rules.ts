/** Decline codes after which the card networks forbid another attempt with the same card. */
export const noRetryDeclineCodes: ReadonlySet<string> = new Set([
  'lost_card',
  'stolen_card',
  'pickup_card',
  'invalid_account',
  'bank_account_closed',
])

/** Decline codes that concern only a card's expiry date: the same card with a new one may be charged. */
const outOfDate = new Set(['expired_card', 'invalid_expiry_month', 'invalid_expiry_year'])

/** Our own code: the provider refused the publisher's credentials, so no reader was charged or declined. */
export const keysRefused = 'keys_refused'

/**
 * Our own code: the reader gave another card since the renewal was declined, or the decline was resolved otherwise. If the renewal is or was cancelled
 * meanwhile, it is charged once its cancellation is undone.
 */
export const declineResolved = 'decline_resolved'

/** Whether the same card must not be tried again. */
export function isFinalForCard(declineCode: string | null): boolean {
  return noRetryDeclineCodes.has(declineCode ?? '')
}

/** The details of a card that are shown. */
interface CardDetails {
  lastFour: string | null
  expiresOn: string | null
}

/** Whether a card's number differs from the one that was stored. */
export function isOtherNumber(before: CardDetails, now: CardDetails): boolean {
  return before.lastFour !== null && now.lastFour !== null && before.lastFour !== now.lastFour
}

/**
 * Whether the cause of a card's decline is resolved because its network gave it a new number or a new expiry date: another number is another card, a
 * new expiry date corrects what was out of date.
 */
export function isDeclineResolved(declineCode: string | null, before: CardDetails, now: CardDetails): boolean {
  if (declineCode === null) return false
  if (isOtherNumber(before, now)) return true
  return outOfDate.has(declineCode) && before.expiresOn !== now.expiresOn
}
