import { z } from 'zod'
import { sameText } from '../access/tokens.ts'
import type { AppContext } from '../context.ts'
import { isAppError } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { type PaymentProblem, paymentMessages } from './payment.rules.ts'
import { settleSignup } from './settle-signup.ts'
import { planBillingOf } from './signup-billing.ts'
import { findDraft } from './signup-drafts.rows.ts'
import { countSignUpAttempt } from './signup-problems.ts'
import { refundStates, type SignupState } from './signup-status.rules.ts'
import { type Signup, Signups } from './signups.rows.ts'

/**
 * The state of a sign-up. `registered`: the publisher exists. `paid`: paid, and the account is being created. `processing`, `unpaid`: as the provider
 * reports. `refund`: it is or was refunded. `unknown`: not a payment of this browser. `none`: there is no sign-up.
 */
export interface SignupOutcome {
  state: 'registered' | 'paid' | 'processing' | 'unpaid' | 'refund' | 'unknown' | 'none'
  /** The status as text (spec 1, section 4.1); empty if there is no payment. */
  text: string
  email: string | null
}

const statusTexts = {
  succeeded: 'Payment succeeded!',
  processing: paymentMessages.processing,
  unpaid: paymentMessages['requires-payment-method'],
  other: paymentMessages.other,
} as const

/**
 * The outcome of a sign-up, for the page to which the browser returns after the payment. The provider is queried, and a paid sign-up is registered
 * here if that has not happened yet. Only the browser that started it (by its draft) or paid (by the provider's secret) sees the outcome; all others
 * see `unknown`.
 */
export const signupOutcome = useCase({
  permission: 'public',
  input: z.object({
    token: z.string().nullish(),
    paymentIntentId: z.string().max(200).nullish(),
    clientSecret: z.string().max(300).nullish(),
  }),
  transaction: 'none',
  async run(ctx, { token, paymentIntentId, clientSecret }): Promise<SignupOutcome> {
    const draft = await findDraft(ctx, token)
    const draftSignup = draft?.signupId ? await Signups.find(ctx, { id: draft.signupId }) : null
    if (!paymentIntentId) return draftSignup ? outcomeOf(ctx, draftSignup) : { state: 'none', text: '', email: null }
    if (draftSignup?.paymentIntent === paymentIntentId) return outcomeOf(ctx, draftSignup)
    await countSignUpAttempt(ctx, 'complete')
    const signup = await Signups.find(ctx, { paymentIntent: paymentIntentId })
    if (!signup || !(await isPayer(ctx, paymentIntentId, clientSecret ?? '')))
      return { state: 'unknown', text: statusTexts.other, email: null }
    return outcomeOf(ctx, signup)
  },
})

/** Whether the caller has the provider's secret of a payment. A bank's app may open the return page in another browser, without the draft. */
async function isPayer(ctx: AppContext, paymentIntentId: string, clientSecret: string): Promise<boolean> {
  const payment = await planBillingOf(ctx).lookUpPayment(paymentIntentId)
  return payment.clientSecret !== null && sameText(payment.clientSecret, clientSecret)
}

async function outcomeOf(ctx: AppContext, signup: Signup): Promise<SignupOutcome> {
  const problem = await settledProblem(ctx, signup)
  const current = (await Signups.find(ctx, { id: signup.id })) ?? signup
  const { email } = current.answers
  if (current.state === 'registered') {
    // A plan that a code made free has no payment.
    return { state: 'registered', text: current.paymentIntent === null ? '' : statusTexts.succeeded, email }
  }
  if (refundStates.has(current.state)) return { state: 'refund', text: statusTexts.succeeded, email }
  if (current.state === 'paid-unregistered' || problem === null)
    return { state: 'paid', text: statusTexts.succeeded, email }
  if (problem === 'processing') return { state: 'processing', text: statusTexts.processing, email }
  if (problem === 'requires-payment-method') return { state: 'unpaid', text: statusTexts.unpaid, email }
  return { state: 'unknown', text: statusTexts.other, email: null }
}

const settledStates: ReadonlySet<SignupState> = new Set([...refundStates, 'registered', 'paid-unregistered'])

/** The problem of the payment of a sign-up that is still open. If the provider cannot be reached, the payment counts as processing. */
async function settledProblem(ctx: AppContext, signup: Signup): Promise<PaymentProblem | null> {
  if (settledStates.has(signup.state) || signup.paymentIntent === null) return 'other'
  try {
    return await settleSignup(ctx, signup)
  } catch (error) {
    if (!isAppError(error) || error.kind !== 'upstream') throw error
    return 'processing'
  }
}
