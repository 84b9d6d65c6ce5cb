import { z } from 'zod'
import { dayOf } from '../kernel/calendar.ts'
import { onePublisher } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { type CloseCheck, closeChecksOf } from './close-checks.query.ts'
import { closableNow } from './close-month.ts'
import { LedgerCloseStates } from './ledger-close-states.rows.ts'
import { closesOf, type MonthClose } from './ledger-closes.rows.ts'
import { type Month, monthOf, monthsFrom } from './months.rules.ts'

export interface LedgerMonth {
  month: Month
  /**
   * `running`: not over. `open`: over, and not closed. `before`: before the first month that was closed, so that nothing can be entered in it any
   * more, either.
   */
  state: 'running' | 'open' | 'closed' | 'before'
  /** Every close of the month, oldest first. Where the month is closed, the last one is in force. */
  closes: MonthClose[]
}

export interface LedgerMonths {
  /** From the first with entries (or closed) until this one, newest first. */
  months: LedgerMonth[]
  closable: Month[]
  reopenable: Month | null
  /** What should be checked before the requested month is closed, or else the first closable one; empty where none is closable. */
  checks: CloseCheck[]
  packEmails: string[]
}

/** The months of the acting publisher's ledger with their states. */
export const getMonthCloses = useCase({
  permission: 'order:read',
  input: z.object({ month: z.string().max(7).optional() }),
  transaction: 'none',
  async run(ctx, input): Promise<LedgerMonths> {
    const publisherId = onePublisher(ctx)
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const state = await LedgerCloseStates.find(ctx, { publisherId })
    const closedUntil = state?.closedUntil ?? null
    const [closable, closes] = [
      await closableNow(ctx, { publisherId, closedUntil, today }),
      await closesOf(ctx, publisherId),
    ]
    const month = closable.months.find((one) => one === input.month) ?? closable.months[0]
    const lastClosed = closedUntil === null ? null : monthOf(closedUntil)
    const first = [closable.firstEntered, closes[0]?.month, monthOf(today)]
      .filter((one) => one != null)
      .sort()[0] as Month
    return {
      months: monthsFrom(first, monthOf(today))
        .toReversed()
        .map((one) => {
          const ofMonth = closes.filter((close) => close.month === one)
          const isClosed = ofMonth.at(-1)?.reopenedAt === null
          const isBefore = lastClosed !== null && one <= lastClosed
          return {
            month: one,
            state: one === monthOf(today) ? 'running' : isClosed ? 'closed' : isBefore ? 'before' : 'open',
            closes: ofMonth,
          }
        }),
      closable: closable.months,
      reopenable: closable.reopenable,
      checks: month === undefined ? [] : await closeChecksOf(ctx, { publisherId, month }),
      packEmails: state?.packEmails ?? [],
    }
  },
})
