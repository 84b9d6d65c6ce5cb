import { z } from 'zod'
import { nonEmptyIds } from '../database.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { type Currency, currencies } from '../kernel/money.ts'
import { kindListSql } from '../ledger/earned-sql.ts'
import { type OrderChannel, type OrderSource, orderChannels, orderSources } from '../ledger/order-choices.rules.ts'
import { orderSourceSql } from '../ledger/order-choices.ts'
import type { TrafficSource } from '../storefronts/traffic-source.rules.ts'
import { useCase } from '../use-case.ts'
import { publicationScope } from './publication-scope.ts'

/** The results of a source, a channel or a promo code in one currency. Amounts in minor units; `net` is `sold` less `refunded`. */
export interface Yield {
  currency: Currency
  orders: number
  sold: number
  refunded: number
  net: number
  /** How many of the orders have been renewed so far. */
  renewed: number
}

export interface SourceYields {
  /** First and last day of the orders. */
  from: Day
  until: Day
  sources: { source: OrderSource; yields: Yield[] }[]
  channels: { channel: OrderChannel; yields: Yield[] }[]
  /** Only storefront orders: the sources by their number of orders, then orders without a source, then the sum of the sources left out. */
  traffic: { source: TrafficSource | 'direct' | 'others'; yields: Yield[] }[]
  /** By the number of orders, highest first. */
  promoCodes: { code: string; yields: Yield[] }[]
}

interface Row {
  source: OrderSource
  channel: OrderChannel
  promo_code: string
  currency: Currency
  orders: number
  amount: number
  renewed: number
}

interface TrafficRow extends TrafficSource, Omit<Row, 'source' | 'channel' | 'promo_code'> {}

/** The sources beyond this number are added up as "Others". */
const maxTrafficSources = 100

/**
 * The orders of the last 365 days by type, by channel, by traffic source and by promo code: their number, the amount sold, the amount refunded since,
 * and how many have been renewed.
 */
export const sourceYields = useCase({
  permission: 'dashboard:read',
  input: z.object({ publicationId: z.coerce.number('Must be a number').int().optional() }),
  transaction: 'none',
  async run(ctx, { publicationId }): Promise<SourceYields> {
    const scope = await publicationScope(ctx, publicationId, { withRemoved: true })
    const until = dayOf(ctx.now(), ctx.settings.timeZone)
    const from = addDays(until, -364)
    const values = { ids: nonEmptyIds(scope), from, until }
    const [sold, refunded, trafficSold, trafficRefunded] = await Promise.all([
      ctx.db.query<Row>(
        // The inner query groups in the order of an index, so that SQLite need not sort every order.
        `SELECT ${orderSourceSql} AS source, o.channel, o.promo_code, o.currency, SUM(o.orders) AS orders, SUM(o.amount) AS amount,
           SUM(o.renewed) AS renewed
         FROM (SELECT o.kind, o.is_renewal, o.is_gift, o.channel, o.promo_code, o.currency, COUNT(*) AS orders, SUM(o.amount) AS amount,
             ${renewedSql} AS renewed
           FROM orders o WHERE ${isInPeriodSql}
           GROUP BY o.publication_id, o.ordered_on, o.state, o.kind, o.is_renewal, o.is_gift, o.channel, o.promo_code, o.currency) o
         GROUP BY 1, 2, 3, 4`,
        values,
      ),
      ctx.db.query<Row>(
        // No refund is earlier than its sale, so older entries need not be read.
        `SELECT ${orderSourceSql} AS source, o.channel, o.promo_code, o.currency, 0 AS orders, SUM(-l.amount) AS amount, 0 AS renewed
         FROM ledger_entries l JOIN orders o ON o.id = l.order_id
         WHERE l.publication_id IN (:ids) AND l.kind <> 'sale' AND l.entered_on >= :from AND l.kind IN (${kindListSql('returned')}) AND ${isInPeriodSql}
         GROUP BY 1, 2, 3, 4`,
        values,
      ),
      ctx.db.query<TrafficRow>(
        `SELECT ${trafficColumns}, o.currency, COUNT(*) AS orders, SUM(o.amount) AS amount, ${renewedSql} AS renewed FROM orders o
         WHERE o.utm_source <> '' AND ${isInPeriodSql} GROUP BY 1, 2, 3, 4`,
        values,
      ),
      ctx.db.query<TrafficRow>(
        `SELECT ${trafficColumns}, o.currency, 0 AS orders, SUM(-l.amount) AS amount, 0 AS renewed
         FROM orders o JOIN ledger_entries l ON l.order_id = o.id
         WHERE o.utm_source <> '' AND ${isInPeriodSql} AND l.kind IN (${kindListSql('returned')}) GROUP BY 1, 2, 3, 4`,
        values,
      ),
    ])
    const codes = [...new Set(sold.map(({ promo_code: code }) => code).filter(Boolean))]
    const yieldsOf = (matches: (row: Row) => boolean) => yields(sold.filter(matches), refunded.filter(matches))
    return {
      from,
      until,
      sources: (Object.keys(orderSources) as OrderSource[]).flatMap((source) => {
        const yieldsOfType = yieldsOf((row) => row.source === source)
        return yieldsOfType.length > 0 ? [{ source, yields: yieldsOfType }] : []
      }),
      channels: (Object.keys(orderChannels) as OrderChannel[]).flatMap((channel) => {
        const yieldsOfChannel = yieldsOf((row) => row.channel === channel)
        return yieldsOfChannel.length > 0 ? [{ channel, yields: yieldsOfChannel }] : []
      }),
      traffic: trafficYields(
        { sold: trafficSold, refunded: trafficRefunded },
        { sold: sold.filter(isOfStorefront), refunded: refunded.filter(isOfStorefront) },
      ),
      promoCodes: codes
        .map((code) => ({ code, yields: yieldsOf((row) => row.promo_code === code) }))
        .sort((a, b) => ordersOf(b.yields) - ordersOf(a.yields) || (a.code < b.code ? -1 : 1)),
    }
  },
})

