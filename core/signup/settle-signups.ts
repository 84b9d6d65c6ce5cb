import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { asInstant } from '../database.ts'
import { failureLevel } from '../kernel/errors.ts'
import type { PlanBilling } from '../ports/plan-billing.ts'
import { useCase } from '../use-case.ts'
import { endUnwantedSubscription } from './end-unwanted-subscription.ts'
import { finishSignup } from './finish-signup.ts'
import { paymentProblem } from './payment.rules.ts'
import { findSignups, type Signup } from './signup-row.ts'

/** How long a sign-up is left to the browser before its payment is asked about, in minutes. */
const patienceMinutes = 15
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
    const before = new Date(now.getTime() - patienceMinutes * 60_000)
    const asked = planBilling
      ? await findSignups(ctx, `state = 'started' AND updated_at < :before`, { before }, batch)
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
    for (const signup of await findSignups(ctx, `state = 'refund-due'`, {})) await endUnwantedSubscription(ctx, signup)
    const cleared = await ctx.db.run(`DELETE FROM signups WHERE state = 'expired' AND expires_at < :weekAgo`, {
      weekAgo: new Date(now.getTime() - keptDays * 86_400_000),
    })
    return { asked: asked.length, failed, cleared }
  },
})

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
  const isOver = problem !== 'processing' && asInstant(signup.expiresAt) <= ctx.now()
  // Touched either way: the others have their turn first.
  await ctx.db.run(`UPDATE signups SET state = :state, updated_at = :now WHERE id = :id AND state = 'started'`, {
    id: signup.id,
    state: isOver ? 'expired' : 'started',
    now: ctx.now(),
  })
}

/** Paid, and nobody came to register: written down where a superuser sees it. */
async function markUnregistered(ctx: AppContext, { id, answers, paymentIntent }: Signup): Promise<void> {
  await ctx.db.transaction(async () => {
    const marked = await ctx.db.run(
      `UPDATE signups SET state = 'paid-unregistered', updated_at = :now WHERE id = :id AND state = 'started'`,
      { id, now: ctx.now() },
    )
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
