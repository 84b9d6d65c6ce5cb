import { z } from 'zod'
import { orderBy, type Page, PageInput, pageOf } from '../kernel/paging.ts'
import { recordOf } from '../kernel/record-of.ts'
import { type LedgerColumn, ledgerColumns } from '../ledger/ledger-columns.rules.ts'
import { type LedgerRow, ledgerRows } from '../ledger/ledger-rows.ts'
import { orderFilter } from '../ledger/order-filter.ts'
import { useCase } from '../use-case.ts'

const columns: readonly LedgerColumn[] = ledgerColumns

/** What the ledger is sorted by, as `sort=amount` or `sort=-amount`. */
const ledgerSorts = recordOf(columns, ({ name, from, sortBy }) => sortBy ?? from ?? name)

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
