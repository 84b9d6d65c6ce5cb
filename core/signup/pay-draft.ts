import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { AppError, conflict, invalid } from '../kernel/errors.ts'
import { paymentDeclinedMessage } from '../payment-methods/declined-message.rules.ts'
import type { PlanBilling } from '../ports/plan-billing.ts'
import { monthlyTotal, type PublisherPlan, planFor, priceTypeOf } from '../pricing/publisher-plans.rules.ts'
import { useCase } from '../use-case.ts'
import { emailTakenProblem } from '../users/taken-email.ts'
import { addPublisher } from './add-publisher.ts'
import { endUnwantedSubscription } from './end-unwanted-subscription.ts'
import { paymentMessages } from './payment.rules.ts'
import { settleSignup } from './settle-signup.ts'
import type { Person } from './signup.input.ts'
import { couponOf, planBillingOf, startBilling, writeSignup } from './signup-billing.ts'
import { draftExpiry, draftOf, type SignupDraft, SignupDrafts } from './signup-drafts.rows.ts'
import { countSignUpAttempt, emailTaken } from './signup-problems.ts'
import { type Signup, Signups } from './signups.rows.ts'
import { firstOpenStep, type WizardStep } from './wizard-steps.rules.ts'

/** The outcome of the last sign-up page. */
export type DraftPayment =
  /** An earlier step has to be answered first. */
  | { next: 'step'; step: WizardStep }
  /** The browser pays at the provider. */
  | { next: 'pay'; clientSecret: string; publishableKey: string; amount: number }
  /** Nothing more to pay: the browser shows the outcome. */
  | { next: 'done'; paymentIntentId: string | null }

/** The provider cancels a first payment after 23 hours; this long before a sign-up expires, its payment is not resumed. */
const lastHoursMs = 3 * 3_600_000

/**
 * Starts the payment of a sign-up whose steps are answered, or resumes the one that was started for the same answers: if it is called twice, in two
 * tabs or after Back, there is only one payment. If the plan, price, email or name has changed, a new payment replaces the old one, which is stopped
 * first. A plan that a coupon makes free is registered immediately.
 */
export const payDraft = useCase({
  permission: 'public',
  input: z.object({ token: z.string(), cardNumber: z.string().trim().max(40).optional() }),
  transaction: 'none',
  async alsoCheck(ctx) {
    await countSignUpAttempt(ctx, 'start')
    return {}
  },
  async run(ctx, { token, cardNumber }): Promise<DraftPayment> {
    const draft = await draftOf(ctx, token)
    const earlier = draft.signupId === null ? null : await Signups.find(ctx, { id: draft.signupId })
    if (earlier && (await isPaid(ctx, earlier))) return { next: 'done', paymentIntentId: earlier.paymentIntent }
    const step = firstOpenStep(draft.answers)
    if (step !== 'pay') return { next: 'step', step }
    const billing = planBillingOf(ctx)
    const choice = await checkedChoice(ctx, billing, draft)
    const amount = monthlyTotal(choice.plan, choice.priceType, choice.coupon?.percentOff ?? 0)
    if (amount > 0) checkTestCard(billing, cardNumber)
    const { signup, replaced } = await reuseOrStartSignup(ctx, draft, choice, amount)
    if (replaced) await stopReplaced(ctx, replaced)
    const { started, signup: billed } = await startBilling(ctx, billing, signup)
    if (started.payment && billing.takesMoney) {
      const { clientSecret } = started.payment
      return { next: 'pay', clientSecret, publishableKey: billing.publishableKey, amount }
    }
    if (!(await addPublisher(ctx, billed, choice.person, choice.passwordHash))) throw invalid({ email: emailTaken })
    return { next: 'done', paymentIntentId: billed.paymentIntent }
  },
})

/** Whether the payment of an earlier sign-up succeeded meanwhile. Throws if it is still processing: it must not be made twice. */
async function isPaid(ctx: AppContext, signup: Signup): Promise<boolean> {
  if (signup.state === 'registered' || signup.state === 'paid-unregistered') return true
  if (signup.state !== 'started' || signup.paymentIntent === null) return false
  const problem = await settleSignup(ctx, signup)
  if (problem === 'processing') throw conflict(paymentMessages.processing)
  return problem === null || problem === 'other-amount'
}

