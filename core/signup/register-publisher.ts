import { hashPassword } from '../access/passwords.ts'
import { conflict, invalid } from '../kernel/errors.ts'
import { priceTypeOf } from '../pricing/publisher-plans.rules.ts'
import { useCase } from '../use-case.ts'
import { emailTakenProblem } from '../users/taken-email.ts'
import { addPublisher } from './add-publisher.ts'
import type { NewPublisher } from './new-publisher.query.ts'
import { RegisterPublisherInput } from './signup.input.ts'
import { chosenPlan, couponOf, planBillingOf, startBilling, writeSignup } from './signup-billing.ts'
import { countSignUpAttempt, emailTaken, passwordProblems } from './signup-problems.ts'
import { personOf } from './signups.rows.ts'

/**
 * Signs up a publisher without a payment: with a coupon that makes the plan permanently free (which the provider counts as a use of the coupon), or
 * on an installation whose provider takes no money (not in production). Everything else must be paid first.
 */
export const registerPublisher = useCase({
  permission: 'public',
  input: RegisterPublisherInput,
  transaction: 'none',
  async alsoCheck(ctx, raw) {
    await countSignUpAttempt(ctx, 'register')
    const { email } = (raw.registration ?? {}) as Record<string, unknown>
    const isTaken = (await emailTakenProblem(ctx, email)).email !== undefined
    return { ...(isTaken ? { 'registration.email': emailTaken } : {}), ...(await passwordProblems(ctx, raw)) }
  },
  async run(ctx, input): Promise<NewPublisher> {
    const { registration } = input
    const plan = chosenPlan(input)
    const billing = planBillingOf(ctx)
    const coupon = await couponOf(billing, input.couponId)
    const isFree = coupon?.percentOff === 100
    if (billing.takesMoney && !isFree)
      throw conflict(
        'This plan has to be paid for. Start with POST /api/users/v2/subscribe/, or use a code for a free plan.',
      )
    const passwordHash = await hashPassword(registration.password)
    const person = personOf(registration)
    const storedSignup = await writeSignup(ctx, {
      plan,
      priceType: priceTypeOf(registration.country),
      coupon,
      email: registration.email,
      name: `${registration.firstName} ${registration.lastName}`,
      person,
      passwordHash,
    })
    const signup = isFree ? (await startBilling(ctx, billing, storedSignup)).signup : storedSignup
    const publisher = await addPublisher(ctx, signup, person, passwordHash)
    if (!publisher) throw invalid({ 'registration.email': emailTaken })
    return publisher
  },
})
