import type { AppContext } from '../context.ts'
import { replacePassword } from '../sessions/replace-password.ts'
import { voidClaims } from './account-claims.rows.ts'
import { Buyers } from './buyers.rows.ts'
import type { BuyerRow } from './live-buyer.ts'

/**
 * Changes a buyer's password, with all consequences (`replacePassword`). Call it in a transaction, with the hash computed before the transaction.
 * `keep` is the token of a session that stays.
 */
export async function storeBuyerPassword(
  ctx: AppContext,
  { id, tokenVersion: before }: Pick<BuyerRow, 'id' | 'tokenVersion'>,
  passwordHash: string,
  { keep }: { keep?: string | undefined } = {},
): Promise<{ endedSessions: number }> {
  await voidClaims(ctx, id)
  const write = () => Buyers.update(ctx, { id, tokenVersion: before }, { passwordHash, tokenVersion: before + 1 })
  return replacePassword(ctx, { buyerId: id }, { before, keep, write })
}
