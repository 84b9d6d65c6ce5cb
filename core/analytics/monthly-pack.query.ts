import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { invalid } from '../kernel/errors.ts'
import { closesInForce } from '../ledger/ledger-closes.rows.ts'
import { addMonthsTo, firstDayOf, lastDayOf, type Month, MonthFilter, monthOf } from '../ledger/months.rules.ts'
import { type ScheduleRow, scheduleRows } from '../ledger/schedule.query.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { type Circulation, circulation } from './circulation.query.ts'
import { cohortOfMonth } from './cohorts.query.ts'
import type { Cohort } from './cohorts.rules.ts'

/** The key figures of one title in a month, for its decision makers. Amounts in minor units, each currency separately. */
export interface MonthlyPack {
  publicationId: number
  publicationName: string
  month: Month
  /** The figures are for the end of this day: the month's last day, or today if the month is not over. */
  on: Day
  /** Null: the month is not closed, so the figures may change. */
  closed: { on: Day; by: string } | null
  /** The rows of the deferred revenue schedule. */
  money: ScheduleRow[]
  /** At the end of `on`, compared with the end of the previous month. */
  circulation: Circulation
  /** The renewals of the terms that ended in the month, as on the growth page, and how many readers subscribed for the first time. */
  growth: { cohort: Cohort; newSubscriptions: number }
}

/**
 * The monthly pack of one of the acting publisher's titles, removed or not: the figures of its pages for one month; by default, the last month that
 * is over.
 */
export const monthlyPack = useCase({
  permission: 'order:read',
  input: z.object({ publicationId: z.coerce.number('Must be a number').int(), month: MonthFilter }),
  transaction: 'none',
  async run(ctx, { publicationId, month }): Promise<MonthlyPack> {
    const { id, publisherId } = await ownPublication(ctx, { id: publicationId }, { withRemoved: true })
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const packMonth = month ?? addMonthsTo(monthOf(today), -1)
    if (firstDayOf(packMonth) > today) throw invalid({ month: 'This month has not begun. Choose an earlier month.' })
    return packOf(ctx, { publisherId, publicationId: id, month: packMonth, today })
  },
})

async function packOf(
  ctx: AppContext,
  {
    publisherId,
    publicationId,
    month,
    today,
  }: { publisherId: number; publicationId: number; month: Month; today: Day },
): Promise<MonthlyPack> {
  const on = lastDayOf(month) < today ? lastDayOf(month) : today
  const money = await scheduleRows(ctx, { publisherId, publicationId, months: [month], asOf: today })
  const packCirculation = await circulation(ctx, { publicationId, on, since: lastDayOf(addMonthsTo(month, -1)) })
  const close = (await closesInForce(ctx, publisherId)).get(month)
  return {
    publicationId,
    publicationName: packCirculation.title,
    month,
    on,
    closed: close ? { on: dayOf(close.closedAt, ctx.settings.timeZone), by: close.closedBy } : null,
    money,
    circulation: packCirculation,
    growth: {
      cohort: await cohortOfMonth(ctx, { publicationId, month, today }),
      newSubscriptions: await newSubscriptions(ctx, { publicationId, from: firstDayOf(month), until: on }),
    },
  }
}

/** The number of subscription orders, including gifts and free ones, by readers who had no earlier term. */
async function newSubscriptions(
  ctx: Pick<AppContext, 'db'>,
  between: { publicationId: number; from: Day; until: Day },
): Promise<number> {
  const [row] = await ctx.db.query<{ n: number }>(
    `SELECT COUNT(*) AS n FROM orders WHERE publication_id = :publicationId AND state = 'paid' AND kind = 'subscription' AND NOT is_renewal
       AND ordered_on >= :from AND ordered_on <= :until`,
    between,
  )
  return Number(row?.n ?? 0)
}
