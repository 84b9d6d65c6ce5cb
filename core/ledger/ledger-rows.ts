import type { AppContext } from '../context.ts'
import { asBoolean, type SqlValues } from '../database.ts'
import type { Day } from '../kernel/dates.ts'
import type { OrderState } from '../kernel/order-state.ts'
import { recordOf } from '../kernel/record-of.ts'
import type { Product } from '../pricing/plan-code.rules.ts'
import { asOfValues, moneySql } from './earned-sql.ts'
import { type LedgerColumn, type LedgerKind, type LedgerValues, ledgerColumns } from './ledger-columns.rules.ts'

/**
 * One order as a row of the sales ledger, at the end of a day; amounts in minor units. `amount` is what was sold, `net` that less
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

/** What the entries of an order add up to. */
interface Sums {
  amount: number
  refunded: number
  net: number
  fulfilled: number
  liability: number
}

const columns: readonly LedgerColumn[] = ledgerColumns
const selected = columns.flatMap(({ name, from }) => (from === null ? [] : [`${from} AS "${name}"`])).join(', ')

/** What the list is sorted by, as `sort=amount` or `sort=-amount`. */
export const ledgerSorts = recordOf(columns, ({ name, from, sortBy }) => sortBy ?? from ?? `m.${name}`)

interface Chosen {
  where: string
  order: string
  limit?: string
  values: SqlValues
  asOf: Day
}

/**
 * Rows of the sales ledger as `where` and `order` choose them (`o` is the order; in `order` also `p` its publication, `m` its money), with
 * what the ledger says of each at the end of the day `asOf`. Three questions: which orders, from an index where there is one; what they are;
 * and what the entries of those few add up to.
 */
export async function ledgerRows(ctx: Pick<AppContext, 'db'>, chosen: Chosen): Promise<LedgerRow[]> {
  const ids = await chosenIds(ctx, chosen)
  if (ids.length === 0) return []
  const [rows, sums] = await Promise.all([
    ctx.db.query<Row>(
      `SELECT o.id, o.state, o.publication_id, o.product, ${selected}
       FROM orders o JOIN publications p ON p.id = o.publication_id WHERE o.id IN (:ids)`,
      { ids },
    ),
    ctx.db.query<Sums & { order_id: number }>(moneyOf(ctx, 'l.order_id IN (:ids)'), {
      ids,
      ...asOfValues(chosen.asOf),
    }),
  ])
  const byId = new Map(rows.map((row) => [row.id, row]))
  const moneyById = new Map(sums.map((row) => [row.order_id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [ledgerRow(row, moneyById.get(id) ?? none)] : []
  })
}

const none: Sums = { amount: 0, refunded: 0, net: 0, fulfilled: 0, liability: 0 }

/** The sums of orders by their entries until the end of the day of `asOfValues`. */
function moneyOf({ db }: Pick<AppContext, 'db'>, which: string): string {
  return `SELECT sums.*, net - fulfilled AS liability FROM (
    SELECT l.order_id, ${moneySql(db.dialect, 'l')} FROM ledger_entries l WHERE ${which} AND l.entered_on <= :asOf GROUP BY l.order_id) sums`
}

async function chosenIds(
  ctx: Pick<AppContext, 'db'>,
  { where, order, limit = '', values, asOf }: Chosen,
): Promise<number[]> {
  const isByMoney = /\bm\./.test(order)
  // A join for every order that is looked at, where only the page's are shown, costs as much as the rest.
  const publications = /\bp\./.test(order) ? 'JOIN publications p ON p.id = o.publication_id' : ''
  const rows = await ctx.db.query<{ id: number }>(
    isByMoney
      ? `SELECT o.id FROM (${moneyOf(ctx, `l.order_id IN (SELECT o.id FROM orders o WHERE ${where})`)}) m
         JOIN orders o ON o.id = m.order_id ORDER BY ${order} ${limit}`
      : `SELECT o.id FROM orders o ${publications} WHERE ${where} ORDER BY ${order} ${limit}`,
    isByMoney ? { ...values, ...asOfValues(asOf) } : values,
  )
  return rows.map(({ id }) => id)
}

/** What a raw cell of each kind says; `earned` is asked of what is not free alone. */
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

/** How many orders of the sales ledger a condition on `orders o` leaves. */
export async function countLedgerRows(
  ctx: Pick<AppContext, 'db'>,
  { where, values }: { where: string; values: SqlValues },
): Promise<number> {
  const [row] = await ctx.db.query<{ total: number }>(`SELECT COUNT(*) AS total FROM orders o WHERE ${where}`, values)
  return Number(row?.total ?? 0)
}
