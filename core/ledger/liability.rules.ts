import { addMonths, type Day, monthsBetween } from '../kernel/dates.ts'

/** An amount that is earned month by month over a service period, in minor units. */
export interface Earning {
  amount: number
  serviceStartOn: Day | null
  /** The last day that counts. */
  serviceEndOn: Day | null
  /** Null: earned at once (a back issue, a free subscription). */
  termMonths: number | null
}

/** How many whole months of a term are over on a day, from nought to all of them. The 31st falls back to a shorter month's last day. */
export function elapsedMonths(startOn: Day, termMonths: number, today: Day): number {
  if (today < startOn) return 0
  const months = monthsBetween(startOn, today)
  const reached = addMonths(startOn, months + 1) <= today ? months + 1 : months
  return Math.min(reached, termMonths)
}

/**
 * What is fulfilled of an amount on a day and what is still owed to the reader. Every month earns the same whole number of minor
 * units and the last one takes the rest, so both parts add up to the amount at every date. After the term's last day nothing is owed:
 * one that follows a short month's end may be over a day or three before its months are.
 */
export function fulfilledAndLiability(
  { amount, serviceStartOn, serviceEndOn, termMonths }: Earning,
  today: Day,
): { fulfilled: number; liability: number } {
  if (termMonths === null || serviceStartOn === null) return { fulfilled: amount, liability: 0 }
  const elapsed = elapsedMonths(serviceStartOn, termMonths, today)
  const isOver = serviceEndOn !== null && serviceEndOn < today
  const fulfilled = isOver || elapsed >= termMonths ? amount : elapsed * Math.trunc(amount / termMonths)
  return { fulfilled, liability: amount - fulfilled }
}
