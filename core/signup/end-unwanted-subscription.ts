import type { AppContext } from '../context.ts'
import { failureLevel } from '../kernel/errors.ts'
import type { Signup } from './signup-row.ts'

/** Stops the subscription of a sign-up that came to nothing, so that it charges no second month. What fails now is tried again by the sweep. */
export async function endUnwantedSubscription(ctx: AppContext, { id, answers, state }: Signup): Promise<void> {
  const { subscriptionReference, endedAt } = answers
  if (state === 'registered' || !subscriptionReference || endedAt || !ctx.planBilling) return
  try {
    await ctx.planBilling.endSubscription(subscriptionReference)
    await ctx.db.run(`UPDATE signups SET answers = :answers, updated_at = :now WHERE id = :id`, {
      id,
      answers: JSON.stringify({ ...answers, endedAt: ctx.now().toISOString() }),
      now: ctx.now(),
    })
  } catch (error) {
    ctx.log[failureLevel(error)](
      { error, signup: id },
      'the subscription of a sign-up that failed could not be stopped',
    )
  }
}
