import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { type Signup, Signups } from './signups.rows.ts'

/** Money that was paid for nothing is written down where a superuser sees it. Within a transaction. */
export async function markRefundDue(ctx: AppContext, { id, answers, paymentIntent }: Signup): Promise<void> {
  await Signups.update(ctx, { id }, { state: 'refund-due', passwordHash: null })
  await recordAudit(
    ctx,
    'sign-up-refund-due',
    { type: 'signup', id },
    { amount: answers.amount, currency: 'GBP', payment: paymentIntent },
  )
  const facts = { signup: id, amount: answers.amount, payment: paymentIntent }
  ctx.db.afterCommit(() => ctx.log.warn(facts, 'a paid sign-up has to be refunded'))
}
