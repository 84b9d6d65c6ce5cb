import type { Database } from '#core/database.ts'
import type { PlanBilling } from '#core/ports/plan-billing.ts'
import { makeDemoPlanBilling } from './demo-plan-billing.ts'
import type { Env } from './env.ts'
import { makeStripePlanBilling } from './stripe-plan-billing.ts'

/**
 * How this installation charges for plans: its own Stripe account, or outside production a stand-in. Production without keys has no
 * sign-up: an account that nobody pays for is nothing to give away by mistake.
 */
export function makePlanBilling(
  db: Database,
  { planStripeKeys, stripeApiBase, isProduction }: Env,
  now: () => Date,
): PlanBilling | null {
  if (planStripeKeys) return makeStripePlanBilling({ ...planStripeKeys, apiBase: stripeApiBase })
  return isProduction ? null : makeDemoPlanBilling(db, now)
}
