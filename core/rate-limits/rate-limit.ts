import type { AppContext } from '../context.ts'
import { AppError } from '../kernel/errors.ts'
import { phraseOf } from '../kernel/phrases.ts'
import { networkOf } from './network.rules.ts'
import { countHit, findHits, type Hits } from './rate-limits.rows.ts'

/** How many attempts a key has within a window. */
export interface RateLimit {
  hits: number
  windowSeconds: number
}

/** Counts an attempt; throws `tooMany` beyond the limit. */
export async function countAttempt(ctx: AppContext, key: string, limit: RateLimit): Promise<void> {
  const { hits, resetsAt } = await countHit(ctx, key, limit)
  if (hits > limit.hits) throw tooMany(ctx, resetsAt)
}

/** The key of what is counted by the visitor's network; undefined for a caller without an address, who is not counted. */
export function networkKey({ origin }: AppContext, name: string): string | undefined {
  return origin.address ? `${name}-from:${networkOf(origin.address)}` : undefined
}

/** Counts an attempt of the visitor's network; throws `tooMany` beyond the limit. */
export async function countFromNetwork(ctx: AppContext, name: string, limit: RateLimit): Promise<void> {
  const key = networkKey(ctx, name)
  if (key) await countAttempt(ctx, key, limit)
}

/** Throws `tooMany` if the limit is already reached, without counting an attempt. */
export async function refusePastLimit(ctx: AppContext, key: string, limit: RateLimit): Promise<void> {
  const attempts = await findHits(ctx, key)
  if (attempts && attempts.hits >= limit.hits) throw tooMany(ctx, attempts.resetsAt)
}

/** Throws `tooMany` if any of several limits is reached, by attempts that were read before. */
export function refusePastHits(ctx: AppContext, limits: Readonly<Record<string, RateLimit>>, attempts: Hits): void {
  for (const [key, { hits, resetsAt }] of attempts) {
    if (hits >= (limits[key]?.hits ?? Number.POSITIVE_INFINITY)) throw tooMany(ctx, resetsAt)
  }
}

function tooMany(ctx: AppContext, resetsAt: Date): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil((resetsAt.getTime() - ctx.now().getTime()) / 1000))
  const minutes = Math.ceil(retryAfterSeconds / 60)
  return new AppError(
    'tooMany',
    minutes === 1
      ? 'Too many attempts. Please wait a minute and try again.'
      : phraseOf('Too many attempts. Please wait {minutes} minutes and try again.', { minutes }),
    { retryAfterSeconds },
  )
}
