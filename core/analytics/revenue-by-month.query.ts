import { z } from 'zod'
import { nonEmptyIds } from '../database.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { useCase } from '../use-case.ts'
import { publicationScope } from './publication-scope.ts'
import { firstComparedDay, type RevenueMonths, revenueMonths } from './revenue-months.rules.ts'

export interface RevenueByMonth {
  today: Day
  currencies: RevenueMonths[]
}

/** Sales less refunds, by the month in which they were entered, with the same month of the year before; each currency separately. */
export const revenueByMonth = useCase({
  permission: 'dashboard:read',
  input: z.object({ publicationId: z.coerce.number('Must be a number').int().optional() }),
  transaction: 'none',
  async run(ctx, { publicationId }): Promise<RevenueByMonth> {
    const ids = await publicationScope(ctx, publicationId, { withRemoved: true })
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const days = await ctx.db.query<{ day: Day; currency: Currency; net: number }>(
      `SELECT day, currency, SUM(sold - refunded) AS net FROM ledger_days
       WHERE publisher_id IN (SELECT publisher_id FROM publications WHERE id IN (:ids)) AND publication_id IN (:ids)
         AND day >= :from AND day <= :today
       GROUP BY day, currency`,
      { ids: nonEmptyIds(ids), from: firstComparedDay(today), today },
    )
    return {
      today,
      currencies: revenueMonths(
        days.map(({ net, ...row }) => ({ ...row, net: Number(net) })),
        today,
      ),
    }
  },
})
