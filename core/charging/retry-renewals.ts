import { z } from 'zod'
import { noRetryDeclineCodes } from '../agreements/declines.rules.ts'
import { maxAttempts } from '../agreements/dunning.rules.ts'
import { narrowedTo } from '../agreements/renewal-scope.query.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { failureLevel, isAppError } from '../kernel/errors.ts'
import type { Currency } from '../kernel/money.ts'
import { runConcurrently } from '../kernel/run-concurrently.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { isAttempted } from './charge-renewal.ts'
import type { DueTotal } from './due-renewals.query.ts'
import { chargeAgain } from './retry-renewal.ts'
import { RunInput, refuseFutureDay } from './run-renewals.ts'

/** How many provider requests run at the same time. */
const concurrency = 20
const batchSize = 500

/**
 * Charges again, now, every renewal that was declined before a day and may be retried by the rule of `retryRenewal`. Renewals tried on
 * that day or since are skipped, so that a second run on a day charges no reader twice; a future day is refused. Orders are dated today, whatever day
 * is given. A failure does not stop the others; once the signal is aborted, no further renewal is charged.
 */
export const retryRenewals = useCase({
  permission: 'renewal:charge',
  input: RunInput.extend({ signal: z.custom<AbortSignal>().optional() }),
  // No transaction is held open while the provider is called.
  transaction: 'none',
  async run(ctx, { on, signal, ...scope }): Promise<{ on: Day; retried: number; paid: number; failed: number }> {
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const day = on ?? today
    refuseFutureDay(day, today)
    const counts = { retried: 0, paid: 0, failed: 0 }
    await runConcurrently(allDeclined(ctx, { ...scope, on: day, today }), { max: concurrency, signal }, (id) =>
      retryOne(ctx, { id, on: today, counts }),
    )
    return { on: day, ...counts }
  },
})

async function retryOne(
  ctx: AppContext,
  { id, on, counts }: { id: number; on: Day; counts: { retried: number; paid: number; failed: number } },
): Promise<void> {
  try {
    const outcome = await chargeAgain(ctx, id, on)
    if (isAttempted(outcome)) counts.retried++
    if (outcome === 'paid') counts.paid++
  } catch (error) {
    // Another user or process has charged or ended it meanwhile.
    if (isAppError(error) && (error.kind === 'conflict' || error.kind === 'notFound')) return
    counts.failed++
    ctx.log[failureLevel(error)]({ error, renewal: id }, 'a renewal could not be charged again')
  }
}

/** What `retryRenewals` would charge on a day, which may be in the future, in each currency. Calls no provider. */
export const retriableTotals = useCase({
  permission: 'renewal:charge',
  input: RunInput,
  transaction: 'none',
  async run(ctx, { on, ...scope }): Promise<{ on: Day; totals: DueTotal[] }> {
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const day = on ?? today
    const { sql, values } = declinedSql(ctx, { ...scope, on: day, today })
    const totals = await ctx.db.query<{ currency: Currency; renewals: number; amount: number }>(
      `SELECT w.currency, COUNT(*) AS renewals, SUM(w.amount) AS amount ${sql} GROUP BY 1 ORDER BY 1`,
      values,
    )
    return {
      on: day,
      totals: totals.map(({ currency, renewals, amount }) => ({
        currency,
        renewals: Number(renewals),
        amount: Number(amount),
      })),
    }
  },
})

interface DeclinedFilter extends Omit<z.output<typeof RunInput>, 'on'> {
  on: Day
  today: Day
}

/** The ids of the renewals that `retryRenewals` charges, each once: one that is declined again is not read a second time. */
async function* allDeclined(ctx: AppContext, filter: DeclinedFilter): AsyncGenerator<number, void> {
  const { sql, values } = declinedSql(ctx, filter)
  for (let after = 0; ; ) {
    const rows = await ctx.db.query<{ id: number }>(`SELECT w.id ${sql} AND w.id > :after ORDER BY w.id LIMIT :limit`, {
      ...values,
      after,
      limit: batchSize,
    })
    for (const { id } of rows) yield id
    const last = rows.at(-1)
    if (!last || rows.length < batchSize) return
    after = last.id
  }
}

/** The renewals that were declined before a day and may be retried on it: the rule of `retryRenewal`, in SQL. */
function declinedSql(ctx: AppContext, { on, today, ...scope }: DeclinedFilter) {
  const narrow = narrowedTo({ ...scope, ...tenantOf(ctx) }, { publicationId: 'p.id', publisherId: 'p.publisher_id' })
  return {
    sql: `FROM renewals w
      JOIN payment_agreements a ON a.id = w.agreement_id
      JOIN publications p ON p.id = w.publication_id
      JOIN users u ON u.id = p.publisher_id
      JOIN readers r ON r.id = a.reader_id
      JOIN orders o ON o.id = w.order_id
      WHERE w.state IN ('retrying', 'waiting') AND o.state IN ('declined', 'reversed') AND o.ordered_on < :on
        AND w.grace_until >= :on AND w.grace_until >= :today AND (SELECT COUNT(*) FROM orders d WHERE d.renewal_id = w.id AND d.state IN ('declined', 'reversed')) < :maxAttempts
        AND COALESCE(w.decline_code, '') NOT IN (:noRetryDeclineCodes) AND a.card_stop_code IS NULL
        AND (a.provider <> 'stripe-bacs' OR w.next_try_on <= :on)
        AND a.state = 'active' AND p.removed_at IS NULL AND u.is_active = :yes AND r.is_deleted = :no
        AND r.sub_end_on <= w.cycle_on${narrow.sql}`,
    values: {
      on,
      today,
      maxAttempts,
      noRetryDeclineCodes: [...noRetryDeclineCodes],
      yes: true,
      no: false,
      ...narrow.values,
    },
  }
}
