import type { AppContext } from '../context.ts'
import type { SqlValues } from '../database.ts'
import { rowLock, typedValue } from '../dialect.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import type { Product } from '../pricing/plan-code.rules.ts'
import { day, defaulted, defineTable, integer, nullable, type RowOf, ref, text } from '../table.ts'
import { asOfValues, isRevenueSql, moneySql, nextChangeSql } from './earned-sql.ts'
import type { OrderChannel } from './order-choices.rules.ts'
import { storeOrderTexts } from './order-texts.rows.ts'

/**
 * The stored sums of each order's entries, by which the sales ledger is sorted and added up without reading the entries. They are derived from
 * `ledger_entries` alone: `verify-ledger.ts` compares the two and rebuilds them.
 */
export const OrderSums = defineTable('order_sums', {
  orderId: ref(),
  publisherId: ref(),
  publicationId: ref(),
  orderedOn: day(),
  currency: text<Currency>(),
  /** Copied from the order, for filters of the ledger: these do not change once the order is paid. */
  paymentType: defaulted(text()),
  product: nullable(text<Product>()),
  channel: defaulted(text<OrderChannel>()),
  /** The day on which its sale was entered. */
  soldOn: nullable(day()),
  /** Minor units, as in `LedgerRow`. */
  net: integer(),
  refunded: integer(),
  fulfilled: integer(),
  liability: integer(),
  /** The sums are those at the end of this day, and stay valid until `changesOn`. */
  computedFor: day(),
  /** The next day on which the sums change: another month of the term is over, or an entry dated in the future begins to count. */
  changesOn: nullable(day()),
})

export type OrderSum = RowOf<typeof OrderSums>

const orderColumns = ['ordered_on', 'currency', 'payment_type', 'product', 'channel'] as const
const keyColumns = ['publisher_id', 'publication_id', ...orderColumns, 'sold_on'] as const
const sumColumns = ['net', 'refunded', 'fulfilled', 'liability', 'changes_on'] as const
const columns = [...keyColumns, ...sumColumns, 'computed_for']
const setFrom = (from: string) => columns.map((name) => `${name} = ${from}.${name}`).join(', ')

/** How many orders are recomputed in one transaction; on SQLite, other writers wait for it. */
const batchSize = 2000

/**
 * Recomputes the stored sums of orders after something was entered for them, and stores the texts they are searched by. Call it in a transaction that
 * locks the orders, so that no other transaction enters something for them at the same time.
 */
export async function storeOrderSums(ctx: AppContext, orderIds: readonly number[]): Promise<void> {
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  await writeSums(ctx, 'l.order_id IN (:orderIds)', { orderIds, ...asOfValues(today) })
  await storeOrderTexts(ctx, orderIds)
}

function writeSums(ctx: Pick<AppContext, 'db'>, condition: string, values: SqlValues): Promise<number> {
  return ctx.db.run(
    `INSERT INTO order_sums (order_id, ${columns.join(', ')}) ${sumsOfEntries(ctx, condition)}
     ON CONFLICT (order_id) DO UPDATE SET ${setFrom('excluded')}`,
    values,
  )
}

/** SQL: the rows computed from the entries, at the end of the day passed to `asOfValues`, for a condition on `ledger_entries l`. */
function sumsOfEntries({ db }: Pick<AppContext, 'db'>, condition: string): string {
  return `SELECT m.order_id, m.publisher_id, m.publication_id, ${orderColumns.map((name) => `o.${name}`).join(', ')}, m.sold_on, m.net, m.refunded, m.fulfilled, m.net - m.fulfilled AS liability,
      m.changes_on, ${typedValue(db, ':asOf', 'day')} AS computed_for
    FROM (SELECT l.order_id, l.publisher_id, l.publication_id, ${moneySql(db.dialect, 'l', 'l.entered_on <= :asOf')},
        MIN(CASE WHEN l.kind = 'sale' THEN l.entered_on END) AS sold_on, MIN(CASE WHEN l.entered_on > :asOf THEN l.entered_on ELSE ${nextChangeSql(db.dialect, 'l')} END) AS changes_on
      FROM ledger_entries l WHERE ${condition} AND ${isRevenueSql('l')} GROUP BY l.order_id, l.publisher_id, l.publication_id) m
    JOIN orders o ON o.id = m.order_id WHERE TRUE`
}

/**
 * Updates the sums that have changed by the end of `asOf`: about one in thirty running orders per day. Without a publisher, those of all publishers.
 */
export async function refreshOrderSums(
  ctx: Pick<AppContext, 'db'>,
  { publisherId, asOf }: { publisherId?: number | undefined; asOf: Day },
): Promise<void> {
  const due = `FROM order_sums WHERE changes_on <= :asOf ${publisherId === undefined ? '' : 'AND publisher_id = :publisherId'}`
  const values = { asOf, publisherId: publisherId ?? null }
  let isMore = (await ctx.db.query(`SELECT 1 AS due ${due} LIMIT 1`, values)).length > 0
  while (isMore) {
    isMore = await ctx.db.transaction(async () => {
      // Rows that are locked are skipped: the transaction that enters something for an order recomputes its sums.
      const rows = await ctx.db.query<{ order_id: number }>(
        `SELECT order_id ${due} ORDER BY changes_on, order_id LIMIT ${batchSize} ${rowLock(ctx.db, { skipLocked: true })}`,
        values,
      )
      if (rows.length === 0) return false
      const orderIds = rows.map(({ order_id }) => order_id)
      const changed = await ctx.db.run(
        `UPDATE order_sums SET ${setFrom('e')}
         FROM (${sumsOfEntries(ctx, 'l.order_id IN (:orderIds)')}) e WHERE e.order_id = order_sums.order_id`,
        { orderIds, ...asOfValues(asOf) },
      )
      return rows.length === batchSize && changed > 0
    })
  }
}

