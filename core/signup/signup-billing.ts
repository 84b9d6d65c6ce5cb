import { newToken } from '../access/tokens.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { AppError, conflict, invalid } from '../kernel/errors.ts'
import type { Coupon, PlanBilling, StartedSubscription } from '../ports/plan-billing.ts'
import { promoMessages } from '../pricing/discount.rules.ts'
import {
  monthlyTotal,
  type PriceType,
  type PublisherPlan,
  planByKey,
  planFor,
} from '../pricing/publisher-plans.rules.ts'
import type { Person } from './signup.input.ts'
import { type Signup, type SignupAnswers, Signups } from './signups.rows.ts'

/** The provider cancels an unpaid first month after 23 hours. */
const lifetimeMs = 24 * 3_600_000

/** The billing provider of this installation. Throws `conflict` if there is none: sign-up is then not possible. */
export function planBillingOf(ctx: AppContext): PlanBilling {
  if (ctx.planBilling) return ctx.planBilling
  throw conflict('Sign-up is not open on this installation, because payments for plans are not set up')
}

/** The plan of a key, with the mobile app if that was ticked. */
export function chosenPlan({ planKey, hasApp }: { planKey: string; hasApp?: boolean | undefined }): PublisherPlan {
  const plan = planByKey(planKey)
  const planWithApp = plan && planFor(plan.titles, hasApp ? 'plus' : plan.kind)
  if (!planWithApp) throw invalid({ planKey: 'Choose one of the plans' })
  if (hasApp === false && planWithApp.kind === 'plus')
    throw invalid({ hasApp: 'This plan includes the mobile app. Choose a standard plan, or tick the app.' })
  return planWithApp
}

/** The coupon of a code; null if it is invalid. A coupon for a free first month is refused: there would be no way to pay for the second. */
export async function usableCoupon(billing: PlanBilling, code: string): Promise<Coupon | null> {
  const coupon = await billing.findCoupon(code)
  return coupon && (coupon.percentOff < 100 || coupon.isForever) ? coupon : null
}

/** The coupon entered in a form; null if there is none. Throws `invalid` for an invalid code. */
export async function couponOf(
  billing: PlanBilling,
  code: string,
  field: 'couponId' | 'code' = 'couponId',
): Promise<Coupon | null> {
  if (code === '') return null
  const coupon = await usableCoupon(billing, code)
  if (!coupon) throw invalid({ [field]: promoMessages.invalid })
  return coupon
}

interface NewSignup {
  plan: PublisherPlan
  priceType: PriceType
  coupon: Coupon | null
  email: string
  name: string
  person: Person | null
  passwordHash: string | null
}

/** Stores a sign-up before the payment is requested, with the required amount of its first payment. */
export async function writeSignup(ctx: AppContext, newSignup: NewSignup): Promise<Signup> {
  const { plan, coupon } = newSignup
  const reference = newToken()
  const answers: SignupAnswers = {
    email: newSignup.email,
    name: newSignup.name,
    planKey: plan.key,
    priceType: newSignup.priceType,
    couponId: coupon?.id ?? null,
    amount: monthlyTotal(plan, newSignup.priceType, coupon?.percentOff ?? 0),
    person: newSignup.person,
    customerReference: null,
    subscriptionReference: null,
  }
  return ctx.db.transaction(async () => {
    const signup = await Signups.insertNew(ctx, {
      reference,
      state: 'started',
      emailKey: newSignup.email.toLowerCase(),
      answers,
      passwordHash: newSignup.passwordHash,
      expiresAt: new Date(ctx.now().getTime() + lifetimeMs),
    })
    if (!signup) throw new Error('The reference of a sign-up already exists')
    await recordAudit(
      ctx,
      'sign-up-begin',
      { type: 'signup', id: signup.id },
      { plan: plan.key, coupon: coupon !== null },
    )
    return signup
  })
}

/**
 * Starts the subscription of a sign-up, outside any transaction, and stores the provider's ids of it. The amount that the provider calculates must be
 * that of the sign-up, before the first payment can be made.
 */
export async function startBilling(
  ctx: AppContext,
  billing: PlanBilling,
  signup: Signup,
): Promise<{ signup: Signup; started: StartedSubscription }> {
  const { answers, reference } = signup
  const plan = planByKey(answers.planKey)
  if (!plan) throw new Error(`The plan ${answers.planKey} of a sign-up is no longer sold`)
  const started = await billing.startSubscription({
    plan,
    email: answers.email,
    name: answers.name,
    isTaxed: answers.priceType === 'VAT',
    couponId: answers.couponId,
    idempotencyKey: reference,
  })
  const { customerReference, subscriptionReference } = started
  const savedAnswers = { ...answers, customerReference, subscriptionReference }
  const paymentIntent = started.payment?.paymentIntentId ?? null
  await Signups.update(ctx, { id: signup.id }, { answers: savedAnswers, paymentIntent })
  if (started.amount !== answers.amount) {
    throw new AppError('upstream', 'The payment provider calculates a different amount', {
      detail: { signup: signup.id, ours: answers.amount, theirs: started.amount },
    })
  }
  return { signup: { ...signup, answers: savedAnswers, paymentIntent }, started }
}
