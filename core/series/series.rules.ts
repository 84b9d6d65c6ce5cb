import { addDays } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { framePlaceholderNames, placeholderProblems } from '../kernel/placeholders.rules.ts'
import { countOf } from '../kernel/text-format.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'

export const effortChannels = ['mail', 'letter'] as const
export type EffortChannel = (typeof effortChannels)[number]

/**
 * The purpose of an effort: a `reminder` says neutrally that the subscription ends, and goes to all who did not stop reminders; an `offer` is
 * marketing, for readers who have not opted out of offers, and by email only for those who bought here.
 */
export type EffortKind = 'reminder' | 'offer'

/** What an effort offers instead of the reader's current plan; all null: the same plan at its current price. */
export interface EffortOffer {
  offerProduct: Product | null
  offerTermMonths: TermMonths | null
  offerPercent: number | null
  /** Minor units, by currency. */
  offerPrices: Partial<Record<Currency, number>> | null
}

/** The placeholders of an effort's texts. */
export const effortPlaceholders = [
  'name',
  'first name',
  'subscription',
  'expiry date',
  'valid until',
  ...framePlaceholderNames,
] as const

/** What is wrong with the texts of an effort, by field: an unknown placeholder would be sent literally. */
export function effortTextProblems(
  texts: Partial<Record<'subject' | 'body' | 'subjectB' | 'bodyB', string>>,
): Record<string, string> {
  return placeholderProblems(texts, effortPlaceholders)
}

/** One step of a series. */
export interface Effort extends EffortOffer {
  /** Days after the last day of the subscription; negative: before it. */
  dayOffset: number
  channel: EffortChannel
  subject: string
  body: string
  subjectB: string
  bodyB: string
}

const defaultEffort = (dayOffset: number): Effort => ({
  dayOffset,
  channel: 'mail',
  subject: '',
  body: '',
  subjectB: '',
  bodyB: '',
  offerProduct: null,
  offerTermMonths: null,
  offerPercent: null,
  offerPrices: null,
})

/** The series of a publication that has no efforts of its own. */
export const shippedSeries: readonly Effort[] = [-60, -30, -14, -3, 7, 21].map(defaultEffort)

const maxEfforts = 12
const earliestOffset = -365
/** Nothing is sent later than five years after the end: by then the marketing data is deleted. */
const latestOffset = 1800
/** The minimum number of days between two efforts to one person. */
export const minDaysApart = 2
/** A missed effort is still sent within this many days, its own day included; after that it is left out. */
export const catchUpDays = 7
/** If the end of a subscription is moved, the same effort is not sent again within this many days. */
export const againAfterDays = 21
/** After a declined or lapsed automatic renewal, nothing is sent for this many days: other emails have told the reader about it. */
export const quietDays = 7
/** An offer more than this many days after the end is a win-back: a reader gets at most one in `winBackDays`. */
export const winBackAfter = 30
export const winBackDays = 31
/** The number of days that a link is valid after the last effort. */
const linkDays = 30

/** An effort before the end that offers nothing else is a reminder; every other effort is marketing. */
export function effortKind({ dayOffset, ...offer }: Pick<Effort, 'dayOffset'> & EffortOffer): EffortKind {
  const isCheaper = offer.offerPercent !== null || offer.offerPrices !== null
  const isOther = offer.offerProduct !== null || offer.offerTermMonths !== null
  return dayOffset > 0 || isCheaper || isOther ? 'offer' : 'reminder'
}

/** The day of an effort as text, such as "30 days before the end". */
export function effortDay(dayOffset: number): string {
  if (dayOffset === 0) return 'On the last day'
  return `${countOf(Math.abs(dayOffset), 'day')} ${dayOffset < 0 ? 'before' : 'after'} the end`
}

/**
 * The range of ends for which an effort is due on a day, counting the last `days` days. An effort that comes before the end is not sent once the end
 * has passed.
 */
export function endsDue({ dayOffset }: Pick<Effort, 'dayOffset'>, on: Day, days: number): { from: Day; until: Day } {
  const until = addDays(on, -dayOffset)
  const from = addDays(until, 1 - days)
  return { from: dayOffset <= 0 && from < on ? on : from, until }
}

