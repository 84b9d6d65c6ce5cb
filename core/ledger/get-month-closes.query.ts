import { z } from 'zod'
import { dayOf } from '../kernel/calendar.ts'
import { requirePublisherId } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { type CloseCheck, closeChecksOf } from './close-checks.query.ts'
import { closableNow } from './close-month.ts'
import { LedgerCloseStates } from './ledger-close-states.rows.ts'
import { closesOf, type MonthClose } from './ledger-closes.rows.ts'
import { type Month, monthOf, monthsFrom } from './months.rules.ts'

export interface LedgerMonth {
  month: Month
  /**
   * `running`: not over. `open`: over, and not closed. `before`: earlier than the first month that was closed; nothing can be entered in it either.
   */
  state: 'running' | 'open' | 'closed' | 'before'
  /** Every close of the month, oldest first. Where the month is closed, the last one is in force. */
  closes: MonthClose[]
}

export interface LedgerMonths {
  /** From the first month with entries, or the first closed one, to the current month; newest first. */
  months: LedgerMonth[]
  closable: Month[]
  reopenable: Month | null
  /** The checks for the requested month if it is closable, otherwise for the first closable month; empty if no month is closable. */
  checks: CloseCheck[]
  packEmails: string[]
}

/** The months of the acting publisher's ledger with their states. */
export const getMonthCloses = useCase({
  permission: 'order:read',
  input: z.object({ month: z.string().max(7).optional() }),
  transaction: 'none',
  async run(ctx, input): Promise<LedgerMonths> {
    const publisherId = requirePublisherId(ctx)
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const state = await LedgerCloseStates.find(ctx, { publisherId })
    const closedUntil = state?.closedUntil ?? null
    const closable = await closableNow(ctx, { publisherId, closedUntil, today })
    const closes = await closesOf(ctx, publisherId)
    const checkedMonth = closable.months.find((month) => month === input.month) ?? closable.months[0]
    const lastClosed = closedUntil === null ? null : monthOf(closedUntil)
    const first = [closable.firstEntered, closes[0]?.month, monthOf(today)]
      .filter((month) => month != null)
      .sort()[0] as Month
    return {
      months: monthsFrom(first, monthOf(today))
        .toReversed()
        .map((month) => {
          const monthCloses = closes.filter((close) => close.month === month)
          const isClosed = monthCloses.at(-1)?.reopenedAt === null
          const isBefore = lastClosed !== null && month <= lastClosed
          return {
            month,
            state: month === monthOf(today) ? 'running' : isClosed ? 'closed' : isBefore ? 'before' : 'open',
            closes: monthCloses,
          }
        }),
      closable: closable.months,
      reopenable: closable.reopenable,
      checks: checkedMonth === undefined ? [] : await closeChecksOf(ctx, { publisherId, month: checkedMonth }),
      packEmails: state?.packEmails ?? [],
    }
  },
})
