import { addMonths, type Day, openEnd } from '../kernel/dates.ts'

/** The subscription types a reader can hold; empty is a reader without a subscription. */
export const subTypes = ['print', 'digital', 'bundle'] as const
export type SubType = (typeof subTypes)[number]

export type TermState = 'none' | 'future' | 'current' | 'expired'

/** Where a reader's subscription stands on a day. The last day of a term still counts; an open end never expires. */
export function termState(reader: { subType: string; subStartOn: Day; subEndOn: Day }, on: Day): TermState {
  if (reader.subType === '') return 'none'
  if (reader.subStartOn > on) return 'future'
  return reader.subEndOn >= on || reader.subEndOn === openEnd ? 'current' : 'expired'
}

/**
 * The start and end of a bought term. A running subscription is carried on from its end, so that nothing paid for is lost; one that is
 * over, open-ended or not there yet starts on the given day.
 */
export function boughtTerm(
  held: { subType: string; subStartOn: Day; subEndOn: Day } | null,
  months: number,
  on: Day,
): { startOn: Day; endOn: Day } {
  const carriesOn = held && held.subEndOn !== openEnd && termState(held, on) === 'current'
  const startOn = carriesOn ? held.subEndOn : on
  return { startOn, endOn: addMonths(startOn, months) }
}
