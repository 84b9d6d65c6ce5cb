import type { PartnerScope } from '../access/permissions.ts'
import { hashToken } from '../access/tokens.ts'
import type { AppContext, Services } from '../context.ts'
import { defaulted, defineTable, id, instant, json, nullable, type RowOf, ref, text } from '../table.ts'

/** The keys with which partners' programs query a publication's readers. */
export const ApiKeys = defineTable('api_keys', {
  id: id(),
  publicationId: ref(),
  /** Empty for the first key of a publication, which is for the subscriber check. */
  name: defaulted(text()),
  scopes: defaulted(json<PartnerScope[]>()),
  /** The hash that a key is compared by. */
  keyHash: text(),
  /** The encrypted key, so that its publisher can see it again. */
  keySealed: text(),
  lastFour: text(),
  madeBy: nullable(ref()),
  lastUsedAt: nullable(instant()),
  /** When it expires, once it was replaced. */
  endsAt: nullable(instant()),
  revokedAt: nullable(instant()),
  createdAt: instant(),
})

export type ApiKeyRow = RowOf<typeof ApiKeys>

const callerColumns = ApiKeys.pick('id', 'publicationId', 'scopes', 'lastUsedAt')

/** A key that is in use and whose publication is open; undefined for any other text. */
export async function findKeyInUse({ db, now }: Pick<Services, 'db' | 'now'>, key: string) {
  const [row] = await callerColumns.rows<{ publisherId: number }>(
    { db: db.prepared },
    `SELECT ${callerColumns.columns('k')}, p.publisher_id AS "publisherId"
     FROM api_keys k JOIN publications p ON p.id = k.publication_id JOIN users u ON u.id = p.publisher_id
     WHERE k.key_hash = :keyHash AND k.revoked_at IS NULL AND (k.ends_at IS NULL OR k.ends_at > :now)
       AND p.removed_at IS NULL AND NOT p.is_example AND u.is_active`,
    { keyHash: hashToken(key), now: now() },
  )
  return row
}

/** Records that a key was used, at most once a minute: a write for each call would be too many. */
export async function recordKeyUse(
  services: Services,
  { id: keyId, lastUsedAt }: { id: number; lastUsedAt: Date | null },
): Promise<void> {
  const now = services.now()
  const minuteAgo = new Date(now.getTime() - 60_000)
  if (lastUsedAt && lastUsedAt > minuteAgo) return
  // Checked again: of many concurrent calls only one writes.
  await services.db.run(
    `UPDATE api_keys SET last_used_at = :now WHERE id = :keyId AND (last_used_at IS NULL OR last_used_at <= :minuteAgo)`,
    { keyId, now, minuteAgo },
  )
}

/** The keys of a publication that are in use or in their last day: the first key, then by name; of one name the newest first. */
export function keysInUse(ctx: AppContext, publicationId: number): Promise<ApiKeyRow[]> {
  return ApiKeys.rows(
    ctx,
    `SELECT ${ApiKeys.columns()} FROM api_keys
     WHERE publication_id = :publicationId AND revoked_at IS NULL AND (ends_at IS NULL OR ends_at > :now)
     ORDER BY CASE WHEN name = '' THEN 0 ELSE 1 END, name, id DESC`,
    { publicationId, now: ctx.now() },
  )
}
