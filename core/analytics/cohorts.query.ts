import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { nonEmptyIds } from '../database.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { shareConcurrentReads } from '../kernel/share-concurrent-reads.ts'
import { firstDayOf, lastDayOf, type Month } from '../ledger/months.rules.ts'
import { useCase } from '../use-case.ts'
import { type Cohort, cohortOf, cohortsOf, type EndedTerms, firstCohortDay } from './cohorts.rules.ts'
import { publicationScope } from './publication-scope.ts'

export interface RenewalCohorts {
  today: Day
  cohorts: Cohort[]
}

const shared = shareConcurrentReads<RenewalCohorts>()

/**
 * How many of the terms that ended in a month were renewed, and how soon. A term is a paid or free subscription order; it is renewed on the day of
 * the reader's next order. Orders that were refunded in full or reversed are ignored. Removed titles are included: they were sold. Three parts of the
 * growth page use these figures, which are read once per page.
 */
export const renewalCohorts = useCase({
  permission: 'dashboard:read',
  input: z.object({ publicationId: z.coerce.number('Must be a number').int().optional() }),
  transaction: 'none',
  run: (ctx, { publicationId }): Promise<RenewalCohorts> =>
    shared(ctx, String(publicationId), () => readCohorts(ctx, publicationId)),
})

async function readCohorts(ctx: AppContext, publicationId: number | undefined): Promise<RenewalCohorts> {
  const ids = await publicationScope(ctx, publicationId, { withRemoved: true })
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const between = { from: firstCohortDay(today), until: addDays(today, -1) }
  return { today, cohorts: cohortsOf(await endedTerms(ctx, ids, between), today) }
}

/** The cohort of one title and month; for the current month, the terms that ended before today. */
export async function cohortOfMonth(
  ctx: AppContext,
  { publicationId, month, today }: { publicationId: number; month: Month; today: Day },
): Promise<Cohort> {
  const yesterday = addDays(today, -1)
  const last = lastDayOf(month)
  const between = { from: firstDayOf(month), until: last < yesterday ? last : yesterday }
  return cohortOf(month, await endedTerms(ctx, [publicationId], between), today)
}

/** The ended terms, one row per title and day, in the order of the index. */
async function endedTerms(
  ctx: AppContext,
  ids: readonly number[],
  between: { from: Day; until: Day },
): Promise<EndedTerms[]> {
  const within = (days: number) => `SUM(CASE WHEN renewed_after <= ${days} THEN 1 ELSE 0 END)`
  const rows = await ctx.db.query<{
    ended_on: Day
    ended: number
    renewed: number
    w0: number
    w30: number
    w60: number
    w90: number
  }>(
    `SELECT sub_end_on AS ended_on, COUNT(*) AS ended, COUNT(renewed_after) AS renewed, ${within(0)} AS w0, ${within(30)} AS w30,
            ${within(60)} AS w60, ${within(90)} AS w90
     FROM orders WHERE publication_id IN (:ids) AND state = 'paid' AND sub_end_on IS NOT NULL AND sub_end_on >= :from AND sub_end_on <= :until
     GROUP BY publication_id, sub_end_on`,
    { ids: nonEmptyIds(ids), ...between },
  )
  return rows.map((row) => ({
    endedOn: row.ended_on,
    ended: Number(row.ended),
    renewed: Number(row.renewed),
    within: { 0: Number(row.w0), 30: Number(row.w30), 60: Number(row.w60), 90: Number(row.w90) },
  }))
}