const isOfStorefront = ({ channel }: Row) => channel === 'storefront'

const renewedSql = `SUM(CASE WHEN o.state = 'paid' AND o.renewed_after IS NOT NULL THEN 1 ELSE 0 END)`
const trafficColumns = `o.utm_source AS "utmSource", o.utm_medium AS "utmMedium", o.utm_campaign AS "utmCampaign"`
const isInPeriodSql = `o.publication_id IN (:ids) AND o.ordered_on >= :from AND o.ordered_on <= :until AND o.state IN ('paid', 'refunded', 'reversed')`

interface SoldAndRefunded<SumRow = Sums> {
  sold: readonly SumRow[]
  refunded: readonly SumRow[]
}

/** The results of each traffic source, and of the storefront's orders without one: all of its orders less those with a source. */
function trafficYields(traffic: SoldAndRefunded<TrafficRow>, storefront: SoldAndRefunded): SourceYields['traffic'] {
  const bySource = new Map<string, { source: TrafficSource; sold: TrafficRow[]; refunded: TrafficRow[] }>()
  for (const part of ['sold', 'refunded'] as const)
    for (const row of traffic[part]) {
      const { utmSource, utmMedium, utmCampaign } = row
      const key = [utmSource, utmMedium, utmCampaign].join('\n')
      const group = bySource.get(key) ?? { source: { utmSource, utmMedium, utmCampaign }, sold: [], refunded: [] }
      group[part].push(row)
      bySource.set(key, group)
    }
  const inOrder = [...bySource]
    .map(([key, group]) => ({ key, ...group, yields: yields(group.sold, group.refunded) }))
    .sort((a, b) => ordersOf(b.yields) - ordersOf(a.yields) || (a.key < b.key ? -1 : 1))
  const others = inOrder.slice(maxTrafficSources)
  return [
    ...inOrder.slice(0, maxTrafficSources).map((group) => ({ source: group.source, yields: group.yields })),
    {
      source: 'direct' as const,
      yields: yields(
        [...storefront.sold, ...traffic.sold.map(negative)],
        [...storefront.refunded, ...traffic.refunded.map(negative)],
      ),
    },
    {
      source: 'others' as const,
      yields: yields(
        others.flatMap(({ sold }) => sold),
        others.flatMap(({ refunded }) => refunded),
      ),
    },
  ].filter((group) => group.yields.length > 0)
}

function negative({ currency, orders, amount, renewed }: Sums): Sums {
  return { currency, orders: -orders, amount: -amount, renewed: -renewed }
}

type Sums = Pick<Row, 'currency' | 'orders' | 'amount' | 'renewed'>

function yields(sold: readonly Sums[], refunded: readonly Sums[]): Yield[] {
  const sum = (rows: readonly Sums[], currency: Currency, part: 'orders' | 'amount' | 'renewed') =>
    rows.filter((row) => row.currency === currency).reduce((total, row) => total + Number(row[part]), 0)
  return currencies
    .map((currency) => {
      const amount = sum(sold, currency, 'amount')
      const refundedAmount = sum(refunded, currency, 'amount')
      const orders = sum(sold, currency, 'orders')
      const renewed = sum(sold, currency, 'renewed')
      return { currency, orders, sold: amount, refunded: refundedAmount, net: amount - refundedAmount, renewed }
    })
    .filter(({ orders }) => orders > 0)
}

function ordersOf(rows: readonly Yield[]): number {
  return rows.reduce((sum, { orders }) => sum + orders, 0)
}
