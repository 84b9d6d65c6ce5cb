import type { AppContext } from '../context.ts'
import { failureLevel } from '../kernel/errors.ts'
import { isRegistrable } from './signup-status.rules.ts'
import { type Signup, Signups } from './signups.rows.ts'

/**
 * Stops the subscription of a failed sign-up, so that no second month is charged. A sign-up that is registered, or still can be, keeps its
 * subscription. If the provider fails, the sweep (`settleSignups`) retries.
 */
export async function endUnwantedSubscription(ctx: AppContext, signup: Signup): Promise<void> {
  const { id, answers, state, problem, paidAt } = signup
  const { subscriptionReference, endedAt } = answers
  if (state === 'registered' || isRegistrable({ state, problem, isPaid: paidAt !== null })) return
  if (!subscriptionReference || endedAt || !ctx.planBilling) return
  try {
    await ctx.planBilling.endSubscription(subscriptionReference)
    await Signups.update(ctx, { id }, { answers: { ...answers, endedAt: ctx.now().toISOString() } })
  } catch (error) {
    ctx.log[failureLevel(error)](
      { error, signup: id },
      'the subscription of a sign-up that failed could not be stopped',
    )
  }
}
