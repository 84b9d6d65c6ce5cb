import type { AppContext } from '../context.ts'
import { conflict, invalid, notFound } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { enqueueInvitation } from '../users/enqueue-invitation.ts'
import { completeSignup, insertPublisher } from './add-publisher.ts'
import { type NewPublisher, newPublisher } from './new-publisher.query.ts'
import { checkCountry, paymentMessages } from './payment.rules.ts'
import { checkSignupPayment } from './settle-signup.ts'
import { type Person, RegisterSignupInput } from './signup.input.ts'
import { emailTaken } from './signup-problems.ts'
import { isRegistrable } from './signup-status.rules.ts'
import { claimSignup, type Signup, Signups, settlerOf } from './signups.rows.ts'

const noAddress = { addressOne: '', addressTwo: '', addressThree: '', addressFour: '', postZip: '' }

/**
 * Registers the publisher of a paid sign-up manually, with another email if the first was taken. Idempotent: concurrent calls return the same
 * publisher. The password that the person chose is kept; without one, the person is invited to set one.
 */
export const registerSignup = useCase({
  permission: 'sign-up:settle',
  input: RegisterSignupInput,
  transaction: 'none',
  async run(ctx, { id, ...details }): Promise<{ publisher: NewPublisher; isNew: boolean }> {
    const signup = await Signups.find(ctx, { id })
    if (!signup) throw notFound('The sign-up')
    if (signup.state !== 'registered') await checkRegistrable(ctx, signup, details)
    const person = { ...noAddress, ...signup.answers.person, ...details }
    const newUserId =
      signup.state === 'registered' ? null : await ctx.db.transaction(() => register(ctx, signup, person))
    const userId = newUserId ?? (await Signups.find(ctx, { id }))?.userId
    if (!userId) throw alreadySettled()
    return { publisher: await newPublisher(ctx, userId), isNew: newUserId !== null }
  },
})

async function checkRegistrable(ctx: AppContext, signup: Signup, details: { country: string }): Promise<void> {
  if (!isRegistrable({ ...signup, isPaid: signup.paidAt !== null })) throw alreadySettled()
  checkCountry(signup, details, 'country')
  const problem = await checkSignupPayment(ctx, signup)
  if (problem === 'foreign') throw conflict('The payment provider has no such payment for this sign-up')
  if (problem !== null && problem !== 'other-amount') throw conflict(paymentMessages[problem])
}

function alreadySettled() {
  return conflict('This sign-up can no longer be registered', {
    hint: 'It was settled in the meantime, or it is too late for the month that was paid: then refund the payment.',
  })
}

/** Registers the publisher. Returns the id of the new user; null if another call was first. */
async function register(ctx: AppContext, signup: Signup, person: Person): Promise<number | null> {
  const { id, answers, passwordHash } = signup
  if (!(await claimSignup(ctx, id, { isByHand: true }))) return null
  const userId = await insertPublisher(ctx, signup, person, passwordHash)
  if (userId === null) throw invalid({ email: emailTaken })
  const withEmail = { ...signup, answers: { ...answers, email: person.email } }
  await completeSignup(ctx, withEmail, userId, 'register-sign-up')
  if (passwordHash === null) await enqueueInvitation(ctx, userId)
  await Signups.update(ctx, { id }, { settledAt: ctx.now(), settledBy: settlerOf(ctx) })
  return userId
}
