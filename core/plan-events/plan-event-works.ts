import type { AppContext } from '../context.ts'
import { refreshPlanAbout } from '../plans/refresh-plan.ts'
import type { PlanEventSubject } from '../ports/plan-billing.ts'
import { refreshSignupRefund } from '../signup/refund-signup.ts'
import { settlePaidSignup } from '../signup/settle-signup.ts'

type Work = (ctx: AppContext, about: PlanEventSubject) => Promise<unknown>

/**
 * THE table of messages about plans: what is done by the provider's word for what happened, in this order. Each work asks the provider and
 * has to stand being done again. A message without a row is kept and changes nothing.
 */
export const planEventWorks: Readonly<Record<string, readonly Work[]>> = {
  'payment_intent.succeeded': [settlePaidSignup],
  'refund.updated': [refreshSignupRefund],
  'refund.failed': [refreshSignupRefund],
  'invoice.paid': [refreshPlanAbout],
  'invoice.payment_failed': [refreshPlanAbout],
  'invoice.voided': [refreshPlanAbout],
  'customer.subscription.created': [refreshPlanAbout],
  'customer.subscription.updated': [refreshPlanAbout],
  'customer.subscription.deleted': [refreshPlanAbout],
}
