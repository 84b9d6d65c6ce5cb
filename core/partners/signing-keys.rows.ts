import type { JWK } from 'jose'
import type { Services } from '../context.ts'
import { defineTable, id, instant, integer, json, type RowOf, text } from '../table.ts'

/** The keys that sign the claims of readers for apps. */
export const SigningKeys = defineTable('signing_keys', {
  id: id(),
  /** 1, 2, 3: the newest key has the highest number. */
  generation: integer(),
  kid: text(),
  publicJwk: json<JWK>(),
  privateSealed: text(),
  /** The time from which it signs; it is published earlier. */
  activeAt: instant(),
  createdAt: instant(),
})

export type SigningKeyRow = RowOf<typeof SigningKeys>

/** All signing keys, the newest first. */
export function allSigningKeys({ db }: Pick<Services, 'db'>): Promise<SigningKeyRow[]> {
  return SigningKeys.rows({ db }, `SELECT ${SigningKeys.columns()} FROM signing_keys ORDER BY generation DESC`)
}

/** Deletes all but one: what they signed can no longer be verified. Returns how many were deleted. */
export function deleteOtherKeys({ db }: Pick<Services, 'db'>, id: number): Promise<number> {
  return db.run('DELETE FROM signing_keys WHERE id <> :id', { id })
}
