import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { addDays, dayOf, daysBetween } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { bestActions, type HealthAction, type HealthCounts, healthScore } from './health.rules.ts'
import { HealthDays, HealthDigests } from './health-days.rows.ts'
import type { CountedKey } from './warnings.rules.ts'

export interface DataHealth {
  /** The last count; null before the first one. */
  last: { on: Day; score: number | null; counts: HealthCounts; actions: HealthAction[] } | null
  /** The history of the last year, oldest first: one day per week, up to the last count. */
  history: { on: Day; score: number }[]
  /** The lengths of the lists about a week ago, and the day they were counted; null if they were not counted then. */
  lastWeek: { on: Day; lists: Partial<Record<CountedKey, number>> } | null
  /** The viewer gets the digest by email. */
  isMailed: boolean
}

/** The data health of a publication, as counted by the daily job: fast, however many readers there are. */
export const dataHealth = useCase({
  permission: 'reader:import',
  input: z.object({ publicationId: z.coerce.number('Required').int() }),
  transaction: 'none',
  async run(ctx, { publicationId }): Promise<DataHealth> {
    const { id } = await ownPublication(ctx, { id: publicationId })
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const [days, lastWeek, isMailed] = await Promise.all([
      healthDays(ctx, id, addDays(today, -366)),
      listsOfLastWeek(ctx, id, today),
      wantsDigest(ctx),
    ])
    const last = days.at(-1)
    return {
      last: last ? { on: last.countedOn, score: healthScore(last), counts: last, actions: bestActions(last) } : null,
      history: weekly(days).flatMap((counted) => {
        const score = healthScore(counted)
        return score === null ? [] : [{ on: counted.countedOn, score }]
      }),
      lastWeek,
      isMailed,
    }
  },
})

function healthDays(ctx: AppContext, publicationId: number, since: Day) {
  return HealthDays.rows(
    ctx,
    `SELECT ${HealthDays.columns()} FROM health_days WHERE publication_id = :publicationId AND counted_on >= :since ORDER BY counted_on`,
    { publicationId, since },
  )
}

/** One day per week, selected backwards from the last, which is always included. Some days may not have been counted. */
function weekly<Counted extends { countedOn: Day }>(days: readonly Counted[]): Counted[] {
  const countedDays: Counted[] = []
  for (const counted of days.toReversed()) {
    const next = countedDays.at(-1)
    if (next === undefined || daysBetween(counted.countedOn, next.countedOn) >= 7) countedDays.push(counted)
  }
  return countedDays.toReversed()
}

/** The lists as they were a week ago, or on the last counted day before that. */
async function listsOfLastWeek(ctx: AppContext, publicationId: number, today: Day): Promise<DataHealth['lastWeek']> {
  const rows = await ctx.db.query<{ list: CountedKey; readers: number; on: Day }>(
    `SELECT list, readers, counted_on AS "on" FROM list_days WHERE publication_id = :publicationId AND counted_on = (
       SELECT MAX(counted_on) FROM list_days WHERE publication_id = :publicationId AND counted_on <= :upTo AND counted_on >= :since)`,
    { publicationId, upTo: addDays(today, -7), since: addDays(today, -14) },
  )
  const [first] = rows
  return first
    ? { on: first.on, lists: Object.fromEntries(rows.map(({ list, readers }) => [list, Number(readers)])) }
    : null
}

async function wantsDigest(ctx: AppContext): Promise<boolean> {
  return ctx.actor.kind === 'staff' && (await HealthDigests.find(ctx, { userId: ctx.actor.userId })) !== null
}
