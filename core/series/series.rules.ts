import { addDays } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { framePlaceholderNames, placeholderProblems } from '../kernel/placeholders.rules.ts'
import { countOf } from '../kernel/text-format.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'

export const effortChannels = ['mail', 'letter'] as const
export type EffortChannel = (typeof effortChannels)[number]

/**
 * The purpose of an effort: a `reminder` says neutrally that the subscription ends, to all who did not stop reminders; an `offer` is marketing, sent
 * to readers who do not refuse offers, and by email only to those who bought here.
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
  /** Days after the last day that counts; negative: before it. */
  dayOffset: number
  channel: EffortChannel
  subject: string
  body: string
  subjectB: string
  bodyB: string
}

const shippedEffort = (dayOffset: number): Effort => ({
  ...{ dayOffset, channel: 'mail', subject: '', body: '', subjectB: '', bodyB: '' },
  ...{ offerProduct: null, offerTermMonths: null, offerPercent: null, offerPrices: null },
})

/** The default series of a publication without its own. */
export const shippedSeries: readonly Effort[] = [-60, -30, -14, -3, 7, 21].map(shippedEffort)

const maxEfforts = 12
const earliestOffset = -365
/** Nothing is sent later than five years after the end: the marketing data is deleted. */
const latestOffset = 1800
/** The minimum distance between two efforts to one person. */
export const minDaysApart = 2
/** The number of days within which a missed effort is caught up, its own included; after that it is left out. */
export const catchUpDays = 7
/** The same effort is not sent again within this many days because the end was moved. */
export const againAfterDays = 21
/** After a declined or lapsed automatic renewal nothing is sent for this many days: its own emails have explained it. */
export const quietDays = 7
/** An offer to a reader who left longer ago than this is a win-back: one in `winBackDays` at most. */
export const winBackAfter = 30
export const winBackDays = 31
/** The number of days that a link is valid after the last effort. */
const linkDays = 30

/** Before the end and without an offer it is a reminder; all else is marketing. */
export function effortKind({ dayOffset, ...offer }: Pick<Effort, 'dayOffset'> & EffortOffer): EffortKind {
  const isCheaper = offer.offerPercent !== null || offer.offerPrices !== null
  const isOther = offer.offerProduct !== null || offer.offerTermMonths !== null
  return dayOffset > 0 || isCheaper || isOther ? 'offer' : 'reminder'
}

/** An effort's day: "30 days before the end". */
export function effortDay(dayOffset: number): string {
  if (dayOffset === 0) return 'On the last day'
  return `${countOf(Math.abs(dayOffset), 'day')} ${dayOffset < 0 ? 'before' : 'after'} the end`
}

/** The ends that an effort is due for on a day, including those of the days before it. An effort before the end is not sent after it. */
export function endsDue({ dayOffset }: Pick<Effort, 'dayOffset'>, on: Day, days: number): { from: Day; until: Day } {
  const until = addDays(on, -dayOffset)
  const from = addDays(until, 1 - days)
  return { from: dayOffset <= 0 && from < on ? on : from, until }
}

/** The last neutral effort before the end: for a gift it is sent to the recipient, all others to the giver. Null if there is none. */
export function lastReminder(efforts: readonly Effort[]): number | null {
  const reminders = efforts.filter((effort) => effortKind(effort) === 'reminder')
  return reminders.length === 0 ? null : Math.max(...reminders.map(({ dayOffset }) => dayOffset))
}

/** The last day of the links of a cycle: some days after the last effort of the series, and after the planned one. */
export function linkValidUntil(efforts: readonly Effort[], { cycleOn, on }: { cycleOn: Day; on: Day }): Day {
  const last = addDays(cycleOn, Math.max(0, ...efforts.map(({ dayOffset }) => dayOffset)))
  return addDays(last > on ? last : on, linkDays)
}

/** Which of two texts a reader gets: about half of the readers each, and always the same one for a reader. */
export function variantOf(
  { subjectB, bodyB }: Pick<Effort, 'subjectB' | 'bodyB'>,
  readerId: number,
  dayOffset: number,
) {
  if (subjectB === '' && bodyB === '') return 'a'
  // Mixed, so that neither ids of one import nor the efforts of one reader follow a pattern (the finaliser of MurmurHash3).
  let hash = Math.imul(readerId ^ Math.imul(dayOffset, 0x9e3779b1), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 7) % 2 === 0 ? 'a' : 'b'
}

/** Why efforts cannot be a series, by their position (from the earliest) or for the whole (`efforts`); empty: they can. */
export function seriesProblems(efforts: readonly Effort[]): Record<string, string> {
  const problems: Record<string, string> = {}
  if (efforts.length === 0) problems.efforts = 'Enter at least one effort, or switch the series off'
  if (efforts.length > maxEfforts) problems.efforts = `Enter at most ${maxEfforts} efforts`
  let before: number | null = null
  for (const [at, { subject, body, subjectB, bodyB, ...effort }] of efforts.entries()) {
    const [ofTexts] = Object.values(effortTextProblems({ subject, body, subjectB, bodyB }))
    const problem = dayProblem(effort.dayOffset, before) ?? offerProblem(effort) ?? ofTexts
    if (problem) problems[`efforts.${at}`] = problem
    before = effort.dayOffset
  }
  return problems
}

function dayProblem(day: number, before: number | null): string | null {
  if (!Number.isInteger(day) || day < earliestOffset || day > latestOffset)
    return `Enter whole days from ${-earliestOffset} before the end to ${latestOffset} after it`
  if (before === null) return null
  if (day === before) return 'Another effort is sent on this day'
  if (day < before + minDaysApart) return `Leave at least ${countOf(minDaysApart, 'day')} between two efforts`
  if (day > winBackAfter && before > 0 && day < before + winBackDays)
    return `Leave ${winBackDays} days between offers that are sent more than ${winBackAfter} days after the end`
  return null
}

export function offerProblem({ offerPercent, offerPrices, offerTermMonths, offerProduct }: EffortOffer): string | null {
  if (offerPercent !== null && offerPrices !== null) return 'Choose a discount or a price, not both'
  if (offerPercent !== null && (offerPercent < 1 || offerPercent > 100))
    return 'Enter a discount from 1 to 100 per cent'
  if (offerPercent !== null && offerTermMonths === 1) return 'A term of one month cannot have a discount'
  if (offerPrices === null) return null
  if (offerProduct === null || offerTermMonths === null) return 'Choose the plan that the price is for'
  const amounts = Object.values(offerPrices)
  if (amounts.length === 0 || amounts.some((amount) => !Number.isInteger(amount) || amount < 1))
    return 'Enter a price above zero for at least one currency'
  return null
}
