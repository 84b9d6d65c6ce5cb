import type { Day } from '../kernel/dates.ts'
import { quotient } from './ledger-days.rules.ts'
import type { Earning } from './liability.rules.ts'

export interface ServicePeriod {
  serviceStartOn: Day
  serviceEndOn: Day
  termMonths: number
}

/** The service period of copies that were paid for and not posted yet: in the far future, so that no part is earned. */
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
 * The postage in each of these amounts, with its sign: in proportion to the rest of the order, so that the last of it takes the remaining
 * postage. `left` are the entries that they reduce, or restore.
 */
export function postageIn(left: readonly { amount: number; postage: number }[], amounts: readonly number[]): number[] {
  let [net, postage] = [0, 0]
  for (const entry of left) {
    net += entry.amount
    postage += entry.postage
  }
  return amounts.map((amount) => {
    if (postage === 0 || net === 0) return 0
    const own = amount === -net ? 0 - postage : quotient(postage * amount, net) + 0
    net += amount
    postage += own
    return own
  })
}
