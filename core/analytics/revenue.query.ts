import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { nonEmptyIds } from '../database.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { type Currency, currencies, type Money } from '../kernel/money.ts'
import { kindListSql } from '../ledger/earned-sql.ts'
import { sumDays } from '../ledger/ledger-days.query.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { publicationScope } from './publication-scope.ts'
import { windowDays } from './reader-sets.rules.ts'

export interface Revenue {
  /**
   * What was sold (paid) in the last 30 days, today included, less the refunds of these orders: one sum per currency, the publisher's main currency
   * first.
   */
  recent: Money[]
  overall: Money[]
  /** How many sales were entered; a sale that was reversed later still counts. */
  orders: { recent: number; overall: number }
  /** The first and last day of `recent`, for the link to its orders in the sales ledger. */
  recentDays: { from: Day; until: Day }
}

/**
 * Sales less refunds, separately for each currency. A currency in which nothing was sold is left out, except the main one. Removed titles are
 * included: they were sold.
 */
export const revenue = useCase({
  permission: 'dashboard:read',
  input: z.object({ publicationId: z.coerce.number().int().optional() }),
  transaction: 'none',
  async run(ctx, input): Promise<Revenue> {
    const publicationIds = await publicationScope(ctx, input.publicationId, { withRemoved: true })
    const until = dayOf(ctx.now(), ctx.settings.timeZone)
    const recentDays = { from: addDays(until, 1 - windowDays), until }
    const ids = nonEmptyIds(publicationIds)
    const [overall, recent, returned, accounts] = await Promise.all([
      // Entries dated in the future do not count, as in the ledger: the clock may have been set back since.
      sumDays(ctx, { ...tenantOf(ctx), publicationIds, until }),
      sumDays(ctx, { ...tenantOf(ctx), publicationIds, ...recentDays }),
      returnedOf(ctx, ids, recentDays),
      ctx.db.query<{ main_currency: Currency }>(
        `SELECT a.main_currency FROM accounts a JOIN publications p ON p.publisher_id = a.user_id WHERE p.id IN (:ids) LIMIT 1`,
        { ids },
      ),
    ])
    const main = accounts[0]?.main_currency ?? 'GBP'
    const moneyOf = (rows: typeof overall, amountOf: (row: (typeof overall)[number]) => number): Money[] =>
      [main, ...currencies.filter((currency) => currency !== main)]
        .map((currency) => {
          const row = rows.find((candidate) => candidate.currency === currency)
          return { currency, amount: row ? amountOf(row) : 0 }
        })
        .filter(({ currency, amount }) => currency === main || amount !== 0)
    const salesOf = (rows: typeof overall) => rows.reduce((sum, { sales }) => sum + sales, 0)
    return {
      recent: moneyOf(recent, ({ currency, sold }) => sold - (returned.get(currency) ?? 0)),
      overall: moneyOf(overall, ({ sold, refunded }) => sold - refunded),
      orders: { recent: salesOf(recent), overall: salesOf(overall) },
      recentDays,
    }
  },
})

/** The refunds of the orders that were sold on these days. No refund is earlier than its sale, so older entries need not be read. */
async function returnedOf(
  ctx: AppContext,
  ids: readonly number[],
  days: { from: Day; until: Day },
): Promise<Map<Currency, number>> {
  const rows = await ctx.db.query<{ currency: Currency; amount: number }>(
    `SELECT l.currency, SUM(-l.amount) AS amount
     FROM ledger_entries l JOIN ledger_entries s ON s.order_id = l.order_id AND s.kind = 'sale'
     WHERE l.publication_id IN (:ids) AND l.kind <> 'sale' AND l.kind IN (${kindListSql('returned')}) AND l.entered_on >= :from
       AND l.entered_on <= :until AND s.entered_on >= :from AND s.entered_on <= :until
     GROUP BY l.currency`,
    { ids: [...ids], ...days },
  )
  return new Map(rows.map(({ currency, amount }) => [currency, Number(amount)]))
}
