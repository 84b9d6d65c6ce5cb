import { hashToken } from '../access/tokens.ts'
import type { AppContext } from '../context.ts'
import { conflict } from '../kernel/errors.ts'
import { endSessions } from './end-sessions.ts'
import type { UserRow } from './user.model.ts'

/**
 * Gives a user another password. Every session ends but the one with the token `keep`, every API token dies, and so does every link
 * that would set a password. Of two changes at once the second is refused. Belongs in a transaction, with the hash made before it.
 */
export async function storePassword(
  ctx: AppContext,
  user: Pick<UserRow, 'id' | 'tokenVersion'>,
  passwordHash: string,
  { keep }: { keep?: string | undefined } = {},
): Promise<{ endedSessions: number }> {
  const now = ctx.now()
  const before = user.tokenVersion
  const changed = await ctx.db.run(
    `UPDATE users SET password_hash = :passwordHash, token_version = token_version + 1, updated_at = :now
     WHERE id = :id AND token_version = :before`,
    { passwordHash, now, id: user.id, before },
  )
  if (changed === 0) throw conflict('This account was changed somewhere else a moment ago. Please try again.')
  const endedSessions = await endSessions(ctx, user.id, 'password-changed', keep)
  if (keep !== undefined) {
    await ctx.db.run(
      `UPDATE sessions SET token_version = :version
       WHERE token_hash = :kept AND user_id = :id AND token_version = :before AND ended_at IS NULL`,
      { version: before + 1, kept: hashToken(keep), id: user.id, before },
    )
  }
  await ctx.db.run(`UPDATE password_resets SET used_at = :now WHERE user_id = :id AND used_at IS NULL`, {
    now,
    id: user.id,
  })
  return { endedSessions }
}
