import { addDays } from '../kernel/calendar.ts'
import { type Day, dayOfMonth } from '../kernel/dates.ts'

/** An amount that is earned month by month over a service period, in minor units; below zero for refunds. */
export interface Earning {
  amount: number
  serviceStartOn: Day | null
  /** The last day of the period, included. */
  serviceEndOn: Day | null
  /** Null: earned immediately (a free subscription, or a refund of a part that was already earned). */
  termMonths: number | null
  /** The amount each month earns except the last, which takes the rest; null: the amount divided by its months, in whole minor units. */
  monthlyAmount?: number | null
  /** The day of the month on which its months begin; null: the same day as its start. */
  anchorDay?: number | null
}

/** Calendar months, counted consecutively: 2026-01 is one after 2025-12. */
export function monthNumber(day: Day): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
}

/** A month's last day counts as the 31st: the months of terms from the 29th to 31st begin there, too. */
export function normalisedDayOfMonth(day: Day): number {
  return dayOfMonth(addDays(day, 1)) === 1 ? 31 : dayOfMonth(day)
}

/** How many months of a term have ended by a day, from zero to all of them; the day on which the next one begins is included. */
export function monthsEndedBy(startOn: Day, termMonths: number, day: Day, anchorDay = dayOfMonth(startOn)): number {
  const months = monthNumber(day) - monthNumber(startOn) - (anchorDay > normalisedDayOfMonth(day) ? 1 : 0)
  return Math.max(0, Math.min(months, termMonths))
}

/** How many whole months of a term are over at the end of a day: for a term from 1 January to 31 December, all twelve on 31 December. */
export function elapsedMonths(startOn: Day, termMonths: number, asOf: Day, anchorDay = dayOfMonth(startOn)): number {
  return monthsEndedBy(startOn, termMonths, addDays(asOf, 1), anchorDay)
}

/**
 * The fulfilled part of an amount at the end of a day, and the part still owed to the reader. Every month earns the same whole number of minor units
 * and the last one takes the rest, so both parts add up to the amount on every day. At the end of the term's last day nothing is owed, even if its
 * last month ends up to three days later, as it can after a start at the end of a short month.
 */
export function fulfilledAndLiability(earning: Earning, asOf: Day): { fulfilled: number; liability: number } {
  const { amount, serviceStartOn, serviceEndOn, termMonths, monthlyAmount, anchorDay } = earning
  if (termMonths === null || termMonths < 1 || serviceStartOn === null) return { fulfilled: amount, liability: 0 }
  const elapsed = elapsedMonths(serviceStartOn, termMonths, asOf, anchorDay ?? undefined)
  const isOver = serviceEndOn !== null && serviceEndOn <= asOf
  const monthly = monthlyAmount ?? Math.trunc(amount / termMonths)
  const fulfilled = isOver || elapsed >= termMonths ? amount : elapsed * monthly
  return { fulfilled, liability: amount - fulfilled }
}
