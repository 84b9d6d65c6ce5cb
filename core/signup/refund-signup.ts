import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { conflict, failureLevel, isAppError, notFound } from '../kernel/errors.ts'
import type { RefundResult } from '../ports/payment-gateway.ts'
import { useCase } from '../use-case.ts'
import { endUnwantedSubscription } from './end-unwanted-subscription.ts'
import { signupId } from './signup.input.ts'
import { planBillingOf } from './signup-billing.ts'
import { isUnsettled, type SignupState } from './signup-status.rules.ts'
import { lockedSignup, type Signup, Signups, settlerOf } from './signups.rows.ts'

/**
 * Refunds what was paid for a sign-up without a publisher, and stops its subscription. The request is stored first; then the provider is called with
 * an idempotency key that changes only after a refusal: if it is called twice, by two people or after a lost response, there is one refund.
 */
export const refundSignup = useCase({
  permission: 'sign-up:settle',
  input: z.object({ id: signupId }),
  transaction: 'none',
  async run(ctx, { id }): Promise<{ state: SignupState; problem: string | null }> {
    planBillingOf(ctx)
    const signup = await ctx.db.transaction(() => beginRefund(ctx, id))
    if (signup.state === 'refunding') await requestSignupRefund(ctx, signup)
    const { state, refundProblem } = (await Signups.find(ctx, { id })) ?? signup
    return { state, problem: refundProblem }
  },
})

/** Stores the refund request under a lock. Of several concurrent refunds and registrations, the first wins. */
async function beginRefund(ctx: AppContext, id: number): Promise<Signup> {
  const signup = await lockedSignup(ctx, id)
  if (!signup) throw notFound('The sign-up')
  const { state, answers, paymentIntent } = signup
  if (state === 'refunding' || state === 'refunded') return signup
  if (!isUnsettled({ ...signup, isPaid: signup.paidAt !== null }))
    throw conflict('This sign-up was settled in the meantime: nothing was refunded')
  const settledBy = settlerOf(ctx)
  await Signups.update(ctx, { id }, { state: 'refunding', settledBy, refundProblem: null })
  await recordAudit(
    ctx,
    'refund-sign-up',
    { type: 'signup', id },
    { amount: amountOf(signup), currency: signup.paidCurrency ?? 'GBP', plan: answers.planKey, payment: paymentIntent },
  )
  return { ...signup, state: 'refunding', settledBy }
}

const amountOf = ({ paidAmount, answers }: Signup) => paidAmount ?? answers.amount

/**
 * Requests the stored refund of a sign-up from the provider, outside any transaction, and stores the result; a repeated request returns the current
 * result. If the provider does not respond, the sweep (`settleSignups`) retries.
 */
export async function requestSignupRefund(ctx: AppContext, signup: Signup): Promise<void> {
  const { id, reference, paymentIntent, refundTries } = signup
  if (paymentIntent === null) return
  let result: RefundResult
  try {
    result = await planBillingOf(ctx).refundPayment({
      paymentIntentId: paymentIntent,
      amount: amountOf(signup),
      idempotencyKey: `signup-${reference}-refund-${refundTries}`,
    })
  } catch (error) {
    if (isAppError(error) && error.kind !== 'upstream') throw error
    ctx.log[failureLevel(error)](
      { error, signup: id },
      'the refund of a sign-up got no response; it is requested again',
    )
    await Signups.update(ctx, { id, state: 'refunding' }, {})
    return
  }
  await ctx.db.transaction(() => storeRefundResult(ctx, signup, result))
  const settled = await Signups.find(ctx, { id })
  if (settled) await endUnwantedSubscription(ctx, settled)
}

/** Handles the provider's message about a refund, by querying its result: even a successful refund may fail days later. */
export async function refreshSignupRefund(ctx: AppContext, { payment }: { payment: string | null }): Promise<void> {
  const signup = payment === null ? null : await Signups.find(ctx, { paymentIntent: payment })
  if (signup?.state === 'refunding' || signup?.state === 'refunded') await requestSignupRefund(ctx, signup)
}

async function storeRefundResult(ctx: AppContext, signup: Signup, result: RefundResult): Promise<void> {
  const { id, refundTries } = signup
  const current = await lockedSignup(ctx, id)
  // Otherwise a concurrent call has already stored a response.
  if (current?.refundTries !== refundTries || (current.state !== 'refunding' && current.state !== 'refunded')) return
  const reference = result.reference ?? current.refundReference
  const facts = { amount: amountOf(current), currency: current.paidCurrency ?? 'GBP', payment: current.paymentIntent }
  if (result.state === 'failed' || result.state === 'cancelled') {
    const problem = result.reason.slice(0, 300)
    await Signups.update(
      ctx,
      { id },
      {
        state: 'refund-due',
        problem: 'refund-refused',
        refundProblem: problem,
        refundTries: refundTries + 1,
        refundReference: reference,
        settledAt: null,
        settledBy: null,
        passwordHash: null,
      },
    )
    await recordAudit(ctx, 'sign-up-refund-refused', { type: 'signup', id }, { ...facts, reason: problem })
  } else if (current.state === 'refunding' && result.state === 'succeeded') {
    await Signups.update(
      ctx,
      { id },
      { state: 'refunded', refundReference: reference, settledAt: ctx.now(), passwordHash: null },
    )
    await recordAudit(ctx, 'sign-up-refunded', { type: 'signup', id }, facts)
  } else await Signups.update(ctx, { id }, { refundReference: reference })
}
