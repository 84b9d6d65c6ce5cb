import { addDays } from '../kernel/calendar.ts'
import { countOf } from '../kernel/counted.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { framePlaceholderNames, placeholderProblems } from '../kernel/placeholders.rules.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'

export const effortChannels = ['mail', 'letter'] as const
export type EffortChannel = (typeof effortChannels)[number]

/**
 * Why an effort goes: a `reminder` says neutrally that the subscription ends, to all who did not stop reminders; an `offer` is marketing, and
 * goes to who bought here and does not refuse offers.
 */
export type EffortKind = 'reminder' | 'offer'

/** What an effort offers instead of what the reader has; all null: the same plan at its price. */
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

/** What is wrong with the texts of an effort, by field: a placeholder that nothing stands for would be sent as it is. */
export function effortTextProblems(
  texts: Partial<Record<'subject' | 'body' | 'subjectB' | 'bodyB', string>>,
): Record<string, string> {
  return placeholderProblems(texts, effortPlaceholders)
}

/** One step of a series. */
export interface Effort extends EffortOffer {
  /** Days after the last day that counts; before it where negative. */
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

/** What a publication follows that has not set up a series of its own. */
export const shippedSeries: readonly Effort[] = [-60, -30, -14, -3, 7, 21].map(shippedEffort)

const maxEfforts = 12
const earliestOffset = -365
/** Five years after the end nobody is written to any more: their marketing data is deleted. */
const latestOffset = 1800
/** No two efforts of anybody are nearer to each other. */
export const minDaysApart = 2
/** An effort is made up for so many days after its own, itself among them; after that it is left out. */
export const catchUpDays = 7
/** The same effort does not go again within so many days because the end was moved. */
export const againAfterDays = 21
/** After a declined or lapsed automatic renewal nothing is sent for so many days: its own mails have said what happened. */
export const quietDays = 7
/** An offer to somebody who left longer ago than this is a win-back: one in `winBackDays` at most. */
export const winBackAfter = 30
export const winBackDays = 31
/** A link opens so many days after the last effort. */
const linkDays = 30

/** Before the end and with nothing to sell it is a reminder; all else is marketing. */
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

/** The ends that an effort is due for on a day, those of the days before it among them. What goes before the end does not go after it. */
export function endsDue({ dayOffset }: Pick<Effort, 'dayOffset'>, on: Day, days: number): { from: Day; until: Day } {
  const until = addDays(on, -dayOffset)
  const from = addDays(until, 1 - days)
  return { from: dayOffset <= 0 && from < on ? on : from, until }
}

/** The last neutral effort before the end: of a gift it goes to who gets it, all others to who gives it. Null where there is none. */
export function lastReminder(efforts: readonly Effort[]): number | null {
  const reminders = efforts.filter((effort) => effortKind(effort) === 'reminder')
  return reminders.length === 0 ? null : Math.max(...reminders.map(({ dayOffset }) => dayOffset))
}

/** The last day of the links of a cycle: some days after the last effort of the series, and after the one that is planned. */
export function linkGoodUntil(efforts: readonly Effort[], { cycleOn, on }: { cycleOn: Day; on: Day }): Day {
  const last = addDays(cycleOn, Math.max(0, ...efforts.map(({ dayOffset }) => dayOffset)))
  return addDays(last > on ? last : on, linkDays)
}

/** Which of two texts a reader gets: about every second reader the other, and the same one however often it is asked. */
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

/** Why efforts cannot be a series, by their place (from the earliest) or for the whole (`efforts`); empty: they can. */
export function seriesProblems(efforts: readonly Effort[]): Record<string, string> {
  const problems: Record<string, string> = {}
  if (efforts.length === 0) problems.efforts = 'Enter one effort at least, or switch the series off'
  if (efforts.length > maxEfforts) problems.efforts = `Enter ${maxEfforts} efforts at most`
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
  if (day === before) return 'Another effort is on this day'
  if (day < before + minDaysApart) return `Leave ${countOf(minDaysApart, 'day')} at least between two efforts`
  if (day > winBackAfter && before > 0 && day < before + winBackDays)
    return `Leave ${winBackDays} days between offers that go later than ${winBackAfter} days after the end`
  return null
}

export function offerProblem({ offerPercent, offerPrices, offerTermMonths, offerProduct }: EffortOffer): string | null {
  if (offerPercent !== null && offerPrices !== null) return 'Choose a discount or a price, not both'
  if (offerPercent !== null && (offerPercent < 1 || offerPercent > 100)) return 'Enter a discount from 1 to 100 percent'
  if (offerPercent !== null && offerTermMonths === 1) return 'A term of one month takes no discount'
  if (offerPrices === null) return null
  if (offerProduct === null || offerTermMonths === null) return 'Choose the plan that the price is for'
  const amounts = Object.values(offerPrices)
  if (amounts.length === 0 || amounts.some((amount) => !Number.isInteger(amount) || amount < 1))
    return 'Enter a price above zero for one currency at least'
  return null
}
