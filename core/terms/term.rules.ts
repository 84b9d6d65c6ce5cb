import { addDays, addMonths, onDayOfMonth } from '../kernel/calendar.ts'
import { type Day, dayOfMonth, openEnd, openStart } from '../kernel/dates.ts'
import { type Product, products, type TermMonths } from '../pricing/plan-code.rules.ts'

/** The subscription types a reader can hold: what can be bought. Empty: no subscription. */
export const subTypes = products
export type SubType = Product

/** A reader's current subscription. `subEndOn` is the last day that counts, at every entry point. */
export interface SubscriptionTerm {
  subType: SubType | ''
  subStartOn: Day
  subEndOn: Day
  /** The day of the month (1 to 31) of the first term, from which end dates are calculated; null if no term was bought here yet. */
  subAnchorDay: number | null
}

/**
 * Whether a subscription would end before it starts, at every entry point. A blank start is stored as 01/01/1970, a blank end as 01/01/2100
 * (until further notice), and they are compared as such.
 */
export function endsBeforeStart({ startOn, endOn }: { startOn: Day | ''; endOn: Day | '' }): boolean {
  return (endOn || openEnd) < (startOn || openStart)
}

export type TermState = 'none' | 'future' | 'current' | 'expired'

/** The state of a reader's subscription on a day. The last day of a term still counts; an open end never expires. */
export function termState(term: { subType: string; subStartOn: Day; subEndOn: Day }, on: Day): TermState {
  if (term.subType === '') return 'none'
  if (term.subStartOn > on) return 'future'
  return isOver(term.subEndOn, on) ? 'expired' : 'current'
}

function isOver(lastDay: Day, on: Day): boolean {
  return lastDay < on && lastDay !== openEnd
}

/**
 * `termState` as SQL conditions over the columns of `readers`, for lists and counts that the database makes. The arguments are SQL
 * expressions of the surrounding query, never input.
 */
export const termSql = {
  notStarted: (on: string) => `sub_start_on > ${on}`,
  over: (on: string) => `sub_end_on < ${on} AND sub_end_on <> '${openEnd}'`,
  current: (on: string) => `sub_start_on <= ${on} AND (sub_end_on >= ${on} OR sub_end_on = '${openEnd}')`,
  /** Terms whose last day is in a period, both days included. */
  endsWithin: (from: string, to: string) =>
    `sub_end_on >= ${from} AND sub_end_on <= ${to} AND sub_end_on <> '${openEnd}'`,
}

/** The last day of a first term: bought on 22/11/2026 for a year, it runs to 22/11/2027. */
export function firstLastDay(startOn: Day, months: number): Day {
  return addMonths(startOn, months)
}

/** The last day of the term after the one that ends on `lastDay`: the anchor's day of the month, or the last of a shorter month. */
function nextLastDay(lastDay: Day, months: number, anchorDay: number): Day {
  return onDayOfMonth(addMonths(lastDay, months), anchorDay)
}

/** The last day that is some months after another one of a record (negative: before it), on the day of the month of its first term. */
export function shiftedLastDay(
  lastDay: Day,
  months: number,
  record: Pick<SubscriptionTerm, 'subStartOn' | 'subAnchorDay'>,
): Day {
  return nextLastDay(lastDay, months, anchorDayOf({ ...record, subEndOn: lastDay }))
}

/**
 * The day of the month from which a subscription's end dates are calculated. A stored anchor that does not match the end (which was changed
 * since) is ignored. Without one: the start's day of the month, if the end matches it, else the end's own.
 */
function anchorDayOf({ subStartOn, subEndOn, subAnchorDay }: Omit<SubscriptionTerm, 'subType'>): number {
  const candidates = [subAnchorDay, dayOfMonth(subStartOn)]
  const matching = candidates.find((day) => day !== null && onDayOfMonth(subEndOn, day) === subEndOn)
  return matching ?? dayOfMonth(subEndOn)
}

/** The first and last day of the term that an order pays for, and the reader's record after it. */
export interface NewTerm {
  startOn: Day
  endOn: Day
  reader: { subStartOn: Day; subEndOn: Day; subAnchorDay: number | null }
}

/**
 * The term an order buys. A new one starts today, or on a later chosen day; a running one is followed by the next from the day after its last,
 * whatever day was chosen. A reader who has the product until further notice keeps that: a purchase never shortens an existing subscription.
 * Null if the reader is in the middle of another product: then the order needs a separate reader record, so that neither subscription is lost.
 */
export function newTerm(
  current: SubscriptionTerm | null,
  bought: { product: Product; termMonths: TermMonths | null },
  today: Day,
  startOn = today,
): NewTerm | null {
  const fresh = firstTerm(bought.termMonths, startOn)
  if (current === null || current.subType === '' || isOver(current.subEndOn, today)) return fresh
  if (current.subType !== bought.product && bought.product !== 'bundle') return null
  const { subStartOn, subAnchorDay } = current
  if (current.subEndOn >= openEnd) {
    // A bundle that begins later would leave the reader with nothing until then.
    if (current.subType !== bought.product) return startOn > today ? null : fresh
    return { ...fresh, reader: { subStartOn, subEndOn: openEnd, subAnchorDay } }
  }
  if (bought.termMonths === null) return { ...fresh, reader: { subStartOn, subEndOn: openEnd, subAnchorDay } }
  const anchorDay = anchorDayOf(current)
  const endOn = nextLastDay(current.subEndOn, bought.termMonths, anchorDay)
  return {
    startOn: addDays(current.subEndOn, 1),
    endOn,
    reader: { subStartOn, subEndOn: endOn, subAnchorDay: anchorDay },
  }
}

/**
 * The term that an automatic renewal pays for: from the day after the last, however late the payment came, so that no day is given away
 * and the renewal keeps its day of the year. `cycleOn` is the last day of the term that it follows. A record that runs past it is
 * extended from its end; one that was cut short begins again there.
 */
export function renewedTerm(current: SubscriptionTerm, termMonths: TermMonths, cycleOn: Day): NewTerm {
  const { subStartOn, subAnchorDay } = current
  if (current.subEndOn >= openEnd) {
    return { ...firstTerm(termMonths, addDays(cycleOn, 1)), reader: { subStartOn, subEndOn: openEnd, subAnchorDay } }
  }
  const lastDay = current.subEndOn > cycleOn ? current.subEndOn : cycleOn
  const anchorDay = anchorDayOf({ ...current, subEndOn: lastDay })
  const endOn = nextLastDay(lastDay, termMonths, anchorDay)
  return { startOn: addDays(lastDay, 1), endOn, reader: { subStartOn, subEndOn: endOn, subAnchorDay: anchorDay } }
}

function firstTerm(termMonths: TermMonths | null, startOn: Day): NewTerm {
  const endOn = termMonths === null ? openEnd : firstLastDay(startOn, termMonths)
  const subAnchorDay = termMonths === null ? null : dayOfMonth(startOn)
  return { startOn, endOn, reader: { subStartOn: startOn, subEndOn: endOn, subAnchorDay } }
}
