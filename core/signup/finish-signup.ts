import { hashPassword } from '../access/passwords.ts'
import { sameText } from '../access/tokens.ts'
import type { AppContext } from '../context.ts'
import { conflict, type FieldErrors, invalid, notFound } from '../kernel/errors.ts'
import { planByKey } from '../pricing/publisher-plans.rules.ts'
import { useCase } from '../use-case.ts'
import { addPublisher } from './add-publisher.ts'
import { type NewPublisher, newPublisher } from './new-publisher.query.ts'
import { checkCountry, paymentMessages } from './payment.rules.ts'
import { checkSignupPayment, settleSignup } from './settle-signup.ts'
import { FinishSignupInput, RegistrationInput } from './signup.input.ts'
import { countSignUpAttempt, emailTaken, passwordProblems } from './signup-problems.ts'
import { refundStates } from './signup-status.rules.ts'
import { personOf, type Signup, Signups } from './signups.rows.ts'

/**
 * Turns a paid sign-up into a publisher. The provider is queried: the payment must have succeeded, in the stored amount and currency and for this
 * sign-up. Idempotent: the same call returns the same publisher. Another person's payment is not found.
 */
export const finishSignup = useCase({
  permission: 'public',
  input: FinishSignupInput,
  transaction: 'none',
  async alsoCheck(ctx, raw) {
    await countSignUpAttempt(ctx, 'complete')
    const isNamed = raw.registration !== undefined || raw.reference !== undefined
    return { ...(isNamed ? {} : missingFields()), ...(await passwordProblems(ctx, raw)) }
  },
  async run(ctx, { paymentIntentId, planKey, registration, reference }): Promise<NewPublisher> {
    const signup = await Signups.find(ctx, { paymentIntent: paymentIntentId })
    const isOwn = registration
      ? registration.email.toLowerCase() === signup?.emailKey
      : sameText(reference ?? '', signup?.reference ?? '')
    if (!signup || !isOwn) throw notFound('The payment')
    if (signup.state === 'registered' && signup.userId) return newPublisher(ctx, signup.userId)
    if (refundStates.has(signup.state))
      throw signup.problem === 'email-taken' ? emailTakenError(Boolean(registration)) : conflict(paymentMessages.refund)
    // Only the number of titles must agree: the app is an option in addition to the plan.
    if (planKey !== undefined && planByKey(planKey)?.titles !== planByKey(signup.answers.planKey)?.titles)
      throw invalid({ planKey: 'This is not the plan that was paid for' })
    if (registration) checkCountry(signup, registration, 'registration.country')
    await checkPayment(ctx, signup)
    if (signup.state === 'replaced') {
      await settleSignup(ctx, signup)
      throw conflict(paymentMessages.replaced)
    }
    const person = registration ? personOf(registration) : signup.answers.person
    const passwordHash = registration ? await hashPassword(registration.password) : signup.passwordHash
    if (!person || !passwordHash) throw invalid(missingFields())
    const publisher = await addPublisher(ctx, signup, person, passwordHash)
    if (!publisher) throw emailTakenError(Boolean(registration))
    return publisher
  },
})

/** The problems if there is no registration: one for each required field. */
function missingFields(): FieldErrors {
  const fields: FieldErrors = {}
  for (const issue of RegistrationInput.safeParse({}).error?.issues ?? [])
    fields[`registration.${issue.path.join('.')}`] ??= issue.message
  return fields
}

function emailTakenError(isInRegistration: boolean) {
  return invalid({ [isInRegistration ? 'registration.email' : 'email']: emailTaken })
}

async function checkPayment(ctx: AppContext, signup: Signup): Promise<void> {
  const problem = await checkSignupPayment(ctx, signup)
  if (problem === 'foreign') throw notFound('The payment')
  if (problem !== null) throw conflict(paymentMessages[problem])
}
