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

const columns: readonly LedgerColumn[] = ledgerColumns
const selected = columns.map(({ name, from }) => `${from ?? `COALESCE(m.${name}, 0)`} AS "${name}"`).join(', ')

/** What the list is sorted by, as `sort=amount` or `sort=-amount`. */
export const ledgerSorts = recordOf(columns, ({ name, from, sortBy }) => sortBy ?? from ?? `COALESCE(m.${name}, 0)`)

/**
 * Rows of the sales ledger as `where` and `order` choose them (`o` is the order; in `order` also `p` its publication, `m` its money), with what the ledger
 * says of each at the end of the day `asOf`. The orders are chosen first, and only theirs are added up, unless their money is what is sorted by.
 */
export async function ledgerRows(
  ctx: Pick<AppContext, 'db'>,
  { where, order, limit, values, asOf }: { where: string; order: string; limit?: string; values: SqlValues; asOf: Day },
): Promise<LedgerRow[]> {
  const isByMoney = /\bm\./.test(order)
  // A join for every order that is looked at, where only the page's are shown, costs as much as the rest.
  const chosenFrom = `orders o ${/\bp\./.test(order) ? 'JOIN publications p ON p.id = o.publication_id' : ''}`
  const rows = await ctx.db.query<Row>(
    // IN, and no join: with statistics SQLite would read every entry for a Bloom filter first.
    `WITH chosen AS (
       SELECT o.id FROM ${chosenFrom} WHERE ${where}
       ${isByMoney ? '' : `ORDER BY ${order} ${limit ?? ''}`}
     ), money AS (
       SELECT sums.*, net - fulfilled AS liability FROM (
         SELECT l.order_id, ${moneySql(ctx.db.dialect, 'l')}
         FROM ledger_entries l WHERE l.order_id IN (SELECT id FROM chosen) AND l.entered_on <= :asOf GROUP BY l.order_id) sums
     )
     SELECT o.id, o.state, o.publication_id, o.product, ${selected}
     FROM chosen c JOIN orders o ON o.id = c.id JOIN publications p ON p.id = o.publication_id LEFT JOIN money m ON m.order_id = o.id
     ORDER BY ${order} ${isByMoney ? (limit ?? '') : ''}`,
    { ...values, ...asOfValues(asOf) },
  )
  return rows.map(ledgerRow)
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

function ledgerRow(row: Row): LedgerRow {
  const isFree = row.paymentType === 'Free'
  const values = recordOf(ledgerColumns, ({ name, kind }) =>
    kind === 'earned' && isFree ? null : decoders[kind](row[name]),
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
