import type { AppContext } from '../context.ts'
import { invalid } from '../kernel/errors.ts'
import { spendCaptcha } from './captcha.ts'
import { countTry, type RateLimit } from './rate-limit.ts'
import { countHit, forgetTries, giveTryBack } from './rate-limits.rows.ts'

/** What is guessed at, and how often it may be without more ado. */
export interface GuessLimit {
  /** Names the kind of guess in the table: `login`. */
  name: string
  /** From one network address at one account: past it the address has to wait. */
  fromAddress: RateLimit
  /** At one account from anywhere: past it each try costs a solved captcha. Nobody is kept out of an account by what others do. */
  ofAccount: RateLimit
}

const pairKey = ({ origin }: AppContext, { name }: GuessLimit, account: string) =>
  `${name}:${account}@${origin.address ?? ''}`
const accountKey = ({ name }: GuessLimit, account: string) => `${name}:${account}`

/**
 * Counts a try at an account by network address and account together, and by the account alone. Throws `tooMany` past the first limit; past
 * the second one `invalid` under `captcha`, unless a fresh solution comes along. Call it outside a transaction, which would take the count back.
 */
export async function countGuess(
  ctx: AppContext,
  limit: GuessLimit,
  account: string,
  captcha: string | undefined,
): Promise<void> {
  await countTry(ctx, pairKey(ctx, limit, account), limit.fromAddress)
  const { hits } = await countHit(ctx, accountKey(limit, account), limit.ofAccount)
  if (hits <= limit.ofAccount.hits) return
  if (!captcha) {
    // Nothing was guessed yet.
    await giveTryBack(ctx, pairKey(ctx, limit, account))
    throw invalid({ captcha: captchaNeeded }, captchaNeeded)
  }
  await spendCaptcha(ctx, 'account', captcha)
}

/** Whether the next try at an account would need a captcha. */
export async function needsCaptcha(ctx: AppContext, limit: GuessLimit, account: string): Promise<boolean> {
  const [row] = await ctx.db.query<{ hits: number }>(
    `SELECT hits FROM rate_limits WHERE limit_key = :key AND resets_at > :now AND hits >= :max`,
    { key: accountKey(limit, account), now: ctx.now(), max: limit.ofAccount.hits },
  )
  return row !== undefined
}

const captchaNeeded = 'Please confirm that you are not a robot'

/** What was tried was right: this address begins anew, and the wrong tries of others still count. */
export async function guessWasRight(ctx: AppContext, limit: GuessLimit, account: string): Promise<void> {
  await forgetTries(ctx, pairKey(ctx, limit, account))
  await giveTryBack(ctx, accountKey(limit, account))
}

/** The account has a new password: what was guessed at the old one does not count any more. */
export async function forgetGuesses(ctx: AppContext, limit: GuessLimit, account: string): Promise<void> {
  await forgetTries(ctx, pairKey(ctx, limit, account))
  await forgetTries(ctx, accountKey(limit, account))
}
