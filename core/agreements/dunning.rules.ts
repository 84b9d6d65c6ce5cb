import { addDays } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { PaymentProvider } from '../ports/payment-gateway.ts'

/** How a publication handles a renewal that was declined. */
export interface RenewalSettings {
  /** Days after the end of the term within which a payment renews from the old end. */
  graceDays: number
  /** Days after the first failure on which a card is charged again, in rising order. */
  retryDays: readonly number[]
}

export const defaultRenewalSettings: RenewalSettings = { graceDays: 21, retryDays: [1, 3, 7, 14] }

/** The maximum number of attempts per cycle. The networks allow 15 in 30 days (Visa, before April 2026); attempts with other cards count too. */
export const maxAttempts = 12

/** The maximum number of automatic retries, as the first charge is also an attempt. */
export const maxRetries = maxAttempts - 1

export const maxGraceDays = 90

/** Why these retry days are not valid; null if they are. They must rise and lie within the grace period. */
export function retryDaysProblem({ graceDays, retryDays }: RenewalSettings): string | null {
  if (retryDays.length > maxRetries)
    return `Enter ${maxRetries} days at most: card networks limit how often a card is charged`
  if (retryDays.some((days, index) => days <= (retryDays[index - 1] ?? 0)))
    return 'Enter days from 1 upwards, each later than the one before'
  if ((retryDays.at(-1) ?? 0) > graceDays) return `Enter no day after ${graceDays}, the last day of the grace period`
  return null
}

/** The Bacs scheme allows presenting an unpaid debit once more, within a month of the first. */
const maxDebits = 2
const debitAgainWithin = 30
/** The payer is notified five working days before the debit. Two more days allow for bank holidays, which are not known here. */
const debitNoticeWorkingDays = 5 + 2

/** How many days before the end of grace the reader gets the last warning. */
export const lastWarningDays = 3

/** What happens after a decline: a retry on a day, or nothing until the reader acts. */
export type AfterDecline = { state: 'retrying'; nextTryOn: Day } | { state: 'waiting'; nextTryOn: null }

/** A renewal that was declined on a day. */
export interface Declined {
  provider: PaymentProvider
  on: Day
  /** The day of the first decline in this cycle or, if the renewal's cancellation was undone, since then. */
  firstFailedOn: Day
  /** How often it was declined in this cycle, including this time. */
  attempts: number
  graceUntil: Day
  /** The provider advises not to try this card or account again. */
  isFinal: boolean
}

/**
 * When a declined renewal is charged again automatically: a card on the retry days of the publication, a direct debit once more, with time for the
 * notice. After a final decline there is no automatic retry.
 */
export function afterDecline(settings: RenewalSettings, declined: Declined): AfterDecline {
  const next = declined.isFinal ? undefined : nextDay(settings, declined)
  if (next === undefined || next > declined.graceUntil) return { state: 'waiting', nextTryOn: null }
  return { state: 'retrying', nextTryOn: next }
}

function nextDay({ retryDays }: RenewalSettings, { provider, on, firstFailedOn, attempts }: Declined): Day | undefined {
  if (provider === 'stripe-bacs') {
    if (attempts >= maxDebits) return undefined
    const next = workingDaysAfter(on, debitNoticeWorkingDays)
    return next <= addDays(firstFailedOn, debitAgainWithin) ? next : undefined
  }
  if (attempts >= maxAttempts) return undefined
  return retryDays.map((days) => addDays(firstFailedOn, days)).find((day) => day > on)
}

/** The day that is `count` working days after another, not counting Saturdays and Sundays. */
function workingDaysAfter(from: Day, count: number): Day {
  let day = from
  for (let remaining = count; remaining > 0; ) {
    day = addDays(day, 1)
    if (!isWeekend(day)) remaining--
  }
  return day
}

function isWeekend(day: Day): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return weekday === 0 || weekday === 6
}
