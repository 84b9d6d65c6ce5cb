import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { nonEmptyIds } from '../database.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { DayInput } from '../kernel/day-input.ts'
import { type SubType, subTypes } from '../terms/term.rules.ts'
import { useCase } from '../use-case.ts'
import {
  type CirculationChange,
  type CirculationCounts,
  type CountedMoves,
  type CountedTerms,
  circulationChanges,
  circulationCounts,
  type RemovalReason,
} from './circulation.rules.ts'
import { publicationScope } from './publication-scope.ts'

export const CirculationInput = z.object({
  /** Blank: all titles of the publisher. */
  publicationId: z.coerce.number('Must be a number').int().optional(),
  /** Blank: today. For a future day: the subscriptions that will run if nothing changes until then. */
  on: DayInput,
  /** An earlier or later day to compare with. */
  since: DayInput,
  /** Extra copies to print, in per cent. */
  spares: z.coerce.number('Must be a number').min(0, 'Must be 0 or more').max(100, 'Must be 100 or less').default(0),
})

/** A title whose circulation on a day is not known, because it was not recorded before `from`. */
export interface UnknownCirculation {
  publicationName: string
  from: Day
}

export interface Circulation {
  on: Day
  today: Day
  /** The title, or "All titles". */
  title: string
  spares: number
  notKnown: UnknownCirculation[]
  /** Null if the circulation of one of the titles is not known. */
  counts: CirculationCounts | null
  change: { from: Day; to: Day; notKnown: UnknownCirculation[]; products: CirculationChange[] | null } | null
}

interface Title {
  id: number
  publicationName: string
  circulationFrom: Day | null
  country: string
}

/**
 * The circulation at the end of a day, from the readers' records as they were on that day: later additions, removals and replacements do not change
 * the figures of earlier days.
 */
export const circulation = useCase({
  permission: 'circulation:read',
  input: CirculationInput,
  transaction: 'none',
  async run(ctx, { publicationId, since, spares, ...days }): Promise<Circulation> {
    // A removed title can be chosen, but is not included in the total of all titles.
    const withRemoved = publicationId !== undefined
    const titles = await titlesOf(ctx, await publicationScope(ctx, publicationId, { withRemoved }))
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const on = days.on ?? today
    const notKnown = notKnownOf(titles, on)
    const isKnown = notKnown.length === 0
    const counts = isKnown ? circulationCounts(await countTerms(ctx, titles, on), spares) : null
    const title = publicationId === undefined ? 'All titles' : (titles[0]?.publicationName ?? '')
    return {
      on,
      today,
      title,
      spares,
      notKnown,
      counts,
      change: since === undefined ? null : await changeBetween(ctx, titles, [since, on].sort() as [Day, Day]),
    }
  },
})

function titlesOf(ctx: AppContext, ids: readonly number[]): Promise<Title[]> {
  return ctx.db.query<Title>(
    `SELECT p.id, p.publication_name AS "publicationName", p.circulation_from AS "circulationFrom", COALESCE(a.country, 'GB') AS country
     FROM publications p LEFT JOIN accounts a ON a.user_id = p.publisher_id WHERE p.id IN (:ids) ORDER BY p.publication_name, p.id`,
    { ids: nonEmptyIds(ids) },
  )
}

function notKnownOf(titles: readonly Title[], on: Day): UnknownCirculation[] {
  return titles.flatMap(({ publicationName, circulationFrom: from }) =>
    from !== null && on < from ? [{ publicationName, from }] : [],
  )
}

const idsOf = (titles: readonly Title[]) => nonEmptyIds(titles.map(({ id }) => id))

/** The running subscriptions by country, product and payment. Grouped only by country, since SQLite sorts the rows that it groups. */
async function countTerms(ctx: AppContext, titles: readonly Title[], on: Day): Promise<CountedTerms[]> {
  const sums = subTypes.flatMap((product) => [
    `SUM(CASE WHEN product = '${product}' AND amount > 0 THEN 1 ELSE 0 END) AS ${product}_paid`,
    `SUM(CASE WHEN product = '${product}' THEN 1 ELSE 0 END) AS ${product}`,
  ])
  const rows = await ctx.db.query<{ country: string } & Record<SubType | `${SubType}_paid`, number>>(
    `SELECT country, ${sums.join(', ')} FROM circulation_terms
     WHERE publication_id IN (:ids) AND active_from <= :on AND active_until >= :on GROUP BY country`,
    { ids: idsOf(titles), on },
  )
  return rows.flatMap((row) =>
    subTypes.flatMap((product) => {
      const paid = Number(row[`${product}_paid`])
      // A reader without a country is counted in the publisher's country.
      const group = { country: row.country || (titles[0]?.country ?? 'GB'), product }
      return [
        { ...group, isPaid: true, readers: paid },
        { ...group, isPaid: false, readers: Number(row[product]) - paid },
      ]
    }),
  )
}

/**
 * How many readers were added or removed or changed products, from the end of one day to the end of another. Terms that run throughout are not read.
 */
async function changeBetween(
  ctx: AppContext,
  titles: readonly Title[],
  [from, to]: [Day, Day],
): Promise<NonNullable<Circulation['change']>> {
  const notKnown = notKnownOf(titles, from)
  if (notKnown.length > 0) return { from, to, notKnown, products: null }
  const runsOnSql = (day: string) => `t.active_from <= ${day} AND t.active_until >= ${day}`
  const rows = await ctx.db.query<{
    before: SubType | null
    after: SubType | null
    is_return: number
    why: RemovalReason
    readers: number
  }>(
    `SELECT m.before, m.after, m.is_return, CASE WHEN m.after IS NULL THEN
         CASE WHEN l.ended_why IS NULL OR l.active_until >= l.ends_on THEN 'expired' ELSE l.ended_why END END AS why, COUNT(*) AS readers
     FROM (
       SELECT t.publication_id, t.reader_id, MAX(CASE WHEN ${runsOnSql(':from')} THEN t.product END) AS before,
              MAX(CASE WHEN ${runsOnSql(':to')} THEN t.product END) AS after,
              MAX(CASE WHEN t.active_from <= t.active_until AND t.active_until < :from THEN 1 ELSE 0 END) AS is_return,
              MAX(t.known_on) AS last_known_on
       FROM circulation_terms t
       WHERE t.publication_id IN (:ids) AND t.active_from <= :to AND t.active_from <= t.active_until
         AND NOT (t.active_from <= :from AND t.active_until >= :to)
       GROUP BY t.publication_id, t.reader_id
     ) m
     JOIN circulation_terms l ON l.publication_id = m.publication_id AND l.reader_id = m.reader_id AND l.known_on = m.last_known_on
     WHERE m.before IS NOT NULL OR m.after IS NOT NULL
     GROUP BY 1, 2, 3, 4`,
    { ids: idsOf(titles), from, to },
  )
  const moves: CountedMoves[] = rows.map(({ before, after, is_return: isReturn, why, readers }) => ({
    before,
    after,
    isReturn: Number(isReturn) === 1,
    why,
    readers: Number(readers),
  }))
  const [opening, closing] = await Promise.all([from, to].map((day) => countTerms(ctx, titles, day)))
  return {
    from,
    to,
    notKnown,
    products: circulationChanges(
      circulationCounts(opening ?? [], 0).all,
      circulationCounts(closing ?? [], 0).all,
      moves,
    ),
  }
}
