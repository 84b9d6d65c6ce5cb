import type { AppContext } from '../context.ts'
import { failureLevel } from '../kernel/errors.ts'
import { type Signup, Signups } from './signups.rows.ts'

/** Stops the subscription of a sign-up that came to nothing, so that it charges no second month. What fails now is tried again by the sweep. */
export async function endUnwantedSubscription(ctx: AppContext, { id, answers, state }: Signup): Promise<void> {
  const { subscriptionReference, endedAt } = answers
  if (state === 'registered' || !subscriptionReference || endedAt || !ctx.planBilling) return
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
