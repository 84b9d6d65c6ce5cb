import { createHash } from 'node:crypto'
import type { AppContext } from '../context.ts'
import { asInstant } from '../database.ts'
import { defineTable, id, instant, integer, text } from '../table.ts'

/** Attempts per key within a fixed window. In the database, so that they survive restarts and all processes share them. */
export const RateLimits = defineTable('rate_limits', {
  id: id(),
  limitKey: text(),
  hits: integer(),
  resetsAt: instant(),
})

const counter = RateLimits.pick('hits', 'resetsAt')

/** Counts an attempt (atomic upsert); the first one after a window's end starts the next window. */
export async function countHit(
  ctx: AppContext,
  key: string,
  { windowSeconds }: { windowSeconds: number },
): Promise<{ hits: number; resetsAt: Date }> {
  const now = ctx.now()
  const resetsAt = new Date(now.getTime() + windowSeconds * 1000)
  const [row] = await ctx.db.write(() =>
    counter.rows(
      ctx,
      `INSERT INTO rate_limits (limit_key, hits, resets_at) VALUES (:key, 1, :resetsAt)
       ON CONFLICT (limit_key) DO UPDATE SET
         hits = CASE WHEN rate_limits.resets_at <= :now THEN 1 ELSE rate_limits.hits + 1 END,
         resets_at = CASE WHEN rate_limits.resets_at <= :now THEN :resetsAt ELSE rate_limits.resets_at END
       RETURNING ${counter.columns()}`,
      { key: storedKey(key), now, resetsAt },
    ),
  )
  return row ?? { hits: 1, resetsAt }
}

/** The attempts of a key within its current window; undefined if there are none. */
export async function findHits(ctx: AppContext, key: string): Promise<{ hits: number; resetsAt: Date } | undefined> {
  const [row] = await counter.rows(
    ctx,
    `SELECT ${counter.columns()} FROM rate_limits WHERE limit_key = :key AND resets_at > :now`,
    { key: storedKey(key), now: ctx.now() },
  )
  return row
}

/** The attempts of some keys within their current windows, by key. */
export type Hits = ReadonlyMap<string, { hits: number; resetsAt: Date }>

/** A row of a statement that `hitsSubquery` is part of; each null if no key has attempts. */
export interface HitsRow {
  limitKey: string | null
  limitHits: number | null
  limitResetsAt: Date | string | null
}

/**
 * The attempts of some keys as part of another statement: to be joined to it, one row for each key that has any, and
 * read from its rows. A separate query costs as much as the rest of a small request.
 */
export function hitsSubquery(ctx: AppContext, keys: readonly string[]) {
  const byStored = new Map(keys.map((key) => [storedKey(key), key]))
  return {
    join: `LEFT JOIN rate_limits l ON l.limit_key IN (:limitKeys) AND l.resets_at > :limitsAt`,
    columns: `l.limit_key AS "limitKey", l.hits AS "limitHits", l.resets_at AS "limitResetsAt"`,
    values: { limitKeys: [...byStored.keys()], limitsAt: ctx.now() },
    of(rows: readonly HitsRow[]): Hits {
      return new Map(
        rows.flatMap(({ limitKey, limitHits, limitResetsAt }) =>
          limitKey === null || limitHits === null || limitResetsAt === null
            ? []
            : [[byStored.get(limitKey) ?? limitKey, { hits: limitHits, resetsAt: asInstant(limitResetsAt) }] as const],
        ),
      )
    },
  }
}

/** Removes one successful attempt from the count; earlier failed ones still count. */
export async function removeAttempt(ctx: AppContext, key: string): Promise<void> {
  await ctx.db.run(`UPDATE rate_limits SET hits = hits - 1 WHERE limit_key = :key AND hits > 0`, {
    key: storedKey(key),
  })
}

/** Resets the count of a key after a successful attempt. */
export async function resetAttempts(ctx: AppContext, key: string): Promise<void> {
  await RateLimits.remove(ctx, { limitKey: storedKey(key) })
}

/** Deletes the counters whose window has ended. */
export function clearRateLimits(ctx: AppContext): Promise<number> {
  return ctx.db.run(`DELETE FROM rate_limits WHERE resets_at < :now`, { now: ctx.now() })
}

const maxKeyLength = 200

/** The column is narrower than the longest email: a long key is stored as its hash. */
function storedKey(key: string): string {
  return key.length <= maxKeyLength ? key : `sha256:${createHash('sha256').update(key).digest('hex')}`
}
