import { z } from 'zod'
import { nonEmptyIds } from '../database.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { type Currency, currencies } from '../kernel/money.ts'
import { termSql } from '../terms/term.rules.ts'
import { useCase } from '../use-case.ts'
import { publicationScope } from './publication-scope.ts'
import { isCountedSql, windowDays } from './reader-sets.rules.ts'

/** The subscriptions whose last day is in a period, and the amounts paid for their terms. */
export interface Expiring {
  from: Day
  until: Day
  /** All of them, including free ones; for the first period, this is the figure "Expirations" of the dashboard. */
  readers: number
  /** The subscriptions with an amount on the record; minor units. */
  paid: { currency: Currency; readers: number; value: number }[]
}

/** One of the subscriptions with the highest amounts that end in the first period. */
export interface ExpiringReader {
  id: number
  name: string
  publicationName: string
  subEndOn: Day
  currency: Currency
  value: number
}

/** How many subscriptions are listed for each currency. */
const maxListed = 5

/**
 * The subscriptions that end in each of the next three periods of 30 days, and the most valuable ones of the first period, as the readers' records
 * are today.
 */
export const expiringByValue = useCase({
  permission: 'dashboard:read',
  input: z.object({ publicationId: z.coerce.number('Must be a number').int().optional() }),
  transaction: 'none',
  async run(ctx, { publicationId }): Promise<{ today: Day; periods: Expiring[]; first: ExpiringReader[] }> {
    const scope = await publicationScope(ctx, publicationId)
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const ids = nonEmptyIds(scope)
    const ends = [0, 1, 2].map((index) => ({
      from: index === 0 ? today : addDays(today, index * windowDays + 1),
      until: addDays(today, (index + 1) * windowDays),
    }))
    const days = await ctx.db.query<{ day: Day; currency: Currency; readers: number; paid: number; value: number }>(
      `SELECT sub_end_on AS day, sub_currency AS currency, COUNT(*) AS readers, COUNT(sub_paid) AS paid, COALESCE(SUM(sub_paid), 0) AS value
       FROM readers WHERE publication_id IN (:ids) AND ${isCountedSql} AND ${termSql.endsWithin(':from', ':until')}
       GROUP BY sub_end_on, sub_currency`,
      { ids, from: today, until: ends.at(-1)?.until ?? today },
    )
    const first = await Promise.all(
      currencies.map((currency) =>
        ctx.db.query<{ id: number; name: string; publication_name: string; sub_end_on: Day; value: number }>(
          `SELECT r.id, COALESCE(NULLIF(TRIM(r.full_name), ''), NULLIF(TRIM(r.company_name), ''), r.unique_reference) AS name, p.publication_name,
                  r.sub_end_on, r.sub_paid AS value
           FROM (SELECT id FROM readers
             WHERE publication_id IN (:ids) AND ${isCountedSql} AND ${termSql.endsWithin(':from', ':until')} AND sub_currency = :currency AND sub_paid > 0
             ORDER BY sub_paid DESC, sub_end_on, id LIMIT ${maxListed}) top
           JOIN readers r ON r.id = top.id JOIN publications p ON p.id = r.publication_id
           ORDER BY r.sub_paid DESC, r.sub_end_on, r.id`,
          { ids, from: today, until: ends[0]?.until ?? today, currency },
        ),
      ),
    )
    return {
      today,
      periods: ends.map(({ from, until }) => {
        const inRange = days.filter(({ day }) => day >= from && day <= until)
        const sum = (part: 'readers' | 'paid' | 'value', currency?: Currency) =>
          inRange
            .filter((row) => currency === undefined || row.currency === currency)
            .reduce((total, row) => total + Number(row[part]), 0)
        const paid = currencies.map((currency) => ({
          currency,
          readers: sum('paid', currency),
          value: sum('value', currency),
        }))
        return { from, until, readers: sum('readers'), paid: paid.filter(({ value }) => value > 0) }
      }),
      first: first.flatMap((rows, index) =>
        rows.map(({ id, name, publication_name, sub_end_on, value }) => ({
          id,
          name,
          publicationName: publication_name,
          subEndOn: sub_end_on,
          currency: currencies[index] as Currency,
          value: Number(value),
        })),
      ),
    }
  },
})
