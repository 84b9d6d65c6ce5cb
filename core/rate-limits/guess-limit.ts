import type { AppContext } from '../context.ts'
import { invalid } from '../kernel/errors.ts'
import { spendCaptcha } from './captcha.ts'
import { networkOf } from './network.rules.ts'
import { countAttempt, type RateLimit } from './rate-limit.ts'
import { countHit, findHits, removeAttempt, resetAttempts } from './rate-limits.rows.ts'

/** Brute-force protection for one kind of secret: how many attempts are allowed. */
export interface GuessLimit {
  /** The key's prefix in `rate_limits`: `login`. */
  name: string
  /** Attempts per network (an IPv4 address, the /64 of an IPv6 one) and account: beyond it that network has to wait. */
  fromAddress: RateLimit
  /** Attempts per account from anywhere: beyond it each one needs a captcha. No lock-out: others' attempts must not keep the owner out. */
  ofAccount: RateLimit
}

const pairKey = ({ origin }: AppContext, { name }: GuessLimit, account: string) =>
  `${name}:${account}@${networkOf(origin.address ?? '')}`
const accountKey = ({ name }: GuessLimit, account: string) => `${name}:${account}`

/**
 * Counts an attempt twice: per network and account, and per account alone. Throws `tooMany` beyond the first limit; beyond the second
 * `invalid` under `captcha`, unless `captcha` is a fresh solution. Call it outside a transaction: a rollback would undo the count.
 */
export async function countGuess(
  ctx: AppContext,
  limit: GuessLimit,
  account: string,
  captcha: string | undefined,
): Promise<void> {
  await countAttempt(ctx, pairKey(ctx, limit, account), limit.fromAddress)
  const { hits } = await countHit(ctx, accountKey(limit, account), limit.ofAccount)
  if (hits <= limit.ofAccount.hits) return
  if (!captcha) {
    // The password was not checked yet.
    await removeAttempt(ctx, pairKey(ctx, limit, account))
    throw invalid({ captcha: captchaNeeded }, captchaNeeded)
  }
  await spendCaptcha(ctx, 'account', captcha)
}

/** Whether the next attempt at an account needs a captcha. */
export async function needsCaptcha(ctx: AppContext, limit: GuessLimit, account: string): Promise<boolean> {
  const attempts = await findHits(ctx, accountKey(limit, account))
  return attempts !== undefined && attempts.hits >= limit.ofAccount.hits
}

const captchaNeeded = 'Please confirm that you are not a robot'

/** After a correct guess: resets the count of this network; failed attempts by others still count. */
export async function resetAfterRightGuess(ctx: AppContext, limit: GuessLimit, account: string): Promise<void> {
  await resetAttempts(ctx, pairKey(ctx, limit, account))
  await removeAttempt(ctx, accountKey(limit, account))
}

/** After a password change: resets the account's counts. */
export async function resetGuesses(ctx: AppContext, limit: GuessLimit, account: string): Promise<void> {
  await resetAttempts(ctx, pairKey(ctx, limit, account))
  await resetAttempts(ctx, accountKey(limit, account))
}
