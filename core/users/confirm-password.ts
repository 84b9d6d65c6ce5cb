import { passwordMatches } from '../access/passwords.ts'
import type { AppContext } from '../context.ts'
import { denied, invalid } from '../kernel/errors.ts'
import { countAttempt } from '../rate-limits/rate-limit.ts'
import { resetAttempts } from '../rate-limits/rate-limits.rows.ts'
import { type UserRow, Users } from './users.rows.ts'

const perUser = { hits: 10, windowSeconds: 15 * 60 }

/**
 * Checks the logged-in user's password again before a sensitive action (ASVS 7.5.1). Returns the user; throws `invalid` for `field` if it is wrong,
 * and `tooMany` after ten wrong ones. Call it outside a transaction: hashing is slow on purpose.
 */
export async function confirmPassword(
  ctx: AppContext,
  password: string | undefined,
  field = 'currentPassword',
): Promise<UserRow> {
  if (ctx.actor.kind !== 'staff') throw denied()
  const user = await Users.find(ctx, { id: ctx.actor.userId })
  if (!user) throw denied()
  if (!password) throw invalid({ [field]: 'Enter your current password' })
  const key = `confirm:${user.id}`
  await countAttempt(ctx, key, perUser)
  if (!(await passwordMatches(user.passwordHash, password))) {
    throw invalid({ [field]: 'The current password is wrong' })
  }
  await resetAttempts(ctx, key)
  return user
}
