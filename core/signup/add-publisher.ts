import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { planByKey } from '../pricing/publisher-plans.rules.ts'
import { insertAccount } from '../users/accounts.rows.ts'
import { insertUser } from '../users/users.rows.ts'
import { endUnwantedSubscription } from './end-unwanted-subscription.ts'
import { markRefundDue } from './mark-refund-due.ts'
import { type NewPublisher, newPublisher } from './new-publisher.query.ts'
import type { Person } from './signup.input.ts'
import { claimSignup, type Signup, Signups } from './signups.rows.ts'

/**
 * Creates the publisher of a paid or free sign-up in one transaction: user, account, audit row and welcome email. The first call wins a
 * compare-and-set; a repeated or concurrent call returns the same publisher. Null if the email was taken meanwhile: the payment is then marked as due
 * for refund, but a superuser may still register the sign-up under another email.
 */
export async function addPublisher(
  ctx: AppContext,
  signup: Signup,
  person: Person,
  passwordHash: string,
): Promise<NewPublisher | null> {
  const userId = await ctx.db.transaction(async () => {
    if (!(await claimSignup(ctx, signup.id))) return (await Signups.find(ctx, { id: signup.id }))?.userId ?? null
    const newUserId = await insertPublisher(ctx, signup, person, passwordHash)
    await (newUserId === null ? markFailed(ctx, signup) : completeSignup(ctx, signup, newUserId, 'sign-up'))
    return newUserId
  })
  if (userId !== null) return newPublisher(ctx, userId)
  const failedSignup = await Signups.find(ctx, { id: signup.id })
  if (failedSignup) await endUnwantedSubscription(ctx, failedSignup)
  return null
}

/** Inserts the user and the account of a sign-up. Returns the user's id, or null if the email is already taken. */
export async function insertPublisher(
  ctx: AppContext,
  { answers }: Signup,
  person: Person,
  passwordHash: string | null,
): Promise<number | null> {
  const { firstName, lastName, email } = person
  const user = await insertUser(ctx, { userType: 'publisher', email, firstName, lastName, passwordHash })
  if (!user) return null
  const fullName = `${firstName} ${lastName}`.slice(0, 200)
  const { companyName, addressOne, addressTwo, addressThree, addressFour, country, postZip } = person
  await insertAccount(ctx, {
    userId: user.id,
    companyName,
    mainContact: fullName,
    fullName,
    addressOne,
    addressTwo,
    addressThree,
    addressFour,
    country,
    postZip,
    emailAddress: email,
    singleEmailAddress: email,
    numberOfPublications: planByKey(answers.planKey)?.titles ?? 1,
    planKey: answers.planKey,
    planCustomerReference: answers.customerReference,
    planSubscriptionReference: answers.subscriptionReference,
    planState: answers.subscriptionReference === null ? null : 'active',
    planPriceType: answers.priceType,
    planCoupon: answers.couponId,
  })
  return user.id
}

/**
 * Links the sign-up to its new publisher, records it, and enqueues the welcome email and the refresh of the plan. The sign-up's copy of the
 * personal data, which is now in the account, is deleted.
 */
export async function completeSignup(
  ctx: AppContext,
  { id, answers }: Signup,
  userId: number,
  action: 'sign-up' | 'register-sign-up',
): Promise<void> {
  await Signups.update(ctx, { id }, { userId, passwordHash: null, answers: { ...answers, person: null } })
  await recordAudit(
    ctx,
    action,
    { type: 'user', id: userId, publisherId: userId },
    {
      amount: answers.amount,
      currency: 'GBP',
      plan: answers.planKey,
      priceType: answers.priceType,
      coupon: answers.couponId !== null,
    },
  )
  // The job fetches the card, the billing period and the first invoice.
  if (answers.subscriptionReference !== null)
    await ctx.jobs.enqueue('refresh-plan', { publisherId: userId }, { publisherId: userId })
  await enqueueMail(ctx, 'welcome', { userId }, { dedupeKey: `welcome:${userId}`, publisherId: userId })
}

/** Marks a sign-up whose email was taken meanwhile: as due for refund if it was paid, otherwise as expired. */
async function markFailed(ctx: AppContext, signup: Signup): Promise<void> {
  if (signup.paymentIntent === null)
    await Signups.update(ctx, { id: signup.id }, { state: 'expired', passwordHash: null })
  else await markRefundDue(ctx, { ...signup, state: 'registered' }, 'email-taken')
}
