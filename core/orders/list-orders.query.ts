import { z } from 'zod'
import { asBoolean } from '../database.ts'
import { type Day, dayOf } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { orderBy, type Page, PageInput, pageOf } from '../kernel/paging.ts'
import { earnedValues, fulfilledSql } from '../ledger/earned-sql.ts'
import type { Product } from '../pricing/plan-code.rules.ts'
import { useCase } from '../use-case.ts'
import { orderFilter } from './order-filter.ts'

/** One order as a row of the sales ledger; amounts in minor units. `fulfilled` and `liability` are null for a free order. */
export interface LedgerRow {
  id: number
  orderNumber: string
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

/** The columns the ledger sorts by, as `sort=amount` or `sort=-amount`. */
const ledgerSorts = {
  orderedOn: 'o.ordered_on',
  orderNumber: 'o.order_number',
  title: 'o.title',
  firstName: 'LOWER(o.first_name)',
  lastName: 'LOWER(o.last_name)',
  publicationName: 'LOWER(p.publication_name)',
  productName: 'o.product_name',
  paymentType: 'o.payment_type',
  amount: 'o.amount',
  currency: 'o.currency',
  subStartOn: 'o.sub_start_on',
  subEndOn: 'o.sub_end_on',
  isGift: 'o.is_gift',
  fulfilled: 'fulfilled',
  liability: 'liability',
} as const

interface Row {
  id: number
  order_number: string
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

/** A page of the acting publisher's sales ledger, newest orders first unless another order is asked for. */
export const listOrders = useCase({
  permission: 'order:read',
  input: PageInput.extend({ publicationId: z.coerce.number().int().optional() }),
  transaction: 'none',
  async run(ctx, input): Promise<Page<LedgerRow>> {
    const { where, values } = orderFilter(ctx, input)
    const from = `FROM orders o JOIN publications p ON p.id = o.publication_id WHERE ${where}`
    const [{ total } = { total: 0 }] = await ctx.db.query<{ total: number }>(`SELECT COUNT(*) AS total ${from}`, values)
    const fulfilled = fulfilledSql(ctx.db.dialect, {
      amount: 'o.amount',
      startOn: 'o.sub_start_on',
      term: 'o.term_months',
    })
    const rows = await ctx.db.query<Row>(
      `SELECT o.id, o.order_number, o.ordered_on, o.title, o.first_name, o.last_name, o.publication_id, p.publication_name,
              o.product, o.product_name, o.payment_type, o.amount, o.currency, o.sub_start_on, o.sub_end_on, o.is_gift,
              ${fulfilled} AS fulfilled, o.amount - (${fulfilled}) AS liability
       ${from}
       ORDER BY ${orderBy(input.sort, ledgerSorts, '-orderedOn')}, o.id DESC LIMIT :limit OFFSET :offset`,
      {
        ...values,
        ...earnedValues(dayOf(ctx.now(), ctx.settings.timeZone)),
        limit: input.size,
        offset: (input.page - 1) * input.size,
      },
    )
    return pageOf(rows.map(ledgerRow), Number(total), input)
  },
})

function ledgerRow(row: Row): LedgerRow {
  const isFree = row.payment_type === 'Free'
  return {
    id: row.id,
    orderNumber: row.order_number,
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
