import { addDays } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'

/** How many days after a failed charge new subscriptions are still sold. */
export const daysOfSalesAfterFailure = 14

/** On which days after a failed charge the publisher is notified by email; the last email says that no new subscriptions are sold. */
export const noticeDays = [0, 7, daysOfSalesAfterFailure] as const

/** `none`: nothing is charged here. */
export type PlanBillingStatus =
  | { kind: 'none' }
  | { kind: 'active' }
  | { kind: 'unpaid'; since: Day; stopsOn: Day; isStopped: boolean }
  | { kind: 'ended'; on: Day }

/** The state of a plan on a day, by what its provider last reported. */
export function planBillingStatus(
  plan: { state: 'active' | 'past-due' | 'ended' | null; unpaidSince: Day | null; endsOn: Day | null },
  today: Day,
): PlanBillingStatus {
  switch (plan.state) {
    case null:
      return { kind: 'none' }
    case 'active':
      return { kind: 'active' }
    case 'ended':
      return { kind: 'ended', on: plan.endsOn ?? today }
    case 'past-due': {
      const since = plan.unpaidSince ?? today
      const stopsOn = addDays(since, daysOfSalesAfterFailure)
      return { kind: 'unpaid', since, stopsOn, isStopped: stopsOn <= today }
    }
  }
}

/** Whether storefronts take new subscriptions. Existing ones continue either way: renewals, readers, mailing files, exports. */
export function sellsSubscriptions(billingStatus: PlanBillingStatus): boolean {
  return (
    billingStatus.kind === 'none' ||
    billingStatus.kind === 'active' ||
    (billingStatus.kind === 'unpaid' && !billingStatus.isStopped)
  )
}

/** How many of the emails about an unpaid plan are due. */
export function noticesDue(since: Day, today: Day): number {
  return noticeDays.filter((days) => addDays(since, days) <= today).length
}
