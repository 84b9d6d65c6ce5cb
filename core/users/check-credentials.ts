import { z } from 'zod'
import { recordAudit } from '../access/audit.ts'
import { passwordMatches } from '../access/passwords.ts'
import { countTry, forgetTries } from '../access/rate-limit.ts'
import type { AppContext } from '../context.ts'
import { AppError } from '../kernel/errors.ts'
import type { Stored } from '../model.ts'
import { isLive } from './live-user.ts'
import { type UserRow, Users } from './user.model.ts'
import { userSubject } from './user-subject.ts'

export const CredentialsInput = z.object({
  email: z.string('Required').trim().min(1, 'Required').max(254, 'Must be 254 characters or fewer'),
  password: z.string('Required').min(1, 'Required').max(200, 'Must be 200 characters or fewer'),
})

const perAccount = { hits: 10, windowSeconds: 15 * 60 }
const perAddress = { hits: 50, windowSeconds: 15 * 60 }

/**
 * The user these credentials belong to. The super login takes superusers only and /login every other type (decision 15); an unknown
 * e-mail, a wrong password, the wrong door and a deactivated account get the same answer in the same time.
 */
export async function checkCredentials(
  ctx: AppContext,
  credentials: z.output<typeof CredentialsInput>,
  door: 'staff' | 'super',
): Promise<Stored<UserRow>> {
  const emailKey = credentials.email.toLowerCase()
  await countTry(ctx, `login:${emailKey}`, perAccount)
  if (ctx.origin.address) await countTry(ctx, `login-from:${ctx.origin.address}`, perAddress)
  const user = await Users(ctx).findOne({ where: { emailKey } })
  const isAtTheRightDoor = user ? (user.userType === 'superuser') === (door === 'super') : false
  const matches = await passwordMatches(user?.passwordHash, credentials.password)
  if (!user || !matches || !isAtTheRightDoor || !(await isLive(ctx, user))) {
    await recordAudit(ctx, 'log-in-refused', user ? userSubject(user) : { type: 'user', id: null }, {
      step: 'password',
      login: door,
    })
    const message = 'The email or the password is not right'
    throw new AppError('invalid', message, { fields: { password: message } })
  }
  // The right password is no guess: who logs in often is not locked out.
  await forgetTries(ctx, `login:${emailKey}`)
  return user
}
