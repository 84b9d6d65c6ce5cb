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

/** Per cycle: the networks allow 15 in 30 days (Visa, before April 2026), and other cards are tried as well. */
export const maxAttempts = 12

/** The maximum number of automatic retries of a card: the first charge counts as an attempt as well. */
export const maxRetries = maxAttempts - 1

export const maxGraceDays = 90

/** Why these retry days cannot be set; null where they can. They must rise, and only a payment within the grace period continues from the old end. */
export function retryDaysProblem({ graceDays, retryDays }: RenewalSettings): string | null {
  if (retryDays.length > maxRetries)
    return `Enter ${maxRetries} days at most: card networks limit how often a card is charged`
  if (retryDays.some((days, at) => days <= (retryDays[at - 1] ?? 0)))
    return 'Enter days from 1 upwards, each later than the one before'
  if ((retryDays.at(-1) ?? 0) > graceDays) return `Enter no day after ${graceDays}, the last day of the grace period`
  return null
}

/** The scheme allows presenting an unpaid debit again, within a month of the first day. */
const maxDebits = 2
const debitAgainWithin = 30
/** The payer is notified five working days before. Two more make up for bank holidays, which are not counted here. */
const debitNoticeWorkingDays = 5 + 2

/** How many days before the end of grace the reader gets the last warning. */
export const lastWarningDays = 3

/** What follows a decline: a retry on a given day, or no retry until the reader acts. */
export type AfterDecline = { state: 'retrying'; nextTryOn: Day } | { state: 'waiting'; nextTryOn: null }

/** A renewal that was declined on a day. */
export interface Declined {
  provider: PaymentProvider
  on: Day
  /** The day of the first decline of this cycle, or since the renewal returned to it. */
  firstFailedOn: Day
  /** How often it was declined in this cycle, this time included. */
  attempts: number
  graceUntil: Day
  /** The provider advises not to try this card or account again. */
  isFinal: boolean
}

/**
 * When a declined renewal is charged again automatically: a card on the days that the publication has set, a direct debit once more, with time for
 * the notice. A final decline is never tried again.
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

/** The day that is `count` working days after another; Saturdays and Sundays do not count. */
function workingDaysAfter(from: Day, count: number): Day {
  let day = from
  for (let left = count; left > 0; ) {
    day = addDays(day, 1)
    if (!isWeekend(day)) left--
  }
  return day
}

function isWeekend(day: Day): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return weekday === 0 || weekday === 6
}
