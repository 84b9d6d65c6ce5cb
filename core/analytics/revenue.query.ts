import { z } from 'zod'
import { addDays, dayOf } from '../kernel/calendar.ts'
import { type Currency, currencies, type Money } from '../kernel/money.ts'
import { sumDays } from '../ledger/ledger-days.query.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { publicationScope } from './publication-scope.ts'

export interface Revenue {
  /** Entered in the ledger in the last 30 days, today included: one sum per currency, the publisher's main one first. */
  recent: Money[]
  overall: Money[]
  /** How many sales were entered; one that was taken back later stays a sale. */
  orders: { recent: number; overall: number }
}

/** What was sold less what was given back, per currency and never added together. A currency nothing was sold in is left out but for the main one. Removed titles count: it was sold. */
export const revenue = useCase({
  permission: 'dashboard:read',
  input: z.object({ publicationId: z.coerce.number().int().optional() }),
  transaction: 'none',
  async run(ctx, input): Promise<Revenue> {
    const publicationIds = await publicationScope(ctx, input.publicationId, { withRemoved: true })
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const [overall, recent, accounts] = await Promise.all([
      sumDays(ctx, { ...tenantOf(ctx), publicationIds }),
      sumDays(ctx, { ...tenantOf(ctx), publicationIds, from: addDays(today, -29), until: today }),
      ctx.db.query<{ main_currency: Currency }>(
        `SELECT a.main_currency FROM accounts a JOIN publications p ON p.publisher_id = a.user_id WHERE p.id IN (:ids) LIMIT 1`,
        { ids: publicationIds.length > 0 ? publicationIds : [-1] },
      ),
    ])
    const main = accounts[0]?.main_currency ?? 'GBP'
    const moneyOf = (rows: typeof overall): Money[] =>
      [main, ...currencies.filter((currency) => currency !== main)]
        .map((currency) => {
          const row = rows.find((candidate) => candidate.currency === currency)
          return { currency, amount: row ? row.sold - row.refunded : 0 }
        })
        .filter(({ currency, amount }) => currency === main || amount !== 0)
    const salesOf = (rows: typeof overall) => rows.reduce((sum, { sales }) => sum + sales, 0)
    return {
      recent: moneyOf(recent),
      overall: moneyOf(overall),
      orders: { recent: salesOf(recent), overall: salesOf(overall) },
    }
  },
})
