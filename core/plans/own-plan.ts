import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { conflict, denied } from '../kernel/errors.ts'
import type { PlanBilling } from '../ports/plan-billing.ts'
import { type AccountRow, Accounts } from '../users/accounts.rows.ts'
import { type PlanBillingStatus, planBillingStatus } from './plan-billing-status.rules.ts'

/** The acting publisher's account, which holds its plan. Throws `denied` for all other users. */
export async function ownPlanAccount(ctx: AppContext): Promise<AccountRow> {
  const { actor } = ctx
  if (actor.kind !== 'staff' || actor.userType !== 'publisher') throw denied()
  const account = await Accounts.find(ctx, { userId: actor.userId })
  if (!account) throw denied()
  return account
}

/** The data that a change of plan needs: the billing, and the provider's ids of the plan and its customer. Throws `conflict` where no plan runs. */
export function runningPlan(
  ctx: AppContext,
  account: AccountRow,
): { billing: PlanBilling; subscriptionReference: string; customerReference: string } {
  const { planSubscriptionReference, planCustomerReference, planState } = account
  if (!ctx.planBilling) throw conflict('Payments for plans are not set up on this installation')
  if (!planSubscriptionReference || !planCustomerReference || planState === null)
    throw conflict('You have no paid plan. Choose one first.')
  if (planState === 'ended') throw conflict('This plan has ended. Choose a plan to come back.')
  return {
    billing: ctx.planBilling,
    subscriptionReference: planSubscriptionReference,
    customerReference: planCustomerReference,
  }
}

/** The billing status of a plan today. */
export function billingStatusOf(
  ctx: Pick<AppContext, 'now' | 'settings'>,
  account: Pick<AccountRow, 'planState' | 'planUnpaidSince' | 'planPeriodEndsAt'>,
): PlanBillingStatus {
  const toDay = (moment: Date | null) => moment && dayOf(moment, ctx.settings.timeZone)
  return planBillingStatus(
    { state: account.planState, unpaidSince: toDay(account.planUnpaidSince), endsOn: toDay(account.planPeriodEndsAt) },
    dayOf(ctx.now(), ctx.settings.timeZone),
  )
}
