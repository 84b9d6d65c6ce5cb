import { z } from 'zod'
import { actorColumns } from '../access/actor.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { conflict, invalid } from '../kernel/errors.ts'
import { requirePublisherId } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { type Closable, closableMonths, closeRefusal } from './closable.rules.ts'
import { LedgerCloseStates, lockedCloseState } from './ledger-close-states.rows.ts'
import { LedgerCloseRows, LedgerCloses } from './ledger-closes.rows.ts'
import { addMonthsTo, formatMonth, lastDayOf, type Month, MonthFilter, monthOf } from './months.rules.ts'
import { payoutsToStore } from './payout-journals.ts'
import { computedRows, type ScheduleRow, scheduleRows } from './schedule.query.ts'

/** The figures that a close froze. `isNew`: false if the month was already closed. */
export interface ClosedMonth {
  month: Month
  isNew: boolean
  rows: Pick<ScheduleRow, 'currency' | 'publicationName' | 'product' | 'closing' | 'earned'>[]
}

/**
 * Closes a month of the acting publisher, for all titles and currencies: the figures of its schedule are frozen, and nothing more is entered in
 * it. Months are closed in order. An entry written concurrently counts either in the frozen figures or in the next month.
 */
export const closeMonth = useCase({
  permission: 'ledger:close',
  input: z.object({ month: MonthFilter }),
  async run(ctx, { month }): Promise<ClosedMonth> {
    const publisherId = requirePublisherId(ctx)
    if (month === undefined) throw invalid({ month: 'Enter a month such as 2026-03' })
    const { packEmails, closedUntil } = await lockedCloseState(ctx, publisherId)
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const query = { publisherId, months: [month], asOf: today }
    if (await LedgerCloses.find(ctx, { publisherId, month, reopenedAt: null }))
      return { month, isNew: false, rows: await scheduleRows(ctx, query) }
    const closable = await closableNow(ctx, { publisherId, closedUntil, today })
    if (!closable.months.includes(month)) throw invalid({ month: closeRefusal(month, closable, today) })
    const rows = await computedRows(ctx, query)
    const closeId = await LedgerCloses.insert(ctx, {
      publisherId,
      month,
      packEmails,
      payouts: await payoutsToStore(ctx, { publisherId, month, isFirst: closedUntil === null }),
      closedAt: ctx.now(),
      closedBy: actorColumns(ctx.actor).actorId,
    })
    for (const row of rows) {
      const { currency, publicationId, product, opening, takenOver, sold, refunded, earned, closing } = row
      await LedgerCloseRows.insert(ctx, {
        closeId,
        currency,
        publicationId,
        product,
        opening,
        takenOver,
        sold,
        refunded,
        earned,
        closing,
      })
    }
    await LedgerCloseStates.update(ctx, { publisherId }, { closedUntil: lastDayOf(month) })
    await recordAudit(ctx, 'close-month', { type: 'sales-ledger', id: closeId, publisherId }, { month })
    for (const index of packEmails.keys())
      await enqueueMail(
        ctx,
        'monthly-pack',
        { closeId, index },
        { dedupeKey: `monthly-pack:${closeId}:${index}`, publisherId },
      )
    return { month, isNew: true, rows }
  },
})

/**
 * Reopens the last closed month, with a reason: its figures are those of the ledger again, and may change. What was entered in the next month because
 * this one was closed stays there.
 */
export const reopenMonth = useCase({
  permission: 'ledger:reopen',
  input: z.object({
    month: MonthFilter,
    reason: z.string().trim().min(1, 'Enter why the month is reopened').max(300, 'At most 300 characters'),
  }),
  async run(ctx, { month, reason }): Promise<{ month: Month; isNew: boolean }> {
    const publisherId = requirePublisherId(ctx)
    if (month === undefined) throw invalid({ month: 'Enter a month such as 2026-03' })
    const { closedUntil } = await lockedCloseState(ctx, publisherId)
    const close = await LedgerCloses.find(ctx, { publisherId, month, reopenedAt: null })
    if (!close) {
      if (await LedgerCloses.find(ctx, { publisherId, month })) return { month, isNew: false }
      throw conflict(`${formatMonth(month)} is not closed`)
    }
    const lastClosed = closedUntil === null ? null : monthOf(closedUntil)
    if (month !== lastClosed)
      throw conflict(
        `Only the last closed month can be reopened${lastClosed === null ? '' : `: ${formatMonth(lastClosed)}`}`,
        { hint: 'Reopen the later months first, starting with the last one.' },
      )
    await LedgerCloses.update(
      ctx,
      { id: close.id, reopenedAt: null },
      { reopenedAt: ctx.now(), reopenedBy: actorColumns(ctx.actor).actorId, reopenReason: reason },
    )
    const previousMonth = addMonthsTo(month, -1)
    const previousClose = await LedgerCloses.find(ctx, { publisherId, month: previousMonth, reopenedAt: null })
    await LedgerCloseStates.update(
      ctx,
      { publisherId },
      { closedUntil: previousClose ? lastDayOf(previousMonth) : null },
    )
    await recordAudit(ctx, 'reopen-month', { type: 'sales-ledger', id: close.id, publisherId }, { month, reason })
    return { month, isNew: true }
  },
})

/** Which of a publisher's months may be closed or reopened, and the first of them in which something was entered or taken over. */
export async function closableNow(
  ctx: Pick<AppContext, 'db'>,
  { publisherId, closedUntil, today }: { publisherId: number; closedUntil: Day | null; today: Day },
): Promise<Closable & { firstEntered: Month | null }> {
  const [row] = await ctx.db.query<{ first: Day | null }>(
    `SELECT MIN(first) AS first FROM (
       SELECT MIN(entered_on) AS first FROM ledger_entries WHERE publisher_id = :publisherId
       UNION ALL SELECT MIN(taken_on) FROM opening_balances WHERE publisher_id = :publisherId AND undone_at IS NULL) days`,
    { publisherId },
  )
  const firstEntered = row?.first ? monthOf(row.first) : null
  const lastClosed = closedUntil === null ? null : monthOf(closedUntil)
  return { ...closableMonths({ lastClosed, firstEntered, today }), firstEntered }
}
