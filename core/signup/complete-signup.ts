import { hashPassword } from '../access/passwords.ts'
import { sameText } from '../access/tokens.ts'
import type { AppContext } from '../context.ts'
import { conflict, type FieldErrors, invalid, notFound } from '../kernel/errors.ts'
import { planByKey, priceTypeOf } from '../pricing/publisher-plans.rules.ts'
import { useCase } from '../use-case.ts'
import { planBillingOf } from './begin-signup.ts'
import { finishSignup } from './finish-signup.ts'
import { type NewPublisher, newPublisher } from './new-publisher.query.ts'
import { paymentMessages, paymentProblem } from './payment.rules.ts'
import { settleSignup } from './settle-signup.ts'
import { CompleteSignupInput, type Registration, RegistrationInput } from './sign-up.input.ts'
import { countSignUpTry, emailTaken, passwordProblems } from './sign-up-problems.ts'
import { personOf, type Signup, Signups } from './signups.rows.ts'

/**
 * Turns a paid sign-up into a publisher. The provider is asked: its payment has succeeded, for the amount, the currency and the
 * sign-up that we wrote down. The same call again gives the same publisher; somebody else's payment is as unknown as one that
 * never was.
 */
export const completeSignup = useCase({
  permission: 'public',
  input: CompleteSignupInput,
  transaction: 'none',
  async alsoCheck(ctx, raw) {
    await countSignUpTry(ctx, 'complete')
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
    if (signup.state === 'refund-due' || signup.state === 'refunded') throw taken(Boolean(registration))
    // The app is an option beside the plan, so the number of titles is what has to agree.
    if (planKey !== undefined && planByKey(planKey)?.titles !== planByKey(signup.answers.planKey)?.titles)
      throw invalid({ planKey: 'This is not the plan that was paid for' })
    if (registration) checkCountry(signup, registration)
    await checkPayment(ctx, signup, paymentIntentId)
    if (signup.state === 'replaced') {
      await settleSignup(ctx, signup)
      throw conflict(paymentMessages.replaced)
    }
    const person = registration ? personOf(registration) : signup.answers.person
    const passwordHash = registration ? await hashPassword(registration.password) : signup.passwordHash
    if (!person || !passwordHash) throw invalid(missingFields())
    const publisher = await finishSignup(ctx, signup, person, passwordHash)
    if (!publisher) throw taken(Boolean(registration))
    return publisher
  },
})

/** All that a registration needs, told at once. */
function missingFields(): FieldErrors {
  const fields: FieldErrors = {}
  for (const issue of RegistrationInput.safeParse({}).error?.issues ?? [])
    fields[`registration.${issue.path.join('.')}`] ??= issue.message
  return fields
}

function taken(isTyped: boolean) {
  return invalid({ [isTyped ? 'registration.email' : 'email']: emailTaken })
}

/** VAT is paid in the United Kingdom and nowhere else, so the country has to be the one whose price was paid. */
function checkCountry({ answers }: Signup, { country }: Registration): void {
  if (priceTypeOf(country) === answers.priceType) return
  throw invalid({
    'registration.country':
      answers.priceType === 'VAT'
        ? 'The price that was paid is the one for the United Kingdom. Choose United Kingdom, or contact us.'
        : 'The price that was paid is the one without VAT, for other countries than the United Kingdom. Please contact us.',
  })
}

async function checkPayment(ctx: AppContext, signup: Signup, paymentIntentId: string): Promise<void> {
  const payment = await planBillingOf(ctx).lookUpPayment(paymentIntentId)
  const problem = paymentProblem(signup, payment)
  if (problem === null) return
  if (problem === 'foreign') throw notFound('The payment')
  if (problem === 'other-amount') {
    ctx.log.error(
      { signup: signup.id, paid: payment.amount, currency: payment.currency, wanted: signup.answers.amount },
      'the payment of a sign-up is not its amount',
    )
  }
  throw conflict(paymentMessages[problem])
}
