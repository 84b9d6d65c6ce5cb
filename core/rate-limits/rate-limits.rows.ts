import { createHash } from 'node:crypto'
import type { AppContext } from '../context.ts'
import { defineTable, id, instant, integer, text } from '../table.ts'

/** Tries by key, within a window. In the database: they survive restarts and are shared by all processes. */
export const RateLimits = defineTable('rate_limits', {
  id: id(),
  limitKey: text(),
  hits: integer(),
  resetsAt: instant(),
})

const counter = RateLimits.pick('hits', 'resetsAt')

/** Counts a try; the first one after the end of a window begins the next. */
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

/** The tries of a key within its window; undefined where there are none. */
export async function findHits(ctx: AppContext, key: string): Promise<{ hits: number; resetsAt: Date } | undefined> {
  const [row] = await counter.rows(
    ctx,
    `SELECT ${counter.columns()} FROM rate_limits WHERE limit_key = :key AND resets_at > :now`,
    { key: storedKey(key), now: ctx.now() },
  )
  return row
}

/** Takes one try back: what was tried turned out to be right, and those who were wrong before still count. */
export async function giveTryBack(ctx: AppContext, key: string): Promise<void> {
  await ctx.db.run(`UPDATE rate_limits SET hits = hits - 1 WHERE limit_key = :key AND hits > 0`, {
    key: storedKey(key),
  })
}

/** Takes the tries of a key back: what was tried turned out to be right. */
export async function forgetTries(ctx: AppContext, key: string): Promise<void> {
  await RateLimits.remove(ctx, { limitKey: storedKey(key) })
}

/** Forgets the counters whose window is over. */
export function clearRateLimits(ctx: AppContext): Promise<number> {
  return ctx.db.run(`DELETE FROM rate_limits WHERE resets_at < :now`, { now: ctx.now() })
}

const longestKey = 200

/** The column is narrower than the longest email: a long key is kept by its hash. */
function storedKey(key: string): string {
  return key.length <= longestKey ? key : `sha256:${createHash('sha256').update(key).digest('hex')}`
}
