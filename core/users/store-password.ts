import type { AppContext } from '../context.ts'
import { replacePassword } from '../sessions/replace-password.ts'
import { type UserRow, Users } from './users.rows.ts'

/**
 * Changes a user's password, with all consequences (`replacePassword`). Call it in a transaction, with the hash computed before the transaction.
 * `keep` is the token of a session that stays.
 */
export function storePassword(
  ctx: AppContext,
  user: Pick<UserRow, 'id' | 'tokenVersion'>,
  passwordHash: string,
  { keep }: { keep?: string | undefined } = {},
): Promise<{ endedSessions: number }> {
  const { id, tokenVersion: before } = user
  const write = () => Users.update(ctx, { id, tokenVersion: before }, { passwordHash, tokenVersion: before + 1 })
  return replacePassword(ctx, { userId: id }, { before, keep, write })
}
