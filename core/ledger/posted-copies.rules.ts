import type { Day } from '../kernel/dates.ts'
import { quotient } from './ledger-days.rules.ts'
import type { Earning } from './liability.rules.ts'

export interface ServicePeriod {
  serviceStartOn: Day
  serviceEndOn: Day
  termMonths: number
}

/** The service period of copies that were paid for but not posted yet: in the far future, so that nothing is earned. */
export const untilPosted = {
  serviceStartOn: '9999-12-01',
  serviceEndOn: '9999-12-31',
  termMonths: 1,
} as const satisfies ServicePeriod

/** The service period of posted copies: the whole amount is earned at the end of that day. */
export function servicePostedOn(day: Day): ServicePeriod {
  return { serviceStartOn: day, serviceEndOn: day, termMonths: 1 }
}

export function areUnposted({ serviceEndOn }: Pick<Earning, 'serviceEndOn'>): boolean {
  return serviceEndOn === untilPosted.serviceEndOn
}

/**
 * The postage in each of these amounts, with its sign. It is proportional to the postage in the remaining net amount; the amount that brings the net
 * to zero takes all remaining postage. `entries` are those that the amounts reduce or restore.
 */
export function postageIn(
  entries: readonly { amount: number; postage: number }[],
  amounts: readonly number[],
): number[] {
  let net = 0
  let postage = 0
  for (const entry of entries) {
    net += entry.amount
    postage += entry.postage
  }
  return amounts.map((amount) => {
    if (postage === 0 || net === 0) return 0
    const share = amount === -net ? 0 - postage : quotient(postage * amount, net) + 0
    net += amount
    postage += share
    return share
  })
}
