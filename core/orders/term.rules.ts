import { addMonths, type Day, openEnd } from '../kernel/dates.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'

/** The subscription a reader has now; an empty type is none. */
export interface CurrentTerm {
  subType: Product | ''
  subStartOn: Day
  subEndOn: Day
}

/** What an order pays for, and what the reader's record says after it. */
export interface NewTerm {
  startOn: Day
  endOn: Day
  reader: { subStartOn: Day; subEndOn: Day }
}

/** Whether the bought product goes on from the running one: the same, or the bundle that holds it. */
function goesOnFrom(running: Product, bought: Product): boolean {
  return running === bought || bought === 'bundle'
}

/** Whether a subscription is running on a day: its end day is the first without it. */
function isRunning(current: CurrentTerm | null, today: Day): current is CurrentTerm & { subType: Product } {
  return current !== null && current.subType !== '' && current.subEndOn > today
}

/**
 * The term an order buys. A new one starts today; a running one is extended from its end. A reader who has the product until further
 * notice keeps that: a purchase never shortens what somebody has. Null when the reader is in the middle of another product: then the
 * order needs a reader record of its own, so that neither is lost nor given away.
 */
export function newTerm(
  current: CurrentTerm | null,
  bought: { product: Product; termMonths: TermMonths | null },
  today: Day,
): NewTerm | null {
  const endFrom = (start: Day) => (bought.termMonths === null ? openEnd : addMonths(start, bought.termMonths))
  const fresh = { startOn: today, endOn: endFrom(today) }
  if (!isRunning(current, today)) return { ...fresh, reader: { subStartOn: fresh.startOn, subEndOn: fresh.endOn } }
  if (!goesOnFrom(current.subType, bought.product)) return null
  if (current.subEndOn >= openEnd) {
    if (current.subType !== bought.product) return { ...fresh, reader: { subStartOn: today, subEndOn: fresh.endOn } }
    return { ...fresh, reader: { subStartOn: current.subStartOn, subEndOn: openEnd } }
  }
  if (bought.termMonths === null) return { ...fresh, reader: { subStartOn: current.subStartOn, subEndOn: openEnd } }
  const endOn = endFrom(current.subEndOn)
  return { startOn: current.subEndOn, endOn, reader: { subStartOn: current.subStartOn, subEndOn: endOn } }
}
