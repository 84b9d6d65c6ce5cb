import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import type { PlanEventSubject } from '../ports/plan-billing.ts'
import { planBillingOf } from './begin-signup.ts'
import { endUnwantedSubscription } from './end-unwanted-subscription.ts'
import { finishSignup } from './finish-signup.ts'
import { markRefundDue } from './mark-refund-due.ts'
import { type PaymentProblem, paymentProblem } from './payment.rules.ts'
import { type Signup, type SignupState, Signups } from './signups.rows.ts'

/** Money may still come for these. */
const openStates: ReadonlySet<SignupState> = new Set(['started', 'expired', 'replaced'])

/** Settles the sign-up that a payment was made for, if it is one's: most payments are the later months of plans. */
export async function settlePaidSignup(ctx: AppContext, { payment }: PlanEventSubject): Promise<void> {
  const signup = payment === null ? null : await Signups.find(ctx, { paymentIntent: payment })
  if (signup && openStates.has(signup.state)) await settleSignup(ctx, signup)
}

/**
 * Asks the provider what became of a sign-up's payment. A paid one is completed where the registration is known, and otherwise marked as
 * paid and waiting for it. One that was not paid in time expires. Gives what is wrong with the payment.
 */
export async function settleSignup(ctx: AppContext, signup: Signup): Promise<PaymentProblem | null> {
  const { answers, paymentIntent, passwordHash } = signup
  const payment = paymentIntent === null ? null : await planBillingOf(ctx).lookUpPayment(paymentIntent)
  const problem = payment ? paymentProblem(signup, payment) : 'foreign'
  if (problem === null || problem === 'other-amount') {
    if (signup.state === 'replaced') await refundReplaced(ctx, signup)
    else if (problem === null && answers.person && passwordHash)
      await finishSignup(ctx, signup, answers.person, passwordHash)
    else await markUnregistered(ctx, signup)
    return problem
  }
  const isOver = problem !== 'processing' && signup.expiresAt <= ctx.now()
  // Touched either way: the others have their turn first.
  await Signups.update(ctx, { id: signup.id, state: 'started' }, { state: isOver ? 'expired' : 'started' })
  return problem
}

/** Paid after its person had chosen something else, whose payment is another one. */
async function refundReplaced(ctx: AppContext, { id }: Signup): Promise<void> {
  await ctx.db.transaction(async () => {
    const signup = await Signups.find(ctx, { id }, { isLocked: true })
    if (signup?.state === 'replaced') await markRefundDue(ctx, signup)
  })
  const due = await Signups.find(ctx, { id })
  if (due) await endUnwantedSubscription(ctx, due)
}

/** Paid, and nobody came to register: written down where a superuser sees it. */
async function markUnregistered(ctx: AppContext, { id, state, answers, paymentIntent }: Signup): Promise<void> {
  await ctx.db.transaction(async () => {
    const marked = await Signups.update(ctx, { id, state }, { state: 'paid-unregistered' })
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
