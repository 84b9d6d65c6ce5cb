import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { failureLevel } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { endUnwantedSubscription } from './end-unwanted-subscription.ts'
import { settleSignup } from './settle-signup.ts'
import { clearDrafts } from './signup-drafts.rows.ts'
import { clearSignups, type Signup, Signups } from './signups.rows.ts'

/** How long a sign-up is left to the browser before its payment is asked about, in minutes. */
const waitMinutes = 15
const batch = 200
/** How long a sign-up that was never paid is kept. */
const keptDays = 7

/**
 * Finds the sign-ups whose browser never came back and asks the provider what became of each. A paid one is completed where the
 * registration is known, and otherwise marked as paid and waiting for it: the person can still register with the same payment. One
 * that was not paid in time expires, and is cleared away a week later. One that fails stops no other.
 */
export const settleSignups = useCase({
  permission: 'machine:operate',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ asked: number; failed: number; cleared: number }> {
    const { planBilling } = ctx
    const now = ctx.now()
    const before = new Date(now.getTime() - waitMinutes * 60_000)
    const asked = planBilling
      ? await longestUntouched(ctx, `state = 'started' AND updated_at < :before`, { before }, batch)
      : []
    let failed = 0
    for (const signup of asked) {
      try {
        await settleSignup(ctx, signup)
      } catch (error) {
        failed++
        ctx.log[failureLevel(error)]({ error, signup: signup.id }, 'a sign-up could not be settled')
      }
    }
    for (const signup of await longestUntouched(ctx, `state IN ('refund-due', 'replaced')`, {}, 1000))
      await endUnwantedSubscription(ctx, signup)
    const cleared = await clearSignups(ctx, new Date(now.getTime() - keptDays * 86_400_000))
    await clearDrafts(ctx)
    return { asked: asked.length, failed, cleared }
  },
})

function longestUntouched(
  ctx: AppContext,
  where: string,
  values: Record<string, Date>,
  limit: number,
): Promise<Signup[]> {
  return Signups.rows(
    ctx,
    `SELECT ${Signups.columns()} FROM signups WHERE ${where} ORDER BY updated_at, id LIMIT :limit`,
    { ...values, limit },
  )
}
