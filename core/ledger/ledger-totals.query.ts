import { type Currency, currencies } from '../kernel/money.ts'
import { useCase } from '../use-case.ts'
import { asOfValues, moneySql } from './earned-sql.ts'
import { asOfDay, LedgerFilter, orderFilter } from './order-filter.ts'

/** Sums in minor units: `amount` less `refunded` is `net`, and `fulfilled` and `liability` add up to it. */
export interface LedgerTotals {
  orders: number
  amount: number
  refunded: number
  net: number
  fulfilled: number
  liability: number
}

/**
 * What the acting publisher's ledger adds up to, per currency: three separate sums, never one. Takes the same filter as the list, and is
 * the sum of its rows.
 */
export const ledgerTotals = useCase({
  permission: 'order:read',
  input: LedgerFilter,
  transaction: 'none',
  async run(ctx, input): Promise<Record<Currency, LedgerTotals>> {
    const asOf = asOfDay(ctx, input.asOf)
    const { where, values } = orderFilter(ctx, input)
    const rows = await ctx.db.query<{ currency: Currency } & Omit<LedgerTotals, 'liability'>>(
      // A fee may be in another currency than its order, and counts as no revenue.
      `SELECT o.currency, SUM(CASE WHEN l.kind = 'sale' THEN 1 ELSE 0 END) AS orders, ${moneySql(ctx.db.dialect, 'l')}
       FROM ledger_entries l JOIN orders o ON o.id = l.order_id JOIN publications p ON p.id = o.publication_id
       WHERE ${where} AND l.entered_on <= :asOf GROUP BY o.currency`,
      { ...values, ...asOfValues(asOf) },
    )
    const totals = (currency: Currency): LedgerTotals => {
      const row = rows.find((candidate) => candidate.currency === currency)
      const sum = (name: keyof Omit<LedgerTotals, 'liability'>) => Number(row?.[name] ?? 0)
      return {
        orders: sum('orders'),
        amount: sum('amount'),
        refunded: sum('refunded'),
        net: sum('net'),
        fulfilled: sum('fulfilled'),
        liability: sum('net') - sum('fulfilled'),
      }
    }
    return Object.fromEntries(currencies.map((currency) => [currency, totals(currency)])) as Record<
      Currency,
      LedgerTotals
    >
  },
})
