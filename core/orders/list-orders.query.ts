import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import { orderBy, type Page, PageInput, pageOf } from '../kernel/paging.ts'
import { type LedgerDaysFilter, salesByPublication, sumDays } from '../ledger/ledger-days.query.ts'
import { countLedgerRows, fewLedgerRows, type LedgerRow, ledgerRows, ledgerSorts } from '../ledger/ledger-rows.ts'
import { asOfDay, isNarrow, LedgerFilter, orderFilter, sumFilter } from '../ledger/order-filter.ts'
import { areOrderSumsOf } from '../ledger/order-sums.rows.ts'
import { orderWords, orNone } from '../ledger/order-words.query.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'

/** A page of the acting publisher's sales ledger, newest orders first unless another order is asked for. */
export const listOrders = useCase({
  permission: 'order:read',
  input: PageInput.extend(LedgerFilter.shape),
  transaction: 'none',
  async run(ctx, input): Promise<Page<LedgerRow>> {
    const words = await orderWords(ctx, input.q)
    const fitting = orderFilter(ctx, input, words)
    const few = isNarrow(input) ? await fewLedgerRows(ctx, fitting) : null
    const { where, values } = few ? { where: 'o.id IN (:few)', values: { few: orNone(few) } } : fitting
    const asOf = asOfDay(ctx, input.asOf)
    const { page, size } = input
    const [by = '', direction] = orderBy(input.sort, ledgerSorts, '-orderedOn').split(/ (?=ASC$|DESC$)/)
    const areKept = by.startsWith('m.') && (await areOrderSumsOf(ctx, tenantOf(ctx).publisherId, asOf))
    const counting = few
      ? few.length
      : isNarrow(input)
        ? countLedgerRows(ctx, { where, values })
        : keptCount(ctx, input, asOf)
    const sums = async () => {
      if (!areKept) return null
      if (few) return { where: 'm.order_id IN (:few)', values }
      return sumFilter(ctx, input, { words, areMany: (await counting) > manyOrders })
    }
    const reading = ledgerRows(ctx, {
      where,
      sort: { by, isDescending: direction === 'DESC' },
      limit: { size, offset: (page - 1) * size },
      values,
      asOf,
      sums: await sums(),
      byPublication:
        by === ledgerSorts.publicationName && !isNarrow(input)
          ? await salesByPublication(ctx, keptFilter(ctx, input, asOf))
          : undefined,
    })
    const [rows, total] = await Promise.all([reading, counting])
    return pageOf(rows, total, input)
  },
})

/** Of as many it takes less to look at each in the order of the list, until a page is full, than at all of them first. */
const manyOrders = 50_000

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