interface PlanChoice {
  plan: PublisherPlan
  priceType: ReturnType<typeof priceTypeOf>
  coupon: Awaited<ReturnType<typeof couponOf>>
  person: Person
  passwordHash: string
}

/** The choices of a draft, checked again: meanwhile, the email may have been taken or the coupon may have expired. */
async function checkedChoice(
  ctx: AppContext,
  billing: PlanBilling,
  { answers, passwordHash }: SignupDraft,
): Promise<PlanChoice> {
  const { person, company, plan: planChoice, coupon: storedCoupon } = answers
  const plan = planFor(planChoice.titles, planChoice.kind)
  if (!person || !company || !plan || !passwordHash) throw conflict('Some steps have not been answered yet')
  const emailProblem = await emailTakenProblem(ctx, person.email)
  if (emailProblem.email) throw invalid({ email: emailTaken })
  const coupon = storedCoupon ? await couponOf(billing, storedCoupon.id) : null
  return { plan, priceType: priceTypeOf(company.country), coupon, person: { ...person, ...company }, passwordHash }
}

/** Checks the card of the demo provider before anything is started, since that provider reports every payment as made. */
function checkTestCard(billing: PlanBilling, cardNumber: string | undefined): void {
  if (!billing.checkCard) return
  if (!cardNumber) throw invalid({ cardNumber: 'Required' })
  const result = billing.checkCard(cardNumber)
  if (result === 'invalid') throw invalid({ cardNumber: 'The card number is not valid' })
  if (result === 'declined') throw new AppError('declined', paymentDeclinedMessage)
}

/** The sign-up to be paid: the draft's sign-up, updated, if it was started for the same answers; otherwise a new one, which replaces it. */
function reuseOrStartSignup(
  ctx: AppContext,
  { id: draftId }: SignupDraft,
  choice: PlanChoice,
  amount: number,
): Promise<{ signup: Signup; replaced: Signup | null }> {
  const { plan, priceType, coupon, person, passwordHash } = choice
  return ctx.db.transaction(async () => {
    const draft = await SignupDrafts.find(ctx, { id: draftId }, { isLocked: true })
    const last = draft?.signupId ? await Signups.find(ctx, { id: draft.signupId }, { isLocked: true }) : null
    if (last && isStartedFor(ctx, last, choice, amount)) {
      const answers = { ...last.answers, person }
      await Signups.update(ctx, { id: last.id, state: 'started' }, { answers, passwordHash })
      return { signup: { ...last, answers, passwordHash }, replaced: null }
    }
    const isReplaced =
      last !== null && (await Signups.update(ctx, { id: last.id, state: 'started' }, { state: 'replaced' })) > 0
    const name = `${person.firstName} ${person.lastName}`.slice(0, 200)
    const signup = await writeSignup(ctx, { plan, priceType, coupon, email: person.email, name, person, passwordHash })
    await SignupDrafts.update(ctx, { id: draftId }, { signupId: signup.id, expiresAt: draftExpiry(ctx) })
    return { signup, replaced: isReplaced ? last : null }
  })
}

function isStartedFor(
  ctx: AppContext,
  { state, answers, expiresAt }: Signup,
  choice: PlanChoice,
  amount: number,
): boolean {
  const { plan, priceType, coupon, person } = choice
  return (
    state === 'started' &&
    expiresAt.getTime() - ctx.now().getTime() > lastHoursMs &&
    answers.planKey === plan.key &&
    answers.priceType === priceType &&
    answers.couponId === (coupon?.id ?? null) &&
    answers.amount === amount &&
    answers.email === person.email &&
    answers.name === `${person.firstName} ${person.lastName}`.slice(0, 200)
  )
}

/** Stops the payment of a replaced sign-up; if it was made at the last moment, it is marked as due for refund. */
async function stopReplaced(ctx: AppContext, { id }: Signup): Promise<void> {
  const replaced = await Signups.find(ctx, { id })
  if (!replaced) return
  await endUnwantedSubscription(ctx, replaced)
  await settleSignup(ctx, replaced)
}
