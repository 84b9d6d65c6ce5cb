import { newPasswordProblem } from '../access/password-policy.ts'
import { hashPassword, passwordMatches } from '../access/passwords.ts'
import type { AppContext } from '../context.ts'
import { invalid } from '../kernel/errors.ts'
import { countGuess, type GuessLimit, needsCaptcha, resetAfterRightGuess } from '../rate-limits/guess-limit.ts'
import { buyerTexts } from './buyer-texts.rules.ts'
import { Buyers } from './buyers.rows.ts'

/** The buyer of an order. If `buyerId` and `passwordHash` are null, it is a new buyer without a password, who may set one by a link. */
export interface RecognisedBuyer {
  buyerId: number | null
  /** The hash of the password a new buyer chose. */
  passwordHash: string | null
  /** The email belongs to an existing buyer, but the password was not checked. */
  isUnproven: boolean
}

/** An email as the unique key of a buyer within a publication, whatever its case. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase()
}

/** Limits wrong passwords for a buyer's account, with one count for the order form and the log-in. */
export const buyerGuesses: GuessLimit = {
  name: 'buyer',
  fromAddress: { hits: 10, windowSeconds: 15 * 60 },
  ofAccount: { hits: 30, windowSeconds: 15 * 60 },
}

export function buyerAccountKey(publicationId: number, email: string): string {
  return `${publicationId}:${emailKey(email)}`
}

/** Whether an order needs a password: not if the buyer is logged in, nor for a payment by wallet. */
export function needsPassword({ actor }: Pick<AppContext, 'actor'>, { isWallet }: { isWallet: boolean }): boolean {
  return actor.kind !== 'buyer' && !isWallet
}

/**
 * The buyer who orders: the logged-in buyer, an existing one if the password is right, or a new one with the hash of the chosen password. Call it
 * outside a transaction, since hashing is slow on purpose.
 */
export async function recogniseBuyer(
  ctx: AppContext,
  publicationId: number,
  { email, password, isWallet }: { email: string; password: string; isWallet: boolean },
): Promise<RecognisedBuyer> {
  const existing = await Buyers.find(ctx, { publicationId, emailKey: emailKey(email) })
  const { actor } = ctx
  if (actor.kind === 'buyer') {
    if (actor.publicationId !== publicationId || existing?.id !== actor.buyerId) {
      throw invalid({ email: 'This is not the email of your account. Log out to order with another one.' })
    }
    return { buyerId: existing.id, passwordHash: null, isUnproven: false }
  }
  if (isWallet) return { buyerId: existing?.id ?? null, passwordHash: null, isUnproven: existing !== null }
  if (!existing) {
    const problem = await newPasswordProblem(password, ctx.settings.passwordMinLength)
    if (problem) throw invalid({ password: problem })
    return { buyerId: null, passwordHash: await hashPassword(password), isUnproven: false }
  }
  const account = buyerAccountKey(publicationId, email)
  // The order form has no captcha, so the buyer must use the log-in form next to it, which has one.
  if (await needsCaptcha(ctx, buyerGuesses, account)) throw invalid({ password: buyerTexts.logInFirst })
  await countGuess(ctx, buyerGuesses, account, undefined)
  if (!(await passwordMatches(existing.passwordHash, password))) {
    throw invalid({
      password: 'This email already has an account here. Enter its password to buy as a returning customer.',
    })
  }
  await resetAfterRightGuess(ctx, buyerGuesses, account)
  return { buyerId: existing.id, passwordHash: null, isUnproven: false }
}
