import { z } from 'zod'
import { addDays, dayOf } from '../kernel/dates.ts'
import { useCase } from '../use-case.ts'
import { publicationScope } from './publication-scope.ts'

export interface StorefrontViews {
  recent: number
  recentUnique: number
  total: number
  totalUnique: number
}

/** How often the storefronts were looked at, in the last 30 days and ever. A visitor counts once a day: nobody is followed from day to day. */
export const storefrontViews = useCase({
  permission: 'dashboard:read',
  input: z.object({ publicationId: z.coerce.number().int().optional() }),
  transaction: 'none',
  async run(ctx, input): Promise<StorefrontViews> {
    const ids = await publicationScope(ctx, input.publicationId)
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const [row] = await ctx.db.query<{ total: number; total_unique: number; recent: number; recent_unique: number }>(
      `SELECT COALESCE(SUM(views), 0) AS total, COUNT(*) AS total_unique,
              COALESCE(SUM(CASE WHEN viewed_on > :monthAgo THEN views ELSE 0 END), 0) AS recent,
              COALESCE(SUM(CASE WHEN viewed_on > :monthAgo THEN 1 ELSE 0 END), 0) AS recent_unique
       FROM page_views WHERE publication_id IN (:ids) AND viewed_on <= :today`,
      { ids: ids.length > 0 ? ids : [-1], today, monthAgo: addDays(today, -30) },
    )
    return {
      recent: Number(row?.recent ?? 0),
      recentUnique: Number(row?.recent_unique ?? 0),
      total: Number(row?.total ?? 0),
      totalUnique: Number(row?.total_unique ?? 0),
    }
  },
})
