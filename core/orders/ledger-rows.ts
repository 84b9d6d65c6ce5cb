import type { AppContext } from '../context.ts'
import { asBoolean, type SqlValues } from '../database.ts'
import { type Day, dayOf } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { earnedValues, fulfilledSql } from '../ledger/earned-sql.ts'
import type { Product } from '../pricing/plan-code.rules.ts'
import type { OrderState } from './order-row.ts'

/**
 * One order as a row of the sales ledger; amounts in minor units. `fulfilled` and `liability` are null for a free order, and nothing
 * for one that was taken back.
 */
export interface LedgerRow {
  id: number
  orderNumber: string
  state: OrderState
  orderedOn: Day
  title: string
  firstName: string
  lastName: string
  publicationId: number
  publicationName: string
  product: Product | null
  productName: string
  paymentType: string
  amount: number
  currency: Currency
  subStartOn: Day | null
  subEndOn: Day | null
  isGift: boolean
  fulfilled: number | null
  liability: number | null
}

interface Row {
  id: number
  order_number: string
  state: OrderState
  ordered_on: Day
  title: string
  first_name: string
  last_name: string
  publication_id: number
  publication_name: string
  product: Product | null
  product_name: string
  payment_type: string
  amount: number
  currency: Currency
  sub_start_on: Day | null
  sub_end_on: Day | null
  is_gift: unknown
  fulfilled: number | string
  liability: number | string
}

/** Rows of the sales ledger as `where` and `order` choose them (`o` is the order, `p` its publication), with what is earned of each today. */
export async function ledgerRows(
  ctx: AppContext,
  { where, order, values }: { where: string; order: string; values: SqlValues },
): Promise<LedgerRow[]> {
  const fulfilled = fulfilledSql(ctx.db.dialect, {
    amount: 'o.amount',
    startOn: 'o.sub_start_on',
    term: 'o.term_months',
  })
  const rows = await ctx.db.query<Row>(
    `SELECT o.id, o.order_number, o.state, o.ordered_on, o.title, o.first_name, o.last_name, o.publication_id, p.publication_name,
            o.product, o.product_name, o.payment_type, o.amount, o.currency, o.sub_start_on, o.sub_end_on, o.is_gift,
            CASE WHEN o.state = 'paid' THEN ${fulfilled} ELSE 0 END AS fulfilled,
            CASE WHEN o.state = 'paid' THEN o.amount - (${fulfilled}) ELSE 0 END AS liability
     FROM orders o JOIN publications p ON p.id = o.publication_id WHERE ${where} ${order}`,
    { ...values, ...earnedValues(dayOf(ctx.now(), ctx.settings.timeZone)) },
  )
  return rows.map(ledgerRow)
}

function ledgerRow(row: Row): LedgerRow {
  const isFree = row.payment_type === 'Free'
  return {
    id: row.id,
    orderNumber: row.order_number,
    state: row.state,
    orderedOn: row.ordered_on,
    title: row.title,
    firstName: row.first_name,
    lastName: row.last_name,
    publicationId: row.publication_id,
    publicationName: row.publication_name,
    product: row.product,
    productName: row.product_name,
    paymentType: row.payment_type,
    amount: row.amount,
    currency: row.currency,
    subStartOn: row.sub_start_on,
    subEndOn: row.sub_end_on,
    isGift: asBoolean(row.is_gift),
    fulfilled: isFree ? null : Number(row.fulfilled),
    liability: isFree ? null : Number(row.liability),
  }
}
