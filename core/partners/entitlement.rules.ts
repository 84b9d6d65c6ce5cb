import { addDays, startOfDay } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { type SubType, termState } from '../terms/term.rules.ts'

/** The part of a subscription that concerns a partner's program. */
export interface HeldSubscription {
  subType: SubType | ''
  subStartOn: Day
  subEndOn: Day
  firstName: string
  lastName: string
}

/** Why a reader may not read the digital edition now. */
export const refusals = ['none', 'print-only', 'not-started', 'ended'] as const
export type Refusal = (typeof refusals)[number]

export type Entitlement<Sub extends HeldSubscription = HeldSubscription> =
  | { isEntitled: true; subscription: Sub }
  /** `subscription`: the one that comes next, or that ended last, if there is one with a digital edition. */
  | { isEntitled: false; why: Refusal; subscription: Sub | null }

/**
 * Whether the subscriptions of one person let them read the digital edition on a day: a digital or bundle one has to run, its last day
 * included. Of several that run, the one that ends last counts; if none runs, the next one to start, else the one that ended last.
 */
export function entitlementOf<Sub extends HeldSubscription>(subscriptions: readonly Sub[], on: Day): Entitlement<Sub> {
  const digital = subscriptions.filter(({ subType }) => subType === 'digital' || subType === 'bundle')
  const running = latest(digital.filter((subscription) => termState(subscription, on) === 'current'))
  if (running) return { isEntitled: true, subscription: running }
  const coming = digital
    .filter((term) => termState(term, on) === 'future')
    .reduce<Sub | null>((first, term) => (first && first.subStartOn <= term.subStartOn ? first : term), null)
  if (coming) return { isEntitled: false, why: 'not-started', subscription: coming }
  const ended = latest(digital)
  if (ended) return { isEntitled: false, why: 'ended', subscription: ended }
  const hasPrint = subscriptions.some((term) => termState(term, on) === 'current')
  return { isEntitled: false, why: hasPrint ? 'print-only' : 'none', subscription: null }
}

function latest<Sub extends HeldSubscription>(subscriptions: readonly Sub[]): Sub | null {
  return subscriptions.reduce<Sub | null>((last, term) => (last && last.subEndOn >= term.subEndOn ? last : term), null)
}

/** The first second of a subscription, in Unix time. */
export function firstSecond({ subStartOn }: Pick<HeldSubscription, 'subStartOn'>, timeZone: string): number {
  // A blank start is stored as 01/01/1970, when London was an hour ahead of UTC: its Unix time would be negative.
  return Math.max(0, startOfDay(subStartOn, timeZone).getTime() / 1000)
}

/** The last second of a subscription's last day, in Unix time: a program that compares it with the present includes that day, as this code does. */
export function lastSecond({ subEndOn }: Pick<HeldSubscription, 'subEndOn'>, timeZone: string): number {
  return startOfDay(addDays(subEndOn, 1), timeZone).getTime() / 1000 - 1
}
