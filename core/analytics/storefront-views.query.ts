import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { type Database, nonEmptyIds } from '../database.ts'
import { yearMonth } from '../dialect.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { type Month, monthOf } from '../ledger/months.rules.ts'
import { useCase } from '../use-case.ts'
import { publicationScope } from './publication-scope.ts'

export interface StorefrontViews {
  recent: number
  recentUnique: number
  total: number
  totalUnique: number
}

interface Views {
  views: number
  /** A visitor counts once a day. */
  unique: number
}

/** The months and days with views, newest first. */
export interface StorefrontViewsBy {
  months: (Views & { month: Month; isRunning: boolean })[]
  /** The last 30 days. */
  days: (Views & { on: Day })[]
}

const ViewsInput = z.object({ publicationId: z.coerce.number().int().optional() })

/** How often the storefronts were viewed, in the last 30 days and in total. Visitors count once a day, since they are not tracked from day to day. */
export const storefrontViews = useCase({
  permission: 'dashboard:read',
  input: ViewsInput,
  transaction: 'none',
  async run(ctx, input): Promise<StorefrontViews> {
    const { months, days } = await viewsBy(ctx, input.publicationId)
    const sum = (rows: readonly Views[], part: keyof Views) => rows.reduce((total, row) => total + row[part], 0)
    return {
      recent: sum(days, 'views'),
      recentUnique: sum(days, 'unique'),
      total: sum(months, 'views'),
      totalUnique: sum(months, 'unique'),
    }
  },
})

/** The storefront views by month and, for the last 30 days, by day. */
export const storefrontViewsBy = useCase({
  permission: 'dashboard:read',
  input: ViewsInput,
  transaction: 'none',
  run: (ctx, input): Promise<StorefrontViewsBy> => viewsBy(ctx, input.publicationId),
})

type Counted = Views & { period: string }

/** Caches the views of past days, which no longer change. Yesterday is not cached: by the clock of another process it may not be over. */
const pastViews = new WeakMap<Database, LRUCache<string, { months: Counted[]; days: Counted[] }>>()
const maxCounted = 500

async function viewsBy(ctx: AppContext, publicationId: number | undefined): Promise<StorefrontViewsBy> {
  const ids = await publicationScope(ctx, publicationId)
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const monthAgo = addDays(today, -30)
  const settled = addDays(today, -2)
  const key = JSON.stringify([today, ids])
  const cache =
    pastViews.get(ctx.db) ?? new LRUCache<string, { months: Counted[]; days: Counted[] }>({ max: maxCounted })
  pastViews.set(ctx.db, cache)
  const past = cache.get(key) ?? {
    months: await countViews(ctx, ids, { per: 'month', after: '0001-01-01', until: settled }),
    days: await countViews(ctx, ids, { per: 'day', after: monthAgo, until: settled }),
  }
  cache.set(key, past)
  const recent = await countViews(ctx, ids, { per: 'day', after: settled, until: today })
  const months = new Map<Month, Views>(past.months.map(({ period, ...views }) => [period, views]))
  for (const { period, views, unique } of recent) {
    const month = months.get(monthOf(period)) ?? { views: 0, unique: 0 }
    months.set(monthOf(period), { views: month.views + views, unique: month.unique + unique })
  }
  return {
    months: [...months]
      .map(([month, views]) => ({ month, ...views, isRunning: month === monthOf(today) }))
      .sort((a, b) => (a.month < b.month ? 1 : -1)),
    days: [...past.days, ...recent]
      .map(({ period: on, ...views }) => ({ on, ...views }))
      .sort((a, b) => (a.on < b.on ? 1 : -1)),
  }
}

/** Counts the views of a range of days by month or by day; `after` is exclusive, `until` inclusive. */
async function countViews(
  ctx: AppContext,
  ids: number[],
  { per, after, until }: { per: 'month' | 'day'; after: Day; until: Day },
): Promise<Counted[]> {
  const period = per === 'month' ? yearMonth(ctx.db, 'viewed_on') : 'viewed_on'
  const rows = await ctx.db.query<{ period: string; views: number; visitors: number }>(
    `SELECT ${period} AS period, SUM(views) AS views, COUNT(*) AS visitors FROM page_views
     WHERE publication_id IN (:ids) AND viewed_on > :after AND viewed_on <= :until GROUP BY 1`,
    { ids: nonEmptyIds(ids), after, until },
  )
  return rows.map(({ period, views, visitors }) => ({ period, views: Number(views), unique: Number(visitors) }))
}
