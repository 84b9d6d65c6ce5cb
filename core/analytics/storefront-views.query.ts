import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { Database } from '../database.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { useCase } from '../use-case.ts'
import { publicationScope } from './publication-scope.ts'

export interface StorefrontViews {
  recent: number
  recentUnique: number
  total: number
  totalUnique: number
}

/** The views of days that are over, which nothing changes: yesterday is left out, since another process's clock may still stand in it. */
const past = new WeakMap<Database, LRUCache<string, StorefrontViews>>()
const mostCounted = 500

/** How often the storefronts were looked at, in the last 30 days and ever. A visitor counts once a day: nobody is followed from day to day. */
export const storefrontViews = useCase({
  permission: 'dashboard:read',
  input: z.object({ publicationId: z.coerce.number().int().optional() }),
  transaction: 'none',
  async run(ctx, input): Promise<StorefrontViews> {
    const ids = await publicationScope(ctx, input.publicationId)
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const monthAgo = addDays(today, -30)
    const settled = addDays(today, -2)
    const key = JSON.stringify([today, ids])
    const known = past.get(ctx.db) ?? new LRUCache<string, StorefrontViews>({ max: mostCounted })
    past.set(ctx.db, known)
    const before = known.get(key) ?? (await viewsBetween(ctx, ids, { after: '0001-01-01', until: settled, monthAgo }))
    known.set(key, before)
    const since = await viewsBetween(ctx, ids, { after: settled, until: today, monthAgo })
    return {
      recent: before.recent + since.recent,
      recentUnique: before.recentUnique + since.recentUnique,
      total: before.total + since.total,
      totalUnique: before.totalUnique + since.totalUnique,
    }
  },
})

/** `after` does not count itself, `until` does. */
async function viewsBetween(
  ctx: AppContext,
  ids: number[],
  days: { after: Day; until: Day; monthAgo: Day },
): Promise<StorefrontViews> {
  const [row] = await ctx.db.query<{ total: number; total_unique: number; recent: number; recent_unique: number }>(
    `SELECT COALESCE(SUM(views), 0) AS total, COUNT(*) AS total_unique,
            COALESCE(SUM(CASE WHEN viewed_on > :monthAgo THEN views ELSE 0 END), 0) AS recent,
            COALESCE(SUM(CASE WHEN viewed_on > :monthAgo THEN 1 ELSE 0 END), 0) AS recent_unique
     FROM page_views WHERE publication_id IN (:ids) AND viewed_on > :after AND viewed_on <= :until`,
    { ids: ids.length > 0 ? ids : [-1], ...days },
  )
  return {
    recent: Number(row?.recent ?? 0),
    recentUnique: Number(row?.recent_unique ?? 0),
    total: Number(row?.total ?? 0),
    totalUnique: Number(row?.total_unique ?? 0),
  }
}
