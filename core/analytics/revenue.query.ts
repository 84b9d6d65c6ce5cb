import { z } from 'zod'
import { addDays, dayOf } from '../kernel/calendar.ts'
import { type Currency, currencies, type Money } from '../kernel/money.ts'
import { isRevenueSql } from '../ledger/earned-sql.ts'
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
    const ids = publicationIds.length > 0 ? publicationIds : [-1]
    const [rows, accounts] = await Promise.all([
      ctx.db.query<{ currency: Currency; overall: number; recent: number; sales: number; recent_sales: number }>(
        `SELECT currency, SUM(amount) AS overall,
                SUM(CASE WHEN entered_on > :monthAgo AND entered_on <= :today THEN amount ELSE 0 END) AS recent,
                SUM(CASE WHEN kind = 'sale' THEN 1 ELSE 0 END) AS sales,
                SUM(CASE WHEN kind = 'sale' AND entered_on > :monthAgo AND entered_on <= :today THEN 1 ELSE 0 END) AS recent_sales
         FROM ledger_entries l WHERE publication_id IN (:ids) AND ${isRevenueSql('l')} GROUP BY currency`,
        { ids, today, monthAgo: addDays(today, -30) },
      ),
      ctx.db.query<{ main_currency: Currency }>(
        `SELECT a.main_currency FROM accounts a JOIN publications p ON p.publisher_id = a.user_id WHERE p.id IN (:ids) LIMIT 1`,
        { ids },
      ),
    ])
    const main = accounts[0]?.main_currency ?? 'GBP'
    const sums = (part: 'overall' | 'recent'): Money[] =>
      [main, ...currencies.filter((currency) => currency !== main)]
        .map((currency) => ({ currency, amount: Number(rows.find((row) => row.currency === currency)?.[part] ?? 0) }))
        .filter(({ currency, amount }) => currency === main || amount !== 0)
    const sales = (part: 'sales' | 'recent_sales') => rows.reduce((sum, row) => sum + Number(row[part]), 0)
    return {
      recent: sums('recent'),
      overall: sums('overall'),
      orders: { recent: sales('recent_sales'), overall: sales('sales') },
    }
  },
})
