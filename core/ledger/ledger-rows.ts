import type { AppContext } from '../context.ts'
import { asBoolean, type SqlValues } from '../database.ts'
import { dayOf } from '../kernel/dates.ts'
import type { OrderState } from '../kernel/order-state.ts'
import { recordOf } from '../kernel/record-of.ts'
import type { Product } from '../pricing/plan-code.rules.ts'
import { earnedValues, fulfilledSql } from './earned-sql.ts'
import { type LedgerKind, type LedgerValues, ledgerColumns } from './ledger-columns.rules.ts'

/**
 * One order as a row of the sales ledger; amounts in minor units. `fulfilled` and `liability` are null for a free order, and nothing
 * for one that was taken back.
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

const stored = ledgerColumns.filter((column) => column.from !== null)
const selected = stored.map(({ name, from }) => `${from} AS "${name}"`).join(', ')

/** Rows of the sales ledger as `where` and `order` choose them (`o` is the order, `p` its publication), with what is earned of each today. */
export async function ledgerRows(
  ctx: AppContext,
  { where, order, values }: { where: string; order: string; values: SqlValues },
): Promise<LedgerRow[]> {
  const fulfilled = fulfilledSql(ctx.db.dialect, {
    amount: 'o.amount',
    startOn: 'o.sub_start_on',
    endOn: 'o.sub_end_on',
    term: 'o.term_months',
  })
  const rows = await ctx.db.query<Row>(
    `SELECT o.id, o.state, o.publication_id, o.product, ${selected},
            CASE WHEN o.state = 'paid' THEN ${fulfilled} ELSE 0 END AS fulfilled,
            CASE WHEN o.state = 'paid' THEN o.amount - (${fulfilled}) ELSE 0 END AS liability
     FROM orders o JOIN publications p ON p.id = o.publication_id WHERE ${where} ${order}`,
    { ...values, ...earnedValues(dayOf(ctx.now(), ctx.settings.timeZone)) },
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
