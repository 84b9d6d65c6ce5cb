import { z } from 'zod'
import { orderBy, type Page, PageInput, pageOf } from '../kernel/paging.ts'
import { useCase } from '../use-case.ts'
import { type LedgerRow, ledgerRows } from './ledger-rows.ts'
import { orderFilter } from './order-filter.ts'

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

/** A page of the acting publisher's sales ledger, newest orders first unless another order is asked for. */
export const listOrders = useCase({
  permission: 'order:read',
  input: PageInput.extend({ publicationId: z.coerce.number().int().optional() }),
  transaction: 'none',
  async run(ctx, input): Promise<Page<LedgerRow>> {
    const { where, values } = orderFilter(ctx, input)
    const [{ total } = { total: 0 }] = await ctx.db.query<{ total: number }>(
      `SELECT COUNT(*) AS total FROM orders o JOIN publications p ON p.id = o.publication_id WHERE ${where}`,
      values,
    )
    const rows = await ledgerRows(ctx, {
      where,
      order: `ORDER BY ${orderBy(input.sort, ledgerSorts, '-orderedOn')}, o.id DESC LIMIT :limit OFFSET :offset`,
      values: { ...values, limit: input.size, offset: (input.page - 1) * input.size },
    })
    return pageOf(rows, Number(total), input)
  },
})
