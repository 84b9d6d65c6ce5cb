import type { AppContext } from '../context.ts'
import { refreshPlanAbout } from '../plans/refresh-plan.ts'
import type { PlanEventSubject } from '../ports/plan-billing.ts'
import { refreshSignupRefund } from '../signup/refund-signup.ts'
import { settlePaidSignup } from '../signup/settle-signup.ts'

type Step = (ctx: AppContext, about: PlanEventSubject) => Promise<unknown>

/**
 * The table of messages about plans: the steps for each event type of the provider, in this order. Each step queries the provider and
 * must be idempotent. A message without a row is stored and changes nothing.
 */
export const planEventSteps: Readonly<Record<string, readonly Step[]>> = {
  'payment_intent.succeeded': [settlePaidSignup],
  'refund.updated': [refreshSignupRefund],
  'refund.failed': [refreshSignupRefund],
  'invoice.paid': [refreshPlanAbout],
  'invoice.payment_failed': [refreshPlanAbout],
  'invoice.voided': [refreshPlanAbout],
  'invoice.marked_uncollectible': [refreshPlanAbout],
  'customer.subscription.created': [refreshPlanAbout],
  'customer.subscription.updated': [refreshPlanAbout],
  'customer.subscription.deleted': [refreshPlanAbout],
}
