import { z } from 'zod'
import { dayOf } from '../kernel/dates.ts'
import { type Currency, currencies } from '../kernel/money.ts'
import { SearchText } from '../kernel/paging.ts'
import { useCase } from '../use-case.ts'
import { earnedValues, fulfilledSql } from './earned-sql.ts'
import { orderFilter } from './order-filter.ts'

/** Sums in minor units; `fulfilled` and `liability` add up to `amount`. */
export interface LedgerTotals {
  orders: number
  amount: number
  fulfilled: number
  liability: number
}

/** What the acting publisher's ledger adds up to today, per currency: three separate sums, never one. Takes the same filter as the list. */
export const ledgerTotals = useCase({
  permission: 'order:read',
  input: z.object({
    publicationId: z.coerce.number().int().optional(),
    q: SearchText,
  }),
  transaction: 'none',
  async run(ctx, input): Promise<Record<Currency, LedgerTotals>> {
    const { where, values } = orderFilter(ctx, input)
    const fulfilled = fulfilledSql(ctx.db.dialect, {
      amount: 'l.amount',
      startOn: 'l.service_start_on',
      endOn: 'l.service_end_on',
      term: 'l.term_months',
    })
    const rows = await ctx.db.query<{ currency: Currency; orders: number; amount: number; fulfilled: number }>(
      `SELECT l.currency, SUM(CASE WHEN l.kind = 'sale' THEN 1 ELSE 0 END) AS orders, SUM(l.amount) AS amount, SUM(${fulfilled}) AS fulfilled
       FROM ledger_entries l JOIN orders o ON o.id = l.order_id JOIN publications p ON p.id = o.publication_id
       WHERE ${where} GROUP BY l.currency`,
      { ...values, ...earnedValues(dayOf(ctx.now(), ctx.settings.timeZone)) },
    )
    const totals = (currency: Currency): LedgerTotals => {
      const row = rows.find((candidate) => candidate.currency === currency)
      const [amount, earned] = [Number(row?.amount ?? 0), Number(row?.fulfilled ?? 0)]
      return { orders: Number(row?.orders ?? 0), amount, fulfilled: earned, liability: amount - earned }
    }
    return Object.fromEntries(currencies.map((currency) => [currency, totals(currency)])) as Record<
      Currency,
      LedgerTotals
    >
  },
})
