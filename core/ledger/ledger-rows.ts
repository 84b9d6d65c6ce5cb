import type { AppContext } from '../context.ts'
import { asBoolean, nonEmptyIds, type SqlValues } from '../database.ts'
import type { Day } from '../kernel/dates.ts'
import type { OrderState } from '../kernel/order-state.ts'
import { recordOf } from '../kernel/record-of.ts'
import type { Product } from '../pricing/plan-code.rules.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { asOfValues, moneySql } from './earned-sql.ts'
import { type LedgerColumn, type LedgerKind, type LedgerValues, ledgerColumns } from './ledger-columns.rules.ts'
import { sumDays } from './ledger-days.query.ts'
import { type Condition, enteredParts, type LedgerFilter } from './order-filter.ts'
import { maxListedIds } from './order-search.query.ts'

/**
 * One order as a row of the sales ledger, at the end of a day; amounts in minor units. `amount` is what was sold, `net` is that minus
 * `refunded`, and `fulfilled` and `liability` add up to `net`; those four are null for a free order.
 */
export interface LedgerRow extends LedgerValues {
  id: number
  state: OrderState
  publicationId: number
  product: Product | null
}

interface Row extends Record<string, unknown> {
  id: number
  state: OrderState
  publication_id: number
  product: Product | null
}

/** The sums of an order's entries. */
interface Sums {
  amount: number
  refunded: number
  net: number
  fulfilled: number
  liability: number
}

const columns: readonly LedgerColumn[] = ledgerColumns
const columnsSql = columns.flatMap(({ name, from }) => (from === null ? [] : [`${from} AS "${name}"`])).join(', ')

/** The sort orders of the list, as `sort=amount` or `sort=-amount`. */
export const ledgerSorts = recordOf(columns, ({ name, from, sortBy }) => sortBy ?? from ?? `m.${name}`)

const publicationSort = ledgerSorts.publicationName as string

interface RowSelection {
  where: string
  /** One of `ledgerSorts`; equal orders are sorted by their id in the same direction, so that one index is read forwards and backwards. */
  sort: { by: string; isDescending: boolean }
  limit?: { size: number; offset?: number; total?: number | undefined }
  values: SqlValues
  asOf: Day
  /** The same orders as mutually exclusive conditions on `order_sums m`, if those are the sums of the day `asOf`. */
  sums?: readonly Condition[] | null
  /** How many of the orders each publication has, if that is known. */
  byPublication?: ReadonlyMap<number, number> | undefined
}

/**
 * Rows of the sales ledger (`o` is the order), with the sums of each at the end of the day `asOf`. Three queries: the ids of the page, if possible
 * from an index; the columns of those orders; and the sums of their entries.
 */
