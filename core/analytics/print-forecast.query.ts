import { z } from 'zod'
import { nonEmptyIds } from '../database.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import { type Day, openEnd } from '../kernel/dates.ts'
import { type Month, monthOf } from '../ledger/months.rules.ts'
import { useCase } from '../use-case.ts'
import { renewalCohorts } from './cohorts.query.ts'
import { settledRate } from './cohorts.rules.ts'
import { type ForecastMonth, forecastOf, type PrintedTerms } from './print-forecast.rules.ts'
import { publicationScope } from './publication-scope.ts'

interface TitleForecast {
  publicationId: number
  publicationName: string
  issuesPerYear: number
  months: ForecastMonth[]
}

export interface PrintForecast {
  today: Day
  /** The renewal rate on which the expected copies are based, from 0 to 1; null if no cohort is settled yet. */
  rate: number | null
  titles: TitleForecast[]
}

/** How many copies the issues of the next months need, for each title with printed subscriptions, from the readers' current records. */
export const printForecast = useCase({
  permission: 'dashboard:read',
  input: z.object({ publicationId: z.coerce.number('Must be a number').int().optional() }),
  transaction: 'none',
  async run(ctx, { publicationId }): Promise<PrintForecast> {
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    // Requested before anything is awaited: the parts of the growth page share concurrent reads.
    const [scope, { cohorts }] = await Promise.all([
      publicationScope(ctx, publicationId),
      renewalCohorts(ctx, { publicationId }),
    ])
    const ids = nonEmptyIds(scope)
    const [titles, running, notBegun] = await Promise.all([
      ctx.db.query<{ id: number; name: string; issues: number }>(
        `SELECT id, publication_name AS name, issues_per_year AS issues FROM publications WHERE id IN (:ids) ORDER BY publication_name, id`,
        { ids },
      ),
      ctx.db.query<PrintedTermRow>(
        `SELECT publication_id, NULL AS start_on, sub_end_on AS end_on, COUNT(*) AS readers
         FROM readers WHERE publication_id IN (:ids) AND NOT is_deleted AND sub_type IN ('print', 'bundle') AND sub_end_on >= :today
         GROUP BY publication_id, sub_end_on`,
        { ids, today },
      ),
      // The few that have not begun. Those that ended before today are filtered out below: with a condition on the end, SQLite would choose another
      // index.
      ctx.db.query<PrintedTermRow>(
        `SELECT publication_id, sub_start_on AS start_on, sub_end_on AS end_on, COUNT(*) AS readers
         FROM readers WHERE publication_id IN (:ids) AND NOT is_deleted AND sub_type IN ('print', 'bundle') AND sub_start_on > :today
         GROUP BY publication_id, sub_start_on, sub_end_on`,
        { ids, today },
      ),
    ])
    const rate = settledRate(cohorts)
    return {
      today,
      rate,
      titles: titles.flatMap(({ id, name, issues }) => {
        const rowsOfTitle = (rows: readonly PrintedTermRow[]) =>
          rows.filter((row) => Number(row.publication_id) === Number(id))
        const startingLater = rowsOfTitle(notBegun).filter(({ end_on: endOn }) => endOn >= today)
        // `running` includes those that start later: they are subtracted there and added with their start.
        const terms = byMonth([
          ...rowsOfTitle(running),
          ...startingLater,
          ...startingLater.map((row) => ({ ...row, start_on: null, readers: 0 - Number(row.readers) })),
        ])
        if (terms.length === 0) return []
        const issuesPerYear = Number(issues)
        return [
          {
            publicationId: id,
            publicationName: name,
            issuesPerYear,
            months: forecastOf(terms, { issuesPerYear, rate, today }),
          },
        ]
      }),
    }
  },
})

/** How many readers have a print subscription with these days. */
interface PrintedTermRow {
  publication_id: number
  /** Null: it has begun. */
  start_on: Day | null
  end_on: Day
  readers: number
}

function byMonth(rows: readonly PrintedTermRow[]): PrintedTerms[] {
  const terms = new Map<string, PrintedTerms>()
  for (const { start_on: startOn, end_on: endOn, readers } of rows) {
    const startMonth: Month | null = startOn === null ? null : monthOf(startOn)
    const overMonth: Month | null = endOn === openEnd ? null : monthOf(addDays(endOn, 1))
    const key = `${startMonth} ${overMonth}`
    const sum = terms.get(key)?.readers ?? 0
    terms.set(key, { startMonth, overMonth, readers: sum + Number(readers) })
  }
  return [...terms.values()]
}
