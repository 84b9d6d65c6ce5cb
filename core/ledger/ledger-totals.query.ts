import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import { type Currency, currencies } from '../kernel/money.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { asOfValues, moneySql } from './earned-sql.ts'
import { sumDays } from './ledger-days.query.ts'
import { openingOwed } from './opening-balances.query.ts'
import { asOfDay, asOfFilter, isNarrow, LedgerFilter, sumFilter } from './order-filter.ts'
import { orderSearchCondition } from './order-search.query.ts'
import { areOrderSumsOf } from './order-sums.rows.ts'
import { type CurrencySums, selectsOnlyPaid, sumMatching, sumPaid } from './paid-orders.query.ts'

/** Sums in minor units: `amount` less `refunded` is `net`, and `fulfilled` and `liability` add up to it. */
export interface LedgerTotals {
  orders: number
  amount: number
  refunded: number
  net: number
  fulfilled: number
  liability: number
  /**
   * What is still owed of opening balances, in addition to `liability`: it belongs to no order, so no row shows it. Zero if a filter narrows more
   * than the title.
   */
  openingLiability: number
}

/**
 * The totals of the acting publisher's ledger, one per currency: amounts in different currencies are never added. The filter is that of the list, and
 * the totals are the sums of its rows.
 */
export const ledgerTotals = useCase({
  permission: 'order:read',
  input: LedgerFilter,
  transaction: 'none',
  async run(ctx, input): Promise<Record<Currency, LedgerTotals>> {
    const asOf = asOfDay(ctx, input.asOf)
    const { publicationId } = input
    const { publisherId } = tenantOf(ctx)
    const openings = isNarrow(input) ? [] : await openingOwed(ctx, { publisherId, publicationId, on: asOf })
    const rows = isNarrow(input)
      ? await sumOrders(ctx, asOfFilter(ctx, input), asOf)
      : await storedSums(ctx, input, asOf)
    const totals = (currency: Currency): LedgerTotals => {
      const sums = rows.filter((row) => row.currency === currency)
      const total = (partOf: (row: CurrencySums) => number) => sums.reduce((sum, row) => sum + partOf(row), 0)
      const orders = total((row) => row.orders)
      const amount = total((row) => row.amount)
      const refunded = total((row) => row.refunded)
      const fulfilled = total((row) => row.fulfilled)
      const net = amount - refunded
      const openingLiability = openings
        .filter((row) => row.currency === currency)
        .reduce((sum, { owed }) => sum + owed, 0)
      return { orders, amount, refunded, net, fulfilled, liability: net - fulfilled, openingLiability }
    }
    return Object.fromEntries(currencies.map((currency) => [currency, totals(currency)])) as Record<
      Currency,
      LedgerTotals
    >
  },
})

/** The totals of all orders, or of one title's, from the stored totals. */
async function storedSums(ctx: AppContext, { publicationId }: LedgerFilter, asOf: Day): Promise<CurrencySums[]> {
  const publicationIds = publicationId === undefined ? undefined : [publicationId]
  const rows = await sumDays(ctx, { ...tenantOf(ctx), publicationIds, until: asOf })
  return rows.map(({ currency, sales, sold, refunded, earned }) => ({
    currency,
    orders: sales,
    amount: sold,
    refunded,
    fulfilled: earned,
  }))
}

async function sumOrders(ctx: AppContext, filter: LedgerFilter, asOf: Day): Promise<CurrencySums[]> {
  const areStored = await areOrderSumsOf(ctx, tenantOf(ctx).publisherId, asOf)
  if (areStored && selectsOnlyPaid(filter)) {
    const anyState = { ...filter, state: undefined }
    const sums = isNarrow(anyState) ? await sumStored(ctx, anyState) : await storedSums(ctx, anyState, asOf)
    return sumPaid(ctx, filter, sums)
  }
  const rows = areStored ? await sumStored(ctx, filter) : await sumEntries(ctx, filter, asOf)
  return rows.map(({ currency, orders, amount, refunded, fulfilled }) => ({
    currency,
    orders: Number(orders),
    amount: Number(amount),
    refunded: Number(refunded),
    fulfilled: Number(fulfilled),
  }))
}

/** From the stored sums of each order. A currency may have several rows: one for each part of the search. */
async function sumStored(ctx: AppContext, filter: LedgerFilter): Promise<CurrencySums[]> {
  const { parts } = await orderSearchCondition(ctx, filter.q)
  const sums = await Promise.all(parts.map((search) => sumMatching(ctx, sumFilter(ctx, filter, { search }))))
  return sums.flat()
}

async function sumEntries(ctx: AppContext, filter: LedgerFilter, asOf: Day): Promise<CurrencySums[]> {
  const { where, values } = sumFilter(ctx, filter, { search: await orderSearchCondition(ctx, filter.q) })
  return ctx.db.query<CurrencySums>(
    // A fee may be in another currency than its order, and is not revenue. IN rather than a join: SQLite might begin with the entries.
    `SELECT l.currency, SUM(CASE WHEN l.kind = 'sale' THEN 1 ELSE 0 END) AS orders, ${moneySql(ctx.db.dialect, 'l')}
     FROM ledger_entries l WHERE l.order_id IN (SELECT m.order_id FROM order_sums m WHERE ${where}) AND l.entered_on <= :asOf GROUP BY l.currency`,
    { ...values, ...asOfValues(asOf) },
  )
}
