import { z } from 'zod'
import { newPasswordProblem } from '../access/password-policy.ts'
import { hashPassword } from '../access/passwords.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { emailToFind } from '../kernel/email-address.ts'
import { notFound } from '../kernel/errors.ts'
import type { FieldPhrases } from '../kernel/phrases.ts'
import { notifyUser } from '../sessions/notify.ts'
import { useCase } from '../use-case.ts'
import { storePassword } from './store-password.ts'
import { userSubject } from './user-subject.ts'
import { Users } from './users.rows.ts'

/** Sets a user's password, from the command line on the server. All the user's sessions end, and the user is notified by email. */
export const setUserPassword = useCase({
  permission: 'machine:operate',
  input: z.object({
    email: emailToFind(),
    password: z.string('Required'),
  }),
  transaction: 'none',
  async alsoCheck(ctx, { password }): Promise<FieldPhrases> {
    if (typeof password !== 'string') return {}
    const problem = await newPasswordProblem(password, ctx.settings.passwordMinLength)
    return problem ? { password: problem } : {}
  },
  async run(ctx, { email, password }): Promise<{ userId: number; endedSessions: number }> {
    const user = await Users.find(ctx, { emailKey: email.toLowerCase() })
    if (!user) throw notFound(`A user with the email ${email}`, 'List the users with: subscriptions users list')
    const passwordHash = await hashPassword(password)
    return ctx.db.transaction(async () => {
      const { endedSessions } = await storePassword(ctx, user, passwordHash)
      await recordAudit(ctx, 'set-password', userSubject(user), { endedSessions })
      await notifyUser(ctx, user.id, 'password-changed')
      return { userId: user.id, endedSessions }
    })
  },
})
