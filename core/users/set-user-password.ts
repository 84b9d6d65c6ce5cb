import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { recordAudit } from '../access/audit.ts'
import { newPasswordProblem } from '../access/password-policy.ts'
import { hashPassword } from '../access/passwords.ts'
import { type FieldErrors, notFound } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { storePassword } from './store-password.ts'
import { Users } from './user.model.ts'
import { userSubject } from './user-subject.ts'

/** Sets a user's password from the machine itself. All the user's sessions end, and the user is told by mail. */
export const setUserPassword = useCase({
  permission: 'machine:operate',
  input: z.object({
    email: z.string('Required').trim().min(1, 'Required').max(254, 'Must be 254 characters or fewer'),
    password: z.string('Required'),
  }),
  transaction: 'none',
  async alsoCheck(ctx, { password }): Promise<FieldErrors> {
    if (typeof password !== 'string') return {}
    const problem = await newPasswordProblem(password, ctx.settings.passwordMinLength)
    return problem ? { password: problem } : {}
  },
  async run(ctx, { email, password }): Promise<{ userId: number; endedSessions: number }> {
    const user = await Users(ctx).findOne({ where: { emailKey: email.toLowerCase() } })
    if (!user) throw notFound(`A user with the e-mail ${email}`, 'List the users with: subscriptions users list')
    const passwordHash = await hashPassword(password)
    return ctx.db.transaction(async () => {
      const { endedSessions } = await storePassword(ctx, user, passwordHash)
      await recordAudit(ctx, 'set-password', userSubject(user), { endedSessions })
      await ctx.jobs.enqueue('send-account-notice', { userId: user.id, key: randomUUID(), kind: 'password-changed' })
      return { userId: user.id, endedSessions }
    })
  },
})
