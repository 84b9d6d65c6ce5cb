import { hashToken } from '../access/tokens.ts'
import type { AppContext } from '../context.ts'
import { conflict } from '../kernel/errors.ts'
import { voidLinks } from './buyer-link.ts'
import type { BuyerRow } from './live-buyer.ts'

/**
 * Gives a buyer another password. Every session ends but the one with the token `keep`, every API token dies, and so does every link that
 * would set a password. Of two changes at once the second is refused. Belongs in a transaction, with the hash made before it.
 */
export async function storeBuyerPassword(
  ctx: AppContext,
  { id, token_version: before }: Pick<BuyerRow, 'id' | 'token_version'>,
  passwordHash: string,
  { keep }: { keep?: string | undefined } = {},
): Promise<{ endedSessions: number }> {
  const now = ctx.now()
  const changed = await ctx.db.run(
    `UPDATE buyers SET password_hash = :passwordHash, token_version = token_version + 1, updated_at = :now
     WHERE id = :id AND token_version = :before`,
    { passwordHash, now, id, before },
  )
  if (changed === 0) throw conflict('This account was changed somewhere else a moment ago. Please try again.')
  const kept = keep === undefined ? '' : hashToken(keep)
  const endedSessions = await ctx.db.run(
    `UPDATE sessions SET ended_at = :now, end_reason = 'password-changed'
     WHERE buyer_id = :id AND ended_at IS NULL AND token_hash <> :kept`,
    { now, id, kept },
  )
  await ctx.db.run(
    `UPDATE sessions SET token_version = :version
     WHERE token_hash = :kept AND buyer_id = :id AND token_version = :before AND ended_at IS NULL`,
    { version: before + 1, kept, id, before },
  )
  await voidLinks(ctx, id)
  return { endedSessions }
}
