import { z } from 'zod'
import { addDays, dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { type Currency, currencies } from '../kernel/money.ts'
import { kindsThat } from '../ledger/earned-sql.ts'
import { type OrderChannel, type OrderSource, orderChannels, orderSources } from '../ledger/order-choices.rules.ts'
import { orderSourceSql } from '../ledger/order-choices.ts'
import { useCase } from '../use-case.ts'
import { publicationScope } from './publication-scope.ts'

/** What came of a source or a promo code, in one currency: minor units, `net` is `sold` less `refunded`. */
export interface Yield {
  currency: Currency
  orders: number
  sold: number
  refunded: number
  net: number
}

export interface SourceYields {
  /** First and last day of the orders. */
  from: Day
  until: Day
  sources: { source: OrderSource; yields: Yield[] }[]
  channels: { channel: OrderChannel; yields: Yield[] }[]
  /** The one that sold most orders first. */
  promoCodes: { code: string; yields: Yield[] }[]
}

interface Row {
  source: OrderSource
  channel: OrderChannel
  promo_code: string
  currency: Currency
  orders: number
  amount: number
}

/** The orders of the last 365 days by where they come from, how they were sent and by promo code: how many, what they sold and what of that was given back since. */
export const sourceYields = useCase({
  permission: 'dashboard:read',
  input: z.object({ publicationId: z.coerce.number('Must be a number').int().optional() }),
  transaction: 'none',
  async run(ctx, { publicationId }): Promise<SourceYields> {
    const scope = await publicationScope(ctx, publicationId, { withRemoved: true })
    const until = dayOf(ctx.now(), ctx.settings.timeZone)
    const from = addDays(until, -364)
    const values = { ids: scope.length > 0 ? scope : [-1], from, until }
    const [sold, refunded] = await Promise.all([
      ctx.db.query<Row>(
        `SELECT ${orderSourceSql} AS source, o.channel, o.promo_code, o.currency, COUNT(*) AS orders, SUM(o.amount) AS amount FROM orders o
         WHERE ${isOfPeriod} GROUP BY 1, 2, 3, 4`,
        values,
      ),
      ctx.db.query<Row>(
        // Nothing is given back before it was sold.
        `SELECT ${orderSourceSql} AS source, o.channel, o.promo_code, o.currency, 0 AS orders, SUM(-l.amount) AS amount
         FROM ledger_entries l JOIN orders o ON o.id = l.order_id
         WHERE l.publication_id IN (:ids) AND l.kind <> 'sale' AND l.entered_on >= :from AND l.kind IN (${kindsThat('returned')}) AND ${isOfPeriod}
         GROUP BY 1, 2, 3, 4`,
        values,
      ),
    ])
    const codes = [...new Set(sold.map(({ promo_code: code }) => code).filter(Boolean))]
    const yieldsOf = (isWanted: (row: Row) => boolean) => yields(sold.filter(isWanted), refunded.filter(isWanted))
    return {
      from,
      until,
      sources: (Object.keys(orderSources) as OrderSource[]).flatMap((source) => {
        const found = yieldsOf((row) => row.source === source)
        return found.length > 0 ? [{ source, yields: found }] : []
      }),
      channels: (Object.keys(orderChannels) as OrderChannel[]).flatMap((channel) => {
        const found = yieldsOf((row) => row.channel === channel)
        return found.length > 0 ? [{ channel, yields: found }] : []
      }),
      promoCodes: codes
        .map((code) => ({ code, yields: yieldsOf((row) => row.promo_code === code) }))
        .sort((a, b) => ordersOf(b.yields) - ordersOf(a.yields) || (a.code < b.code ? -1 : 1)),
    }
  },
})

const isOfPeriod = `o.publication_id IN (:ids) AND o.ordered_on >= :from AND o.ordered_on <= :until AND o.state IN ('paid', 'refunded', 'reversed')`

function yields(sold: readonly Row[], refunded: readonly Row[]): Yield[] {
  const sum = (rows: readonly Row[], currency: Currency, part: 'orders' | 'amount') =>
    rows.filter((row) => row.currency === currency).reduce((total, row) => total + Number(row[part]), 0)
  return currencies
    .map((currency) => {
      const amount = sum(sold, currency, 'amount')
      const back = sum(refunded, currency, 'amount')
      return { currency, orders: sum(sold, currency, 'orders'), sold: amount, refunded: back, net: amount - back }
    })
    .filter(({ orders }) => orders > 0)
}

function ordersOf(of: readonly Yield[]): number {
  return of.reduce((sum, { orders }) => sum + orders, 0)
}
