import { hashPassword } from '../access/passwords.ts'
import { invalid } from '../kernel/errors.ts'
import { priceTypeOf } from '../pricing/publisher-plans.rules.ts'
import { useCase } from '../use-case.ts'
import { emailTakenProblem } from '../users/taken-email.ts'
import { StartSignupInput } from './signup.input.ts'
import { chosenPlan, couponOf, planBillingOf, startBilling, writeSignup } from './signup-billing.ts'
import { countSignUpAttempt, passwordProblems } from './signup-problems.ts'
import { personOf } from './signups.rows.ts'

/** What the browser needs for the first payment. */
export interface SignupStart {
  /** Identifies the sign-up to the browser that started it, and to no one else. */
  reference: string
  clientSecret: string
  paymentIntentId: string
  /** Pence, for the first month. */
  amount: number
}

/**
 * Starts a publisher's sign-up: computes the plan's price, stores the sign-up and requests a payment for it from the provider. If the registration is
 * included, only the payment is missing afterwards.
 */
export const startSignup = useCase({
  permission: 'public',
  input: StartSignupInput,
  transaction: 'none',
  async alsoCheck(ctx, raw) {
    await countSignUpAttempt(ctx, 'start')
    return { ...(await emailTakenProblem(ctx, raw.email)), ...(await passwordProblems(ctx, raw)) }
  },
  async run(ctx, input): Promise<SignupStart> {
    const { registration, email } = input
    const country = registration?.country ?? input.country
    if (country && priceTypeOf(country) !== input.priceType)
      throw invalid({ priceType: `The price for this country is ${priceTypeOf(country)}` })
    if (registration && registration.email.toLowerCase() !== email.toLowerCase())
      throw invalid({ 'registration.email': 'Emails must match. Please re-enter' })
    const plan = chosenPlan(input)
    const billing = planBillingOf(ctx)
    const coupon = await couponOf(billing, input.couponId)
    if (coupon?.percentOff === 100)
      throw invalid({ couponId: 'With this code there is nothing to pay. Register without a payment.' })
    const passwordHash = registration ? await hashPassword(registration.password) : null
    const person = registration ? personOf(registration) : null
    const storedSignup = await writeSignup(ctx, { ...input, plan, coupon, person, passwordHash })
    const { started, signup } = await startBilling(ctx, billing, storedSignup)
    if (!started.payment) throw new Error('A plan that costs money was started without a payment')
    return { reference: signup.reference, ...started.payment, amount: signup.answers.amount }
  },
})
