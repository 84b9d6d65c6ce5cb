import { z } from 'zod'
import { CurrentPassword } from '../access/password.input.ts'
import { newPasswordProblems } from '../access/password-policy.ts'
import { hashPassword, passwordMatches } from '../access/passwords.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { invalid } from '../kernel/errors.ts'
import { notifyUser } from '../sessions/notify.ts'
import { useCase } from '../use-case.ts'
import { confirmPassword } from './confirm-password.ts'
import { storePassword } from './store-password.ts'
import { userSubject } from './user-subject.ts'

/**
 * Changes the logged-in user's own password. All sessions except the one of `sessionToken`, all API tokens and all open reset links become invalid,
 * and the user is notified by email.
 */
export const changePassword = useCase({
  permission: 'account:write',
  input: z.object({
    currentPassword: CurrentPassword,
    password: z.string('Required'),
    password2: z.string('Required'),
    sessionToken: z.string().optional(),
  }),
  transaction: 'none',
  alsoCheck: (ctx, raw) => newPasswordProblems(raw, ctx.settings.passwordMinLength),
  async run(ctx, { currentPassword, password, sessionToken }): Promise<{ endedSessions: number }> {
    const user = await confirmPassword(ctx, currentPassword)
    if (await passwordMatches(user.passwordHash, password)) {
      throw invalid({ password: 'This is your current password. Choose another one.' })
    }
    const passwordHash = await hashPassword(password)
    return ctx.db.transaction(async () => {
      const { endedSessions } = await storePassword(ctx, user, passwordHash, { keep: sessionToken })
      await recordAudit(ctx, 'change-password', userSubject(user), { endedSessions })
      await notifyUser(ctx, user.id, 'password-changed')
      return { endedSessions }
    })
  },
})
