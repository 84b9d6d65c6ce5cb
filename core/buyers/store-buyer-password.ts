import type { AppContext } from '../context.ts'
import { replacePassword } from '../sessions/replace-password.ts'
import type { BuyerRow } from './live-buyer.ts'

/** Gives a buyer another password, with all that follows from it (`replacePassword`). Belongs in a transaction, with the hash made before it. */
export function storeBuyerPassword(
  ctx: AppContext,
  { id, token_version: before }: Pick<BuyerRow, 'id' | 'token_version'>,
  passwordHash: string,
  { keep }: { keep?: string | undefined } = {},
): Promise<{ endedSessions: number }> {
  const write = () =>
    ctx.db.run(
      `UPDATE buyers SET password_hash = :passwordHash, token_version = token_version + 1, updated_at = :now
       WHERE id = :id AND token_version = :before`,
      { passwordHash, now: ctx.now(), id, before },
    )
  return replacePassword(ctx, { buyerId: id }, { before, keep, write })
}
