import { z } from 'zod'
import { nonEmptyIds } from '../database.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency, Money } from '../kernel/money.ts'
import type { EntryKind } from '../ledger/entry-kinds.rules.ts'
import { type Month, monthOf } from '../ledger/months.rules.ts'
import { useCase } from '../use-case.ts'
import { renewalCohorts } from './cohorts.query.ts'
import { firstCohortDay } from './cohorts.rules.ts'
import { publicationScope } from './publication-scope.ts'

/** The kind of loss that an entry counts towards, and whether it adds to the loss or subtracts from it. */
const lossOf: Partial<Record<EntryKind, { loss: 'refunded' | 'failed' | 'disputed'; sign: 1 | -1 }>> = {
  refund: { loss: 'refunded', sign: 1 },
  'refund-failed': { loss: 'refunded', sign: -1 },
  credit: { loss: 'refunded', sign: 1 },
  'credit-used': { loss: 'refunded', sign: 1 },
  'debit-failed': { loss: 'failed', sign: 1 },
  dispute: { loss: 'disputed', sign: 1 },
  'dispute-won': { loss: 'disputed', sign: -1 },
}

export interface Loss {
  /** How many refunds, failed debits or disputes. */
  count: number
  /** Minor units, for each currency with losses. */
  money: Money[]
}

export interface MonthOfLosses {
  month: Month
  isRunning: boolean
  /** Terms that ended in the month and have not been renewed so far (see `Cohort`). */
  lapsed: number
  /** Orders of the month that are still declined. */
  declined: number
  refunded: Loss
  failed: Loss
  disputed: Loss
}

/** The losses of each month, by cause. */
export const lossesByMonth = useCase({
  permission: 'dashboard:read',
  input: z.object({ publicationId: z.coerce.number('Must be a number').int().optional() }),
  transaction: 'none',
  async run(ctx, { publicationId }): Promise<{ today: Day; months: MonthOfLosses[] }> {
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    // Requested before anything is awaited: the parts of the growth page share concurrent reads.
    const [scope, { cohorts }] = await Promise.all([
      publicationScope(ctx, publicationId, { withRemoved: true }),
      renewalCohorts(ctx, { publicationId }),
    ])
    const values = { ids: nonEmptyIds(scope), from: firstCohortDay(today), today }
    const [entries, declined] = await Promise.all([
      ctx.db.query<{ day: Day; kind: EntryKind; currency: Currency; amount: number; n: number }>(
        // A refund in several parts counts once: from the second part on, its cause has a number (`#`).
        // A positive credit entry cancels a credit: it was used, which counts as a separate refund, or its money was lost in a dispute.
        `SELECT entered_on AS day, kind, currency, SUM(-amount) AS amount,
                SUM(CASE WHEN cause LIKE '%#%' THEN 0 WHEN kind = 'credit' AND amount > 0 THEN -1 ELSE 1 END) AS n
         FROM ledger_entries WHERE publication_id IN (:ids) AND kind <> 'sale' AND entered_on >= :from AND entered_on <= :today
         GROUP BY entered_on, kind, currency`,
        values,
      ),
      ctx.db.query<{ day: Day; n: number }>(
        `SELECT ordered_on AS day, COUNT(*) AS n FROM orders
         WHERE publication_id IN (:ids) AND ordered_on >= :from AND ordered_on <= :today AND state = 'declined' GROUP BY ordered_on`,
        values,
      ),
    ])
    const months = cohorts.map(({ month, isRunning, lapsed }) => {
      const inMonth = entries.filter(({ day }) => monthOf(day) === month)
      return {
        month,
        isRunning,
        lapsed,
        declined: declined.filter(({ day }) => monthOf(day) === month).reduce((sum, { n }) => sum + Number(n), 0),
        refunded: lossIn(inMonth, 'refunded'),
        failed: lossIn(inMonth, 'failed'),
        disputed: lossIn(inMonth, 'disputed'),
      }
    })
    return { today, months }
  },
})

function lossIn(
  entries: readonly { kind: EntryKind; currency: Currency; amount: number; n: number }[],
  outcome: 'refunded' | 'failed' | 'disputed',
): Loss {
  let count = 0
  const sums = new Map<Currency, number>()
  for (const { kind, currency, amount, n } of entries) {
    const effect = lossOf[kind]
    if (effect?.loss !== outcome) continue
    count += effect.sign * Number(n)
    sums.set(currency, (sums.get(currency) ?? 0) + Number(amount))
  }
  return { count, money: [...sums].map(([currency, amount]) => ({ currency, amount })) }
}
