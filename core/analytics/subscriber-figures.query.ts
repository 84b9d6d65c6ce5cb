import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Database } from '../database.ts'
import { dayOf } from '../kernel/calendar.ts'
import { readersVersions } from '../readers/reader-editions.rows.ts'
import { type SubType, subTypes } from '../terms/term.rules.ts'
import { useCase } from '../use-case.ts'
import { publicationScope } from './publication-scope.ts'
import { isCounted, readerSets, setDays } from './reader-sets.rules.ts'

type CountByType = Record<SubType | 'all', number>

export interface SubscriberFigures {
  /** Subscriptions that began in the last 30 days, today included. */
  recent: CountByType
  /** Running today. */
  current: CountByType
  /** Last days in the 30 days before today. */
  expiredRecently: number
  /** Last days from today on, 30 days ahead. */
  expiringSoon: number
  year: number
  /** January to December: how many subscriptions began in each month. */
  months: Record<SubType, number[]>
}

interface Group {
  sub_type: SubType
  start_month: string | null
  is_current: number
  is_recent: number
  is_expired: number
  is_expiring: number
  readers: number
}

/** What was counted, until the readers or the day change: the walk is a third of the time of the dashboard. */
const counted = new WeakMap<Database, LRUCache<string, SubscriberFigures>>()
const mostCounted = 500

/**
 * Who subscribes: one walk over the readers of the chosen publication, or of all the acting publisher's, answers all of it. Deactivated
 * readers do not count; an open end is current and expires never.
 */
export const subscriberFigures = useCase({
  permission: 'dashboard:read',
  input: z.object({
    publicationId: z.coerce.number().int().optional(),
    year: z.coerce.number().int().min(1970).max(2100).optional().catch(undefined),
  }),
  transaction: 'none',
  async run(ctx, input): Promise<SubscriberFigures> {
    const scope = await publicationScope(ctx, input.publicationId)
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const year = input.year ?? Number(today.slice(0, 4))
    // Before counting: what is written meanwhile makes the figures those of an edition that is over.
    const key = JSON.stringify([today, year, scope, await readersVersions(ctx.db, scope)])
    const known = counted.get(ctx.db) ?? new LRUCache<string, SubscriberFigures>({ max: mostCounted })
    counted.set(ctx.db, known)
    const figures = known.get(key)
    if (figures) return figures
    const month = ctx.db.dialect === 'sqlite' ? 'SUBSTR(sub_start_on, 6, 2)' : `TO_CHAR(sub_start_on, 'MM')`
    const groups = await ctx.db.query<Group>(
      `SELECT sub_type,
              CASE WHEN sub_start_on BETWEEN :yearStart AND :yearEnd AND sub_start_on <= :today THEN ${month} END AS start_month,
              CASE WHEN ${readerSets.current.sql} THEN 1 ELSE 0 END AS is_current,
              CASE WHEN ${readerSets.recent.sql} THEN 1 ELSE 0 END AS is_recent,
              CASE WHEN ${readerSets.expired.sql} THEN 1 ELSE 0 END AS is_expired,
              CASE WHEN ${readerSets.expiring.sql} THEN 1 ELSE 0 END AS is_expiring,
              COUNT(*) AS readers
       FROM readers
       WHERE publication_id IN (:publicationIds) AND ${isCounted}
       GROUP BY 1, 2, 3, 4, 5, 6`,
      {
        publicationIds: scope.length > 0 ? scope : [-1],
        ...setDays(today),
        yearStart: `${year}-01-01`,
        yearEnd: `${year}-12-31`,
      },
    )
    const added = addUp(groups, year)
    known.set(key, added)
    return added
  },
})

function addUp(groups: Group[], year: number): SubscriberFigures {
  const figures: SubscriberFigures = {
    recent: none(),
    current: none(),
    expiredRecently: 0,
    expiringSoon: 0,
    year,
    months: Object.fromEntries(subTypes.map((type) => [type, Array<number>(12).fill(0)])) as Record<SubType, number[]>,
  }
  const count = (into: CountByType, group: Group) => {
    into[group.sub_type] += Number(group.readers)
    into.all += Number(group.readers)
  }
  for (const group of groups) {
    if (group.is_recent) count(figures.recent, group)
    if (group.is_current) count(figures.current, group)
    if (group.is_expired) figures.expiredRecently += Number(group.readers)
    if (group.is_expiring) figures.expiringSoon += Number(group.readers)
    const months = figures.months[group.sub_type]
    const index = Number(group.start_month) - 1
    if (group.start_month !== null) months[index] = (months[index] ?? 0) + Number(group.readers)
  }
  return figures
}

function none(): CountByType {
  return { all: 0, print: 0, digital: 0, bundle: 0 }
}
