import { createHash } from 'node:crypto'
import type { AppContext } from '../context.ts'
import { AppError } from '../kernel/errors.ts'
import { phraseOf } from '../kernel/phrases.ts'

/** How often something may be tried within a window, per key. */
export interface RateLimit {
  hits: number
  windowSeconds: number
}

/** Counts a try within its window. Kept in the database: it survives restarts and is shared by all processes. */
export async function countHit(
  ctx: AppContext,
  key: string,
  { windowSeconds }: RateLimit,
): Promise<{ hits: number; resetsAt: Date }> {
  const now = ctx.now()
  const [row] = await ctx.db.transaction(() =>
    ctx.db.query<{ hits: number; resets_at: Date | string }>(
      `INSERT INTO rate_limits (limit_key, hits, resets_at) VALUES (:key, 1, :resetsAt)
       ON CONFLICT (limit_key) DO UPDATE SET
         hits = CASE WHEN rate_limits.resets_at <= :now THEN 1 ELSE rate_limits.hits + 1 END,
         resets_at = CASE WHEN rate_limits.resets_at <= :now THEN :resetsAt ELSE rate_limits.resets_at END
       RETURNING hits, resets_at`,
      { key: storedKey(key), now, resetsAt: new Date(now.getTime() + windowSeconds * 1000) },
    ),
  )
  return { hits: row?.hits ?? 1, resetsAt: new Date(row?.resets_at ?? now) }
}

/** Counts a try and refuses it past the limit. */
export async function countTry(ctx: AppContext, key: string, limit: RateLimit): Promise<void> {
  const { hits, resetsAt } = await countHit(ctx, key, limit)
  if (hits <= limit.hits) return
  const retryAfterSeconds = Math.max(1, Math.ceil((resetsAt.getTime() - ctx.now().getTime()) / 1000))
  const minutes = Math.ceil(retryAfterSeconds / 60)
  throw new AppError(
    'tooMany',
    minutes === 1
      ? 'Too many tries. Please wait a minute and try again.'
      : phraseOf('Too many tries. Please wait {minutes} minutes and try again.', { minutes }),
    { retryAfterSeconds },
  )
}

/** Takes one try back: what was tried turned out to be right, and those who were wrong before still count. */
export async function giveTryBack(ctx: AppContext, key: string): Promise<void> {
  await ctx.db.run(`UPDATE rate_limits SET hits = hits - 1 WHERE limit_key = :key AND hits > 0`, {
    key: storedKey(key),
  })
}

/** Takes the tries of a key back: what was tried turned out to be right. */
export async function forgetTries(ctx: AppContext, key: string): Promise<void> {
  await ctx.db.run(`DELETE FROM rate_limits WHERE limit_key = :key`, { key: storedKey(key) })
}

const longestKey = 200

/** The column is narrower than the longest e-mail: a long key is kept by its hash. */
function storedKey(key: string): string {
  return key.length <= longestKey ? key : `sha256:${createHash('sha256').update(key).digest('hex')}`
}