/** The day of the last reminder, or null. For a gift it is sent to the recipient, and all other efforts to the giver. */
export function lastReminder(efforts: readonly Effort[]): number | null {
  const reminders = efforts.filter((effort) => effortKind(effort) === 'reminder')
  return reminders.length === 0 ? null : Math.max(...reminders.map(({ dayOffset }) => dayOffset))
}

/** The last day on which the links of a cycle are valid: some days after the last effort of the series, or after today if that is later. */
export function linkValidUntil(efforts: readonly Effort[], { cycleOn, on }: { cycleOn: Day; on: Day }): Day {
  const last = addDays(cycleOn, Math.max(0, ...efforts.map(({ dayOffset }) => dayOffset)))
  return addDays(last > on ? last : on, linkDays)
}

/** Which of two texts a reader gets: each text goes to about half of the readers, and a reader always gets the same one. */
export function variantOf(
  { subjectB, bodyB }: Pick<Effort, 'subjectB' | 'bodyB'>,
  readerId: number,
  dayOffset: number,
) {
  if (subjectB === '' && bodyB === '') return 'a'
  // The finaliser of MurmurHash3, so that neither the ids of one import nor the efforts of one reader follow a pattern.
  let hash = Math.imul(readerId ^ Math.imul(dayOffset, 0x9e3779b1), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 7) % 2 === 0 ? 'a' : 'b'
}

/** Why efforts cannot be a series: by their position, earliest first, or for the whole series (`efforts`). Empty: they can. */
export function seriesProblems(efforts: readonly Effort[]): Record<string, string> {
  const problems: Record<string, string> = {}
  if (efforts.length === 0) problems.efforts = 'Enter at least one effort, or switch the series off'
  if (efforts.length > maxEfforts) problems.efforts = `Enter at most ${maxEfforts} efforts`
  let previous: number | null = null
  for (const [at, { subject, body, subjectB, bodyB, ...effort }] of efforts.entries()) {
    const [textProblem] = Object.values(effortTextProblems({ subject, body, subjectB, bodyB }))
    const problem = dayProblem(effort.dayOffset, previous) ?? offerProblem(effort)?.message ?? textProblem
    if (problem) problems[`efforts.${at}`] = problem
    previous = effort.dayOffset
  }
  return problems
}

function dayProblem(day: number, previous: number | null): string | null {
  if (!Number.isInteger(day) || day < earliestOffset || day > latestOffset)
    return `Enter whole days from ${-earliestOffset} before the end to ${latestOffset} after it`
  if (previous === null) return null
  if (day === previous) return 'Another effort is sent on this day'
  if (day < previous + minDaysApart) return `Leave at least ${countOf(minDaysApart, 'day')} between two efforts`
  if (day > winBackAfter && previous > 0 && day < previous + winBackDays)
    return `Leave ${winBackDays} days between offers that are sent more than ${winBackAfter} days after the end`
  return null
}

/** What is wrong with an offer, and the field it is reported at; null if nothing is. */
export function offerProblem({
  offerPercent,
  offerPrices,
  offerTermMonths,
  offerProduct,
}: EffortOffer): { field: string; message: string } | null {
  const problem = (field: string, message: string) => ({ field, message })
  if (offerPercent !== null && offerPrices !== null)
    return problem('offerPercent', 'Choose a discount or a price, not both')
  if (offerPercent !== null && (offerPercent < 1 || offerPercent > 100))
    return problem('offerPercent', 'Enter a discount from 1 to 100 per cent')
  if (offerPercent !== null && offerTermMonths === 1)
    return problem('offerPercent', 'A term of one month cannot have a discount')
  if (offerPrices === null) return null
  if (offerProduct === null || offerTermMonths === null)
    return problem(offerProduct === null ? 'offerProduct' : 'offerTermMonths', 'Choose the plan that the price is for')
  const amounts = Object.entries(offerPrices)
  const [wrong] = amounts.find(([, amount]) => !Number.isInteger(amount) || amount < 1) ?? []
  if (wrong !== undefined || amounts.length === 0)
    return problem(
      wrong === undefined ? 'offerPrices' : `offerPrices.${wrong}`,
      'Enter a price above zero for at least one currency',
    )
  return null
}