export async function ledgerRows(ctx: Pick<AppContext, 'db'>, selection: RowSelection): Promise<LedgerRow[]> {
  const ids = await pageIds(ctx, selection)
  if (ids.length === 0) return []
  const [rows, sums] = await Promise.all([
    ctx.db.query<Row>(
      `SELECT o.id, o.state, o.publication_id, o.product, ${columnsSql}
       FROM orders o JOIN publications p ON p.id = o.publication_id WHERE o.id IN (:ids)`,
      { ids },
    ),
    ctx.db.query<Sums & { order_id: number }>(moneyOf(ctx, 'l.order_id IN (:ids)'), {
      ids,
      ...asOfValues(selection.asOf),
    }),
  ])
  const byId = new Map(rows.map((row) => [row.id, row]))
  const moneyById = new Map(sums.map((row) => [row.order_id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [ledgerRow(row, moneyById.get(id) ?? zeroSums)] : []
  })
}

const zeroSums: Sums = { amount: 0, refunded: 0, net: 0, fulfilled: 0, liability: 0 }

/** SQL: the sums of orders, from their entries until the end of the day passed to `asOfValues`. */
function moneyOf({ db }: Pick<AppContext, 'db'>, condition: string): string {
  return `SELECT sums.*, net - fulfilled AS liability FROM (
    SELECT l.order_id, ${moneySql(db.dialect, 'l')} FROM ledger_entries l WHERE ${condition} AND l.entered_on <= :asOf GROUP BY l.order_id) sums`
}

/** If the total is known, a page in the second half is read backwards from the end: fewer rows are skipped. */
async function pageIds(ctx: Pick<AppContext, 'db'>, selection: RowSelection): Promise<number[]> {
  const { size = 0, offset = 0, total } = selection.limit ?? {}
  if (total === undefined || offset <= total / 2) return selectedIds(ctx, selection)
  const remaining = Math.min(size, total - offset)
  if (remaining <= 0) return []
  const ids = await selectedIds(ctx, {
    ...selection,
    sort: { ...selection.sort, isDescending: !selection.sort.isDescending },
    limit: { size: remaining, offset: total - offset - remaining },
  })
  return ids.reverse()
}

async function selectedIds(ctx: Pick<AppContext, 'db'>, selection: RowSelection): Promise<number[]> {
  const { where, sort, limit, values, asOf, sums } = selection
  if (sort.by === publicationSort) return idsByPublication(ctx, selection)
  const direction = sort.isDescending ? 'DESC' : 'ASC'
  const order = (by: string, id: string) => `ORDER BY ${by} ${direction}, ${id} ${direction}`
  const isByMoney = sort.by.startsWith('m.')
  const [sql, params] = !isByMoney
    ? [`SELECT o.id FROM orders o WHERE ${where} ${order(sort.by, 'o.id')} ${limitSql(limit)}`, values]
    : sums
      ? sortedSums(sums, sort.by, order, limit)
      : [
          `SELECT o.id FROM (${moneyOf(ctx, `l.order_id IN (SELECT o.id FROM orders o WHERE ${where})`)}) m
           JOIN orders o ON o.id = m.order_id ${order(sort.by, 'o.id')} ${limitSql(limit)}`,
          { ...values, ...asOfValues(asOf) },
        ]
  return (await ctx.db.query<{ id: number }>(sql, { ...params, ...limitValues(limit) })).map(({ id }) => id)
}

/** Each part is read from its own index, as far as the end of the page; the page is taken from all parts together. */
function sortedSums(
  parts: readonly Condition[],
  by: string,
  order: (by: string, id: string) => string,
  limit: RowSelection['limit'],
): [string, SqlValues] {
  const values: SqlValues = Object.assign({}, ...parts.map((part) => part.values))
  const part = ({ where }: Condition, end: string) =>
    `SELECT m.order_id AS id, ${by} AS at FROM order_sums m WHERE ${where} ${order(by, 'm.order_id')} ${end}`
  const [only] = parts
  if (only && parts.length === 1) return [part(only, limitSql(limit)), values]
  const upToEnd = limit ? 'LIMIT :end' : ''
  const each = parts.map((condition, n) => `SELECT id, at FROM (${part(condition, upToEnd)}) part${n}`)
  return [
    `SELECT id FROM (${each.join(' UNION ALL ')}) parts ${order('at', 'id')} ${limitSql(limit)}`,
    { ...values, ...(limit && { end: (limit.offset ?? 0) + limit.size }) },
  ]
}

const limitSql = (limit: RowSelection['limit']) => (limit ? 'LIMIT :size OFFSET :offset' : '')
const limitValues = (limit: RowSelection['limit']): SqlValues =>
  limit ? { size: limit.size, offset: limit.offset ?? 0 } : {}

/** Reads one publication after another, each from its own index, so that orders need not be joined and sorted by the publication's name. */
async function idsByPublication(ctx: Pick<AppContext, 'db'>, selection: RowSelection): Promise<number[]> {
  const { where, sort, limit = { size: Number.MAX_SAFE_INTEGER }, values } = selection
  const direction = sort.isDescending ? 'DESC' : 'ASC'
  const counts = selection.byPublication ?? (await countByPublication(ctx, { where, values }))
  const publications = await ctx.db.query<{ id: number }>(
    `SELECT p.id FROM publications p WHERE p.id IN (:ids) ORDER BY ${publicationSort} ${direction}, p.id ${direction}`,
    { ids: nonEmptyIds([...counts.keys()]) },
  )
  const ids: number[] = []
  let before = 0
  for (const { id: publication } of publications) {
    const orders = counts.get(publication) ?? 0
    const offset = Math.max(0, (limit.offset ?? 0) - before)
    before += orders
    if (offset >= orders) continue
    const rows = await ctx.db.query<{ id: number }>(
      `SELECT o.id FROM orders o WHERE ${where} AND o.publication_id = :publication
       ORDER BY o.ordered_on ${direction}, o.id ${direction} LIMIT :size OFFSET :offset`,
      { ...values, publication, size: limit.size - ids.length, offset },
    )
    ids.push(...rows.map(({ id }) => id))
    if (ids.length >= limit.size) break
  }
  return ids
}

async function countByPublication(
  ctx: Pick<AppContext, 'db'>,
  { where, values }: Condition,
): Promise<Map<number, number>> {
  const rows = await ctx.db.query<{ id: number; orders: number }>(
    `SELECT o.publication_id AS id, COUNT(*) AS orders FROM orders o WHERE ${where} GROUP BY o.publication_id`,
    values,
  )
  return new Map(rows.map(({ id, orders }) => [id, Number(orders)]))
}

/** Decodes a raw cell of each kind; `earned` only occurs for orders that are not free. */
const decoders = {
  text: String,
  day: String,
  dayOrNone: (cell: unknown) => (cell === null ? null : String(cell)),
  money: Number,
  earned: Number,
  currency: String,
  yesNo: asBoolean,
} as const satisfies Record<LedgerKind, (cell: unknown) => unknown>

function ledgerRow(row: Row, money: Sums): LedgerRow {
  const isFree = row.paymentType === 'Free'
  const values = recordOf(ledgerColumns, ({ name, kind }) =>
    kind === 'earned' ? (isFree ? null : Number(money[name])) : decoders[kind](row[name]),
  ) as LedgerValues
  return { id: row.id, state: row.state, publicationId: row.publication_id, product: row.product, ...values }
}

/** The ids of the orders that match a condition on `orders o`; null if there are too many to list. */
export async function matchingOrderIds(
  ctx: Pick<AppContext, 'db'>,
  { where, values }: Condition,
): Promise<number[] | null> {
  const sql = `SELECT o.id FROM orders o WHERE ${where} LIMIT ${maxListedIds + 1}`
  const rows = await ctx.db.query<{ id: number }>(sql, values)
  return rows.length > maxListedIds ? null : rows.map(({ id }) => id)
}

/** How many orders of the sales ledger match a condition on `orders o`. */
export async function countLedgerRows(ctx: Pick<AppContext, 'db'>, { where, values }: Condition): Promise<number> {
  const [row] = await ctx.db.query<{ total: number }>(`SELECT COUNT(*) AS total FROM orders o WHERE ${where}`, values)
  return Number(row?.total ?? 0)
}

/**
 * How many orders had something entered in the days of a filter that nothing else narrows, and which ones, as mutually exclusive conditions on
 * `order_sums m`. The number of orders sold on those days is in the stored totals; the others are counted, and listed by id if they are few.
 */
export async function enteredOrders(
  ctx: Pick<AppContext, 'actor' | 'db'>,
  filter: Partial<LedgerFilter>,
): Promise<{ total: number; sold: (areMany: boolean) => Condition; others: Condition[] }> {
  const { publicationId, from, until } = filter
  const publicationIds = publicationId === undefined ? undefined : [publicationId]
  const { sold, others } = enteredParts(ctx, filter)
  const days = await sumDays(ctx, { ...tenantOf(ctx), publicationIds, from, until })
  const total = days.reduce((sum, { sales }) => sum + sales, 0)
  if (!others) return { total, sold, others: [] }
  const matchingIds = await matchingSumIds(ctx, others)
  if (!matchingIds) return { total: total + (await countSums(ctx, others)), sold, others: [others] }
  const listed = { where: 'm.order_id IN (:others)', values: { others: nonEmptyIds(matchingIds) } }
  return { total: total + matchingIds.length, sold, others: [listed] }
}

/** The ids of the orders that match a condition on `order_sums m`; null if there are too many to list. */
async function matchingSumIds(ctx: Pick<AppContext, 'db'>, { where, values }: Condition): Promise<number[] | null> {
  const sql = `SELECT m.order_id AS id FROM order_sums m WHERE ${where} LIMIT ${maxListedIds + 1}`
  const rows = await ctx.db.query<{ id: number }>(sql, values)
  return rows.length > maxListedIds ? null : rows.map(({ id }) => id)
}

async function countSums(ctx: Pick<AppContext, 'db'>, { where, values }: Condition): Promise<number> {
  const [row] = await ctx.db.query<{ total: number }>(
    `SELECT COUNT(*) AS total FROM order_sums m WHERE ${where}`,
    values,
  )
  return Number(row?.total ?? 0)
}
