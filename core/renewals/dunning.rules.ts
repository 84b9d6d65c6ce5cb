import { addDays } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'

/** How a publication goes after a renewal that was declined. */
export interface RenewalSettings {
  /** Days after the end of the term within which a payment goes on from the old end. */
  graceDays: number
  /** Days after the first failure on which it is charged again, rising. */
  retryDays: readonly number[]
}

export const shippedRenewalSettings: RenewalSettings = { graceDays: 21, retryDays: [1, 3, 7, 14] }

/** Never more in a cycle: the networks allow 15 in 30 days (Visa, before April 2026), and other cards are tried as well. */
const maxAttempts = 12

/** What follows a decline: another try on a day, or nothing before the reader has done something. */
export type AfterDecline = { state: 'retrying'; nextTryOn: Day } | { state: 'waiting'; nextTryOn: null }

/**
 * When a declined renewal is charged again by itself. `firstFailedOn` is the day of the first decline of this cycle. What is final for the
 * card (`isFinal`) is never tried again with it.
 */
export function afterDecline(
  settings: RenewalSettings,
  declined: { on: Day; firstFailedOn: Day; attempts: number; graceUntil: Day; isFinal: boolean },
): AfterDecline {
  const { on, firstFailedOn, attempts, graceUntil, isFinal } = declined
  const next = settings.retryDays.map((days) => addDays(firstFailedOn, days)).find((day) => day > on)
  if (isFinal || attempts >= maxAttempts || next === undefined || next > graceUntil) {
    return { state: 'waiting', nextTryOn: null }
  }
  return { state: 'retrying', nextTryOn: next }
}
