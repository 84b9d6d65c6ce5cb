import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { failureLevel } from '../kernel/errors.ts'
import type { PlanBilling } from '../ports/plan-billing.ts'
import { useCase } from '../use-case.ts'
import { endUnwantedSubscription } from './end-unwanted-subscription.ts'
import { finishSignup } from './finish-signup.ts'
import { paymentProblem } from './payment.rules.ts'
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
        if (planBilling) await settle(ctx, planBilling, signup)
      } catch (error) {
        failed++
        ctx.log[failureLevel(error)]({ error, signup: signup.id }, 'a sign-up could not be settled')
      }
    }
    for (const signup of await longestUntouched(ctx, `state = 'refund-due'`, {}, 1000))
      await endUnwantedSubscription(ctx, signup)
    const cleared = await clearSignups(ctx, new Date(now.getTime() - keptDays * 86_400_000))
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

async function settle(ctx: AppContext, billing: PlanBilling, signup: Signup): Promise<void> {
  const { answers, paymentIntent, passwordHash } = signup
  const payment = paymentIntent === null ? null : await billing.lookUpPayment(paymentIntent)
  const problem = payment ? paymentProblem(signup, payment) : 'foreign'
  if (problem === null || problem === 'other-amount') {
    if (problem === null && answers.person && passwordHash)
      await finishSignup(ctx, signup, answers.person, passwordHash)
    else await markUnregistered(ctx, signup)
    return
  }
  const isOver = problem !== 'processing' && signup.expiresAt <= ctx.now()
  // Touched either way: the others have their turn first.
  await Signups.update(ctx, { id: signup.id, state: 'started' }, { state: isOver ? 'expired' : 'started' })
}

/** Paid, and nobody came to register: written down where a superuser sees it. */
async function markUnregistered(ctx: AppContext, { id, answers, paymentIntent }: Signup): Promise<void> {
  await ctx.db.transaction(async () => {
    const marked = await Signups.update(ctx, { id, state: 'started' }, { state: 'paid-unregistered' })
    if (marked === 0) return
    await recordAudit(
      ctx,
      'sign-up-unregistered',
      { type: 'signup', id },
      { amount: answers.amount, currency: 'GBP', plan: answers.planKey, payment: paymentIntent },
    )
    ctx.db.afterCommit(() =>
      ctx.log.warn({ signup: id, payment: paymentIntent }, 'a sign-up is paid, but nobody has registered'),
    )
  })
}
