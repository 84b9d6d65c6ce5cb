import { orderBy, type Page, PageInput, pageOf } from '../kernel/paging.ts'
import { type LedgerRow, ledgerRows, ledgerSorts } from '../ledger/ledger-rows.ts'
import { asOfDay, LedgerFilter, orderFilter } from '../ledger/order-filter.ts'
import { useCase } from '../use-case.ts'

/** A page of the acting publisher's sales ledger, newest orders first unless another order is asked for. */
export const listOrders = useCase({
  permission: 'order:read',
  input: PageInput.extend(LedgerFilter.shape),
  transaction: 'none',
  async run(ctx, input): Promise<Page<LedgerRow>> {
    const { where, values } = orderFilter(ctx, input)
    const [{ total } = { total: 0 }] = await ctx.db.query<{ total: number }>(
      `SELECT COUNT(*) AS total FROM orders o JOIN publications p ON p.id = o.publication_id WHERE ${where}`,
      values,
    )
    const rows = await ledgerRows(ctx, {
      where,
      order: `${orderBy(input.sort, ledgerSorts, '-orderedOn')}, o.id DESC`,
      limit: 'LIMIT :limit OFFSET :offset',
      values: { ...values, limit: input.size, offset: (input.page - 1) * input.size },
      asOf: asOfDay(ctx, input.asOf),
    })
    return pageOf(rows, Number(total), input)
  },
})
