import type { AppContext } from '../context.ts'
import { defineTable, id, instant, integer, nullable, type RowOf, ref, text } from '../table.ts'

/** The permissions that readers granted to apps: created with the code of one log-in, renewed by refresh tokens. Only hashes of both are stored. */
export const AppGrants = defineTable('app_grants', {
  id: id(),
  appId: ref(),
  buyerId: ref(),
  /** The buyer's value at that log-in: a password change increments it and ends the grant. */
  tokenVersion: integer(),
  redirectUri: text(),
  /** SHA-256 of the verifier that only the app knows (PKCE). */
  challenge: text(),
  codeHash: text(),
  codeEndsAt: instant(),
  codeUsedAt: nullable(instant()),
  refreshHash: nullable(text()),
  /** The token issued moments before `refreshHash`, if the previous token was used twice: another tab may hold it. Valid until the next rotation. */
  siblingHash: nullable(text()),
  /** The previous refresh token: using it later than a short grace period means that it was stolen. */
  previousHash: nullable(text()),
  rotatedAt: nullable(instant()),
  endsAt: instant(),
  revokedAt: nullable(instant()),
  createdAt: instant(),
})

export type AppGrantRow = RowOf<typeof AppGrants>

/** Ends a grant; does nothing if it had already ended. */
export async function revokeGrant(ctx: AppContext, grantId: number): Promise<void> {
  await AppGrants.update(ctx, { id: grantId, revokedAt: null }, { revokedAt: ctx.now() })
}

/** Ends all grants of an app. Returns how many there were. */
export function revokeGrantsOf(ctx: AppContext, appId: number): Promise<number> {
  return AppGrants.update(ctx, { appId, revokedAt: null }, { revokedAt: ctx.now() })
}

/** Deletes grants that ended before a given time. Returns how many there were. */
export function clearGrants(ctx: AppContext, before: Date): Promise<number> {
  return ctx.db.run(`DELETE FROM app_grants WHERE ends_at < :before OR revoked_at < :before`, { before })
}
