import type { ScriptScope } from '../access/permissions.ts'
import { hashToken } from '../access/tokens.ts'
import type { AppContext, Services } from '../context.ts'
import { defineTable, id, instant, json, nullable, type RowOf, ref, text } from '../table.ts'

/** Keys with which scripts of a user call the API, within the user's rights. Only the hash of a key is stored. */
export const ScriptKeys = defineTable('script_keys', {
  id: id(),
  userId: ref(),
  name: text(),
  scopes: json<ScriptScope[]>(),
  keyHash: text(),
  lastFour: text(),
  lastUsedAt: nullable(instant()),
  revokedAt: nullable(instant()),
  createdAt: instant(),
})

export type ScriptKeyRow = RowOf<typeof ScriptKeys>

export function findScriptKey(services: Pick<Services, 'db'>, key: string): Promise<ScriptKeyRow | null> {
  return ScriptKeys.find(services, { keyHash: hashToken(key), revokedAt: null })
}

/** Records that a key was used, at most once a minute. */
export async function recordScriptKeyUse(services: Services, { id: keyId, lastUsedAt }: ScriptKeyRow): Promise<void> {
  const now = services.now()
  const minuteAgo = new Date(now.getTime() - 60_000)
  if (lastUsedAt && lastUsedAt > minuteAgo) return
  await services.db.run(
    `UPDATE script_keys SET last_used_at = :now WHERE id = :keyId AND (last_used_at IS NULL OR last_used_at <= :minuteAgo)`,
    { keyId, now, minuteAgo },
  )
}

/** Revokes every key of a user and, if it is a publisher, of its staff: a reactivated user makes new keys. Returns how many were revoked. */
export function revokeScriptKeys(ctx: AppContext, userId: number): Promise<number> {
  return ctx.db.run(
    `UPDATE script_keys SET revoked_at = :now WHERE revoked_at IS NULL
       AND user_id IN (SELECT id FROM users WHERE id = :userId OR parent_publisher_id = :userId)`,
    { userId, now: ctx.now() },
  )
}
