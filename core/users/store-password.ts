import type { AppContext } from '../context.ts'
import { replacePassword } from '../sessions/replace-password.ts'
import type { UserRow } from './user.model.ts'

/** Gives a user another password, with all that follows from it (`replacePassword`). Belongs in a transaction, with the hash made before it. */
export function storePassword(
  ctx: AppContext,
  user: Pick<UserRow, 'id' | 'tokenVersion'>,
  passwordHash: string,
  { keep }: { keep?: string | undefined } = {},
): Promise<{ endedSessions: number }> {
  const { id, tokenVersion: before } = user
  const write = () =>
    ctx.db.run(
      `UPDATE users SET password_hash = :passwordHash, token_version = token_version + 1, updated_at = :now
       WHERE id = :id AND token_version = :before`,
      { passwordHash, now: ctx.now(), id, before },
    )
  return replacePassword(ctx, { userId: id }, { before, keep, write })
}
