import type { AppContext } from '../context.ts'
import type { Currency } from '../kernel/money.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { hasChoice, notPaidSql } from './order-choices.ts'
import { type Condition, isOneOfSql, type LedgerFilter, sumFilter } from './order-filter.ts'

/** The sums of orders in a currency, in minor units. */
export interface CurrencySums {
  currency: Currency
  orders: number
  amount: number
  refunded: number
  fulfilled: number
}

/**
 * Whether a filter selects all paid orders, perhaps of a title or of some days. They are nearly all orders, so their sums are computed as the total
 * less the few orders that are not paid.
 */
export function selectsOnlyPaid({ state, q, ...choices }: Partial<LedgerFilter>): boolean {
  return state === 'paid' && !q?.trim() && !hasChoice(choices)
}

/** The sums, per currency, of the orders that a condition on `order_sums m` selects. */
export function sumMatching(ctx: AppContext, { where, values }: Condition): Promise<CurrencySums[]> {
  return ctx.db.query<CurrencySums>(
    `SELECT m.currency, COUNT(*) AS orders, SUM(m.net + m.refunded) AS amount, SUM(m.refunded) AS refunded, SUM(m.fulfilled) AS fulfilled
     FROM order_sums m WHERE ${where} GROUP BY m.currency`,
    values,
  )
}

/** The sums of a filter's paid orders: `all`, the sums of its orders in any state, less those that are not paid. Only valid for today. */
export async function sumPaid(
  ctx: AppContext,
  filter: LedgerFilter,
  all: readonly CurrencySums[],
): Promise<CurrencySums[]> {
  const others = await sumMatching(ctx, notPaid(ctx, filter))
  return all.map((row) => {
    const notPaidSum = others.find(({ currency }) => currency === row.currency)
    const paidPart = (name: 'orders' | 'amount' | 'refunded' | 'fulfilled') =>
      Number(row[name]) - Number(notPaidSum?.[name] ?? 0)
    return {
      currency: row.currency,
      orders: paidPart('orders'),
      amount: paidPart('amount'),
      refunded: paidPart('refunded'),
      fulfilled: paidPart('fulfilled'),
    }
  })
}

/** How many orders are not paid, in total or for a title. */
export async function countNotPaid(
  ctx: AppContext,
  { publicationId }: Pick<Partial<LedgerFilter>, 'publicationId'>,
): Promise<number> {
  const { publisherId } = tenantOf(ctx)
  const joinTitle =
    publicationId === undefined ? '' : 'JOIN orders t ON t.id = others.id AND t.publication_id = :publicationId'
  const [row] = await ctx.db.query<{ n: number }>(
    `SELECT COUNT(*) AS n FROM (${notPaidSql(isOfPublisherSql(publisherId))}) others ${joinTitle}`,
    { publisherId: publisherId ?? null, publicationId: publicationId ?? null },
  )
  return Number(row?.n ?? 0)
}

const isOfPublisherSql = (publisherId: number | undefined) => (table: string) =>
  publisherId === undefined ? '1 = 1' : `${table}.publisher_id = :publisherId`

function notPaid(ctx: AppContext, filter: LedgerFilter): Condition {
  const { publisherId } = tenantOf(ctx)
  const others = notPaidSql(isOfPublisherSql(publisherId))
  const { where, values } = sumFilter(ctx, { ...filter, state: undefined })
  return { where: `${where} AND ${isOneOfSql(ctx, 'm.order_id', others)}`, values }
}