/**
 * Whether the sums of a publisher are those at the end of a day. This is only possible for today: it applies the changes of the day first, and is
 * false while another process is still applying them.
 */
export async function areOrderSumsOf(
  ctx: Pick<AppContext, 'db' | 'now' | 'settings'>,
  publisherId: number | undefined,
  asOf: Day,
): Promise<boolean> {
  if (publisherId === undefined || asOf !== dayOf(ctx.now(), ctx.settings.timeZone)) return false
  await refreshOrderSums(ctx, { publisherId, asOf })
  const [stale] = await ctx.db.query<{ n: number }>(
    // `ahead`: sums computed for a later day, before the clock was set back.
    `SELECT (SELECT COUNT(*) FROM (SELECT 1 FROM order_sums WHERE changes_on <= :asOf AND publisher_id = :publisherId LIMIT 1) due)
          + (SELECT COUNT(*) FROM (SELECT 1 FROM order_sums WHERE computed_for > :asOf AND publisher_id = :publisherId LIMIT 1) ahead) AS n`,
    { asOf, publisherId },
  )
  return Number(stale?.n) === 0
}

/** An order whose stored sums differ from its entries; null: that side has no row. */
export interface OrderSumDifference {
  orderId: number
  publisherId: number
  stored: OrderAmounts | null
  recomputed: OrderAmounts | null
}

type OrderAmounts = Pick<OrderSum, 'net' | 'refunded' | 'fulfilled' | 'liability' | 'changesOn'>

/** A range of order ids, `after` exclusive and `last` inclusive, of one publisher or of all. */
interface OrderRange {
  after: number
  last: number
  publisherId: number | undefined
}

const inRange = (alias: string, { publisherId }: OrderRange) =>
  `${alias}.order_id > :after AND ${alias}.order_id <= :last ${publisherId === undefined ? '' : `AND ${alias}.publisher_id = :publisherId`}`

const rangeValues = ({ after, last, publisherId }: OrderRange) => ({ after, last, publisherId: publisherId ?? null })

/**
 * The differences between the stored sums of these orders and their entries at the end of a day. Sums computed for a later day, before the clock was
 * set back, are skipped.
 */
export async function orderSumDifferences(
  ctx: Pick<AppContext, 'db'>,
  range: OrderRange,
  asOf: Day,
): Promise<OrderSumDifference[]> {
  const compared = [...keyColumns, ...sumColumns]
  const both = (name: string) => `k.${name} AS stored_${name}, e.${name} AS recomputed_${name}`
  const rows = await ctx.db.query<Record<string, number | Day | null>>(
    `SELECT k.order_id AS stored, e.order_id AS recomputed, COALESCE(k.publisher_id, e.publisher_id) AS publisher_id, ${sumColumns.map(both).join(', ')}
     FROM (${sumsOfEntries(ctx, inRange('l', range))}) e FULL JOIN (SELECT * FROM order_sums s WHERE ${inRange('s', range)}) k ON k.order_id = e.order_id
     WHERE (k.order_id IS NULL OR ${compared.map((name) => `k.${name} IS DISTINCT FROM e.${name}`).join(' OR ')})
       AND (k.computed_for IS NULL OR k.computed_for <= :asOf) ORDER BY COALESCE(k.order_id, e.order_id)`,
    { ...rangeValues(range), ...asOfValues(asOf) },
  )
  const amountsOf = (row: (typeof rows)[number], side: 'stored' | 'recomputed'): OrderAmounts | null => {
    if (row[side] === null) return null
    const amount = (name: string) => Number(row[`${side}_${name}`])
    return {
      net: amount('net'),
      refunded: amount('refunded'),
      fulfilled: amount('fulfilled'),
      liability: amount('liability'),
      changesOn: row[`${side}_changes_on`] as Day | null,
    }
  }
  return rows.map((row) => ({
    orderId: Number(row.stored ?? row.recomputed),
    publisherId: Number(row.publisher_id),
    stored: amountsOf(row, 'stored'),
    recomputed: amountsOf(row, 'recomputed'),
  }))
}

/** Rebuilds the sums of these orders. Call it in a transaction that locks the table (`lockOrderSums`). */
export async function replaceOrderSums(ctx: Pick<AppContext, 'db'>, range: OrderRange, asOf: Day): Promise<void> {
  const values = rangeValues(range)
  await ctx.db.run(
    `DELETE FROM order_sums WHERE ${inRange('order_sums', range)} AND NOT EXISTS (
       SELECT 1 FROM ledger_entries l WHERE l.order_id = order_sums.order_id AND ${isRevenueSql('l')})`,
    values,
  )
  await writeSums(ctx, inRange('l', range), { ...values, ...asOfValues(asOf) })
}

/** Blocks other entries until this transaction ends. On SQLite one transaction writes at a time. */
export async function lockOrderSums(ctx: Pick<AppContext, 'db'>): Promise<void> {
  if (ctx.db.dialect === 'postgres') await ctx.db.run('LOCK TABLE order_sums IN SHARE ROW EXCLUSIVE MODE')
}
