import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import type { SignupProblem } from './signup-status.rules.ts'
import { type Signup, Signups } from './signups.rows.ts'

/**
 * Marks the payment of a sign-up as due for refund, for superusers to see. False if the sign-up's state has changed meanwhile. The password is kept
 * if the sign-up may still be registered with another email.
 */
export function markRefundDue(ctx: AppContext, signup: Signup, problem: SignupProblem): Promise<boolean> {
  const { id, state, answers, paymentIntent } = signup
  return ctx.db.transaction(async () => {
    const marked = await Signups.update(
      ctx,
      { id, state, problem: signup.problem },
      {
        state: 'refund-due',
        problem,
        paidAt: signup.paidAt ?? ctx.now(),
        ...(problem === 'email-taken' ? {} : { passwordHash: null }),
      },
    )
    if (marked === 0) return false
    await recordAudit(
      ctx,
      'sign-up-refund-due',
      { type: 'signup', id },
      { amount: answers.amount, currency: 'GBP', payment: paymentIntent, problem },
    )
    const facts = { signup: id, amount: answers.amount, payment: paymentIntent, problem }
    ctx.db.afterCommit(() => ctx.log.warn(facts, 'a paid sign-up has to be refunded'))
    return true
  })
}
