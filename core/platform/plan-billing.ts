import type { Database } from '#core/database.ts'
import type { PlanBilling } from '#core/ports/plan-billing.ts'
import { makeDemoPlanBilling } from './demo-plan-billing.ts'
import type { Env } from './env.ts'
import { makeStripePlanBilling } from './stripe-plan-billing.ts'

/**
 * How this installation charges for plans: its own Stripe account, or outside production a fake. In production without keys
 * no publisher can sign up, so that no unpaid account is created by mistake.
 */
export function makePlanBilling(
  db: Database,
  { planStripeKeys, stripeApiBase, isProduction }: Env,
  now: () => Date,
): PlanBilling | null {
  if (planStripeKeys) return makeStripePlanBilling({ ...planStripeKeys, apiBase: stripeApiBase })
  return isProduction ? null : makeDemoPlanBilling(db, now)
}
