import type { AppContext } from '../context.ts'
import { replacePassword } from '../sessions/replace-password.ts'
import { voidClaims } from './account-claims.rows.ts'
import { Buyers } from './buyers.rows.ts'
import type { BuyerRow } from './live-buyer.ts'

/** Replaces a buyer's password and performs all dependent changes (`replacePassword`). Call it in a transaction, with the hash made before it. */
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
