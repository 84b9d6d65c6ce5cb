import { hashToken, newToken } from '../access/tokens.ts'
import type { AppContext } from '../context.ts'
import { defineTable, id, instant, nullable, ref, text } from '../table.ts'

const claimDays = 3

/**
 * Emailed links by which a reader who is known only by email (from a file, or as the recipient of a gift) gets an account. Only the hash of the token
 * is stored.
 */
export const AccountClaims = defineTable('account_claims', {
  id: id(),
  publicationId: ref(),
  emailKey: text(),
  tokenHash: text(),
  expiresAt: instant(),
  usedAt: nullable(instant()),
  createdAt: instant(),
})

/** Creates a claim and voids older ones of the same email. Returns its token. */
export async function makeClaim(
  ctx: AppContext,
  { publicationId, emailKey }: { publicationId: number; emailKey: string },
): Promise<string> {
  const token = newToken()
  const now = ctx.now()
  await ctx.db.transaction(async () => {
    await AccountClaims.update(ctx, { publicationId, emailKey, usedAt: null }, { usedAt: now })
    await AccountClaims.insert(ctx, {
      publicationId,
      emailKey,
      tokenHash: hashToken(token),
      expiresAt: new Date(now.getTime() + claimDays * 86_400_000),
    })
  })
  return token
}

const claimColumns = AccountClaims.pick('id', 'publicationId', 'emailKey')

/** The claim of a token; undefined if it is unknown, used, voided or expired. */
export async function findClaim(ctx: AppContext, token: string) {
  const [claim] = await claimColumns.rows(
    ctx,
    `SELECT ${claimColumns.columns()} FROM account_claims WHERE token_hash = :tokenHash AND used_at IS NULL AND expires_at > :now`,
    { tokenHash: hashToken(token), now: ctx.now() },
  )
  return claim
}

/** Marks a claim as used; false if it was used meanwhile. */
export async function markClaimUsed(ctx: AppContext, claimId: number): Promise<boolean> {
  return (await AccountClaims.update(ctx, { id: claimId, usedAt: null }, { usedAt: ctx.now() })) > 0
}

/** Voids the open claims of an account's email. Call it in the transaction that changes the password or the email, before the email is changed. */
export async function voidClaims(ctx: AppContext, buyerId: number): Promise<void> {
  await ctx.db.run(
    `UPDATE account_claims SET used_at = :now WHERE used_at IS NULL
       AND (publication_id, email_key) IN (SELECT publication_id, email_key FROM buyers WHERE id = :buyerId)`,
    { buyerId, now: ctx.now() },
  )
}

/** Deletes claims that expired or were used before a given time. Returns how many there were. */
export function clearClaims(ctx: AppContext, before: Date): Promise<number> {
  return ctx.db.run(`DELETE FROM account_claims WHERE expires_at < :before OR used_at < :before`, { before })
}
