import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { recordAudit } from '../access/audit.ts'
import { newPasswordProblems } from '../access/password-policy.ts'
import { hashPassword } from '../access/passwords.ts'
import { countTry, forgetTries } from '../access/rate-limit.ts'
import type { UserType } from '../access/user-types.ts'
import { invalid } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { openPasswordLink } from './password-link.ts'
import { passwordTexts } from './password-texts.rules.ts'
import { storePassword } from './store-password.ts'
import { userSubject } from './user-subject.ts'

const perAddress = { hits: 20, windowSeconds: 15 * 60 }

/**
 * Sets a new password for the token of a mailed link. The link is good once; every session, API token and other open link of the user
 * ends, and the user is told by mail. Two-step login stays as it is.
 */
export const resetPassword = useCase({
  permission: 'public',
  input: z.object({ token: z.string(), password: z.string(), password2: z.string().optional() }),
  transaction: 'none',
  // A program sends the password once; a form sends it twice.
  alsoCheck: (ctx, { password, password2 = password }) =>
    newPasswordProblems({ password, password2 }, ctx.settings.passwordMinLength),
  async run(ctx, { token, password }): Promise<{ userType: UserType }> {
    if (ctx.origin.address) await countTry(ctx, `set-password-from:${ctx.origin.address}`, perAddress)
    const refused = invalid({ token: passwordTexts.badToken }, passwordTexts.badToken)
    const link = await openPasswordLink(ctx, token)
    if (!link) throw refused
    const { id, purpose, user } = link
    const passwordHash = await hashPassword(password)
    await ctx.db.transaction(async () => {
      const used = await ctx.db.run(
        `UPDATE password_resets SET used_at = :now WHERE id = :id AND used_at IS NULL AND expires_at > :now`,
        { id, now: ctx.now() },
      )
      if (used === 0) throw refused
      const { endedSessions } = await storePassword(ctx, user, passwordHash)
      await recordAudit(ctx, 'reset-password', userSubject(user), { purpose, endedSessions })
      await ctx.jobs.enqueue('send-account-notice', { userId: user.id, key: randomUUID(), kind: 'password-changed' })
    })
    await forgetTries(ctx, `login:${user.emailKey}`)
    return { userType: user.userType }
  },
})
