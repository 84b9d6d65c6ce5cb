import type { AppContext } from '../context.ts'
import { replacePassword } from '../sessions/replace-password.ts'
import { Buyers } from './buyers.rows.ts'
import type { BuyerRow } from './live-buyer.ts'

/** Gives a buyer another password, with all that follows from it (`replacePassword`). Belongs in a transaction, with the hash made before it. */
export function storeBuyerPassword(
  ctx: AppContext,
  { id, tokenVersion: before }: Pick<BuyerRow, 'id' | 'tokenVersion'>,
  passwordHash: string,
  { keep }: { keep?: string | undefined } = {},
): Promise<{ endedSessions: number }> {
  const write = () => Buyers.update(ctx, { id, tokenVersion: before }, { passwordHash, tokenVersion: before + 1 })
  return replacePassword(ctx, { buyerId: id }, { before, keep, write })
}
