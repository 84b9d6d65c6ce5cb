import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import type { PlanEventSubject } from '../ports/plan-billing.ts'
import { addPublisher } from './add-publisher.ts'
import { endUnwantedSubscription } from './end-unwanted-subscription.ts'
import { markRefundDue } from './mark-refund-due.ts'
import { type PaymentProblem, paymentProblem } from './payment.rules.ts'
import { planBillingOf } from './signup-billing.ts'
import type { SignupState } from './signup-status.rules.ts'
import { type Signup, Signups, storePaid } from './signups.rows.ts'

/** The states in which a payment may still arrive. */
const openStates: ReadonlySet<SignupState> = new Set(['started', 'expired', 'replaced'])

/** Settles the sign-up that a payment is for. Most payments have none: they are for later months of plans. */
export async function settlePaidSignup(ctx: AppContext, { payment }: PlanEventSubject): Promise<void> {
  const signup = payment === null ? null : await Signups.find(ctx, { paymentIntent: payment })
  if (signup && openStates.has(signup.state)) await settleSignup(ctx, signup)
}

/**
 * Queries the outcome of a sign-up's payment. A paid sign-up is completed if its registration is known, and otherwise marked as paid but
 * unregistered. One with a free subscription, whose process stopped before the registration, is completed too. One that was not paid in time expires.
 * Returns the problem of the payment, or null.
 */
export async function settleSignup(ctx: AppContext, signup: Signup): Promise<PaymentProblem | null> {
  const { id, state, answers, passwordHash, paymentIntent } = signup
  const isFree = paymentIntent === null && answers.amount === 0 && answers.subscriptionReference !== null
  if (isFree && state !== 'replaced' && answers.person && passwordHash) {
    await addPublisher(ctx, signup, answers.person, passwordHash)
    return null
  }
  const problem = await checkSignupPayment(ctx, signup)
  if (problem === null || problem === 'other-amount') {
    if (state === 'replaced') await refundReplaced(ctx, signup)
    else if (problem === null && answers.person && passwordHash)
      await addPublisher(ctx, signup, answers.person, passwordHash)
    else await markUnregistered(ctx, signup, problem ?? 'no-details')
    return problem
  }
  const isOver = state === 'started' && problem !== 'processing' && signup.expiresAt <= ctx.now()
  // Updated in any case, so that the sweep, which takes the least recently updated, comes to the other sign-ups first.
  await Signups.update(ctx, { id, state }, { state: isOver ? 'expired' : state })
  return problem
}

/** The problem of a sign-up's payment, as the provider reports it. If it was paid, that is stored first, before it has any effect. */
export async function checkSignupPayment(ctx: AppContext, signup: Signup): Promise<PaymentProblem | null> {
  if (signup.paymentIntent === null) return 'foreign'
  const payment = await planBillingOf(ctx).lookUpPayment(signup.paymentIntent)
  const problem = paymentProblem(signup, payment)
  if (problem === 'other-amount')
    ctx.log.error(
      { signup: signup.id, paid: payment.amount, currency: payment.currency, wanted: signup.answers.amount },
      'the amount paid for a sign-up is not the amount due',
    )
  if ((problem === null || problem === 'other-amount') && signup.paidAt === null) await storePaid(ctx, signup, payment)
  return problem
}

/** Marks a payment as due for refund that was made after the person had chosen another plan, which has its own payment. */
async function refundReplaced(ctx: AppContext, signup: Signup): Promise<void> {
  await markRefundDue(ctx, signup, 'plan-changed')
  const due = await Signups.find(ctx, { id: signup.id })
  if (due) await endUnwantedSubscription(ctx, due)
}

/** Marks a paid sign-up that cannot be registered automatically, for superusers to see. */
async function markUnregistered(
  ctx: AppContext,
  { id, state, answers, paymentIntent }: Signup,
  problem: 'no-details' | 'other-amount',
): Promise<void> {
  await ctx.db.transaction(async () => {
    const marked = await Signups.update(ctx, { id, state }, { state: 'paid-unregistered', problem })
    if (marked === 0) return
    await recordAudit(
      ctx,
      'sign-up-unregistered',
      { type: 'signup', id },
      { amount: answers.amount, currency: 'GBP', plan: answers.planKey, payment: paymentIntent, problem },
    )
    ctx.db.afterCommit(() =>
      ctx.log.warn({ signup: id, payment: paymentIntent, problem }, 'a sign-up is paid, but nobody has registered'),
    )
  })
}
