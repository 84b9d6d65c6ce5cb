import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import { orderBy, type Page, PageInput, pageOf } from '../kernel/paging.ts'
import { type LedgerDaysFilter, salesByPublication, sumDays } from '../ledger/ledger-days.query.ts'
import { countLedgerRows, type LedgerRow, ledgerRows, ledgerSorts } from '../ledger/ledger-rows.ts'
import { asOfDay, isNarrow, LedgerFilter, orderFilter, sumFilter } from '../ledger/order-filter.ts'
import { areOrderSumsOf } from '../ledger/order-sums.rows.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'

/** A page of the acting publisher's sales ledger, newest orders first unless another order is asked for. */
export const listOrders = useCase({
  permission: 'order:read',
  input: PageInput.extend(LedgerFilter.shape),
  transaction: 'none',
  async run(ctx, input): Promise<Page<LedgerRow>> {
    const { where, values } = orderFilter(ctx, input)
    const asOf = asOfDay(ctx, input.asOf)
    const { page, size } = input
    const [by = '', direction] = orderBy(input.sort, ledgerSorts, '-orderedOn').split(/ (?=ASC$|DESC$)/)
    const areKept = by.startsWith('m.') && (await areOrderSumsOf(ctx, tenantOf(ctx).publisherId, asOf))
    const reading = ledgerRows(ctx, {
      where,
      sort: { by, isDescending: direction === 'DESC' },
      limit: { size, offset: (page - 1) * size },
      values,
      asOf,
      sums: areKept ? sumFilter(ctx, input) : null,
      byPublication:
        by === ledgerSorts.publicationName && !isNarrow(input)
          ? await salesByPublication(ctx, keptFilter(ctx, input, asOf))
          : undefined,
    })
    const [rows, kept] = await Promise.all([reading, isNarrow(input) ? null : keptCount(ctx, input, asOf)])
    // Words that few orders hold take a walk through all of them: what fits on the first page is not counted again.
    const isAll = page === 1 && rows.length < size
    const total = isAll ? rows.length : (kept ?? (await countLedgerRows(ctx, { where, values })))
    return pageOf(rows, total, input)
  },
})

/** What is not narrowed down was counted when it was entered. */
async function keptCount(ctx: AppContext, filter: LedgerFilter, asOf: Day): Promise<number> {
  const sums = await sumDays(ctx, keptFilter(ctx, filter, asOf))
  return sums.reduce((total, { sales }) => total + sales, 0)
}

function keptFilter(ctx: AppContext, { publicationId }: LedgerFilter, asOf: Day): LedgerDaysFilter {
  return {
    ...tenantOf(ctx),
    publicationIds: publicationId === undefined ? undefined : [publicationId],
    until: asOf,
  }
}
