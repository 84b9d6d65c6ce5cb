import { z } from 'zod'
import { LogInPassword } from '../access/password.input.ts'
import { passwordMatches } from '../access/passwords.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { emailToFind } from '../kernel/email-address.ts'
import { AppError } from '../kernel/errors.ts'
import { CaptchaField } from '../rate-limits/captcha.ts'
import { countGuess, type GuessLimit, resetAfterRightGuess } from '../rate-limits/guess-limit.ts'
import { countAttempt, networkKey } from '../rate-limits/rate-limit.ts'
import { removeAttempt } from '../rate-limits/rate-limits.rows.ts'
import { isLive } from './live-user.ts'
import { userSubject } from './user-subject.ts'
import { type UserRow, Users } from './users.rows.ts'

export const CredentialsInput = z.object({
  email: emailToFind(),
  password: LogInPassword,
  /** Required after many wrong passwords for this account. */
  captcha: CaptchaField,
})

/** The limit for wrong passwords of a user's account. */
export const loginGuesses: GuessLimit = {
  name: 'login',
  fromAddress: { hits: 10, windowSeconds: 15 * 60 },
  ofAccount: { hits: 30, windowSeconds: 15 * 60 },
}
const perNetwork = { hits: 50, windowSeconds: 15 * 60 }

/**
 * The user these credentials belong to. The superuser log-in accepts only superusers, and /login every other type. An unknown email, a wrong
 * password, the wrong log-in page and a deactivated account get the same response in the same time.
 */
export async function checkCredentials(
  ctx: AppContext,
  credentials: z.output<typeof CredentialsInput>,
  loginPage: 'staff' | 'super',
): Promise<UserRow> {
  const emailKey = credentials.email.toLowerCase()
  const network = networkKey(ctx, 'login')
  if (network) await countAttempt(ctx, network, perNetwork)
  await countGuess(ctx, loginGuesses, emailKey, credentials.captcha)
  const user = await Users.find(ctx, { emailKey })
  const isRightPage = user ? (user.userType === 'superuser') === (loginPage === 'super') : false
  const matches = await passwordMatches(user?.passwordHash, credentials.password)
  if (!user || !matches || !isRightPage || !(await isLive(ctx, user))) {
    await recordAudit(ctx, 'log-in-refused', user ? userSubject(user) : { type: 'user', id: null }, {
      step: 'password',
      login: loginPage,
    })
    const message = 'The email or the password is wrong'
    throw new AppError('invalid', message, { fields: { password: message } })
  }
  // The right password does not count as a guess: frequent log-ins, or many users at one network address, lock nobody out.
  if (network) await removeAttempt(ctx, network)
  await resetAfterRightGuess(ctx, loginGuesses, emailKey)
  return user
}
