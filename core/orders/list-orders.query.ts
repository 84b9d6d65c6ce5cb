import type { AppContext } from '../context.ts'
import { nonEmptyIds } from '../database.ts'
import type { Day } from '../kernel/dates.ts'
import { orderBy, type Page, PageInput, pageOf, sortInput } from '../kernel/paging.ts'
import { type LedgerDaysFilter, salesByPublication, sumDays } from '../ledger/ledger-days.query.ts'
import {
  countLedgerRows,
  enteredOrders,
  type LedgerRow,
  ledgerRows,
  ledgerSorts,
  matchingOrderIds,
} from '../ledger/ledger-rows.ts'
import { hasChoice } from '../ledger/order-choices.ts'
import {
  asOfDay,
  asOfFilter,
  daysInOrder,
  isNarrow,
  isShortRange,
  LedgerFilter,
  orderFilter,
  sumFilter,
} from '../ledger/order-filter.ts'
import { orderSearchCondition, type SearchCondition } from '../ledger/order-search.query.ts'
import { areOrderSumsOf } from '../ledger/order-sums.rows.ts'
import { countNotPaid, selectsOnlyPaid } from '../ledger/paid-orders.query.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'

/** A page of the acting publisher's sales ledger, newest orders first unless another order is requested. */
export const listOrders = useCase({
  permission: 'order:read',
  input: PageInput.extend({ ...LedgerFilter.shape, sort: sortInput(Object.keys(ledgerSorts)) }).refine(...daysInOrder),
  transaction: 'none',
  async run(ctx, input): Promise<Page<LedgerRow>> {
    const asOf = asOfDay(ctx, input.asOf)
    const { page, size } = input
    const offset = (page - 1) * size
    const search = await orderSearchCondition(ctx, input.q)
    const filter = asOfFilter(ctx, input)
    const entered = isBySums(filter) ? await enteredOrders(ctx, filter) : null
    const matching = orderFilter(ctx, filter, { search })
    const subtractsUnpaid = await canSubtractUnpaid(ctx, filter, asOf)
    const matchingIds = isNarrow(filter) && !entered && !subtractsUnpaid ? await matchingOrderIds(ctx, matching) : null
    const countOrders = () => {
      if (matchingIds) return matchingIds.length
      if (entered) return entered.total
      if (subtractsUnpaid) return countPaid(ctx, filter, asOf)
      return isNarrow(filter) ? countMatching(ctx, filter, search) : storedCount(ctx, filter, asOf)
    }
    const pendingTotal = countOrders()
    const [requestedSort = '', direction] = orderBy(input.sort, ledgerSorts, '-orderedOn').split(/ (?=ASC$|DESC$)/)
    const sortColumn = entered && requestedSort === 'o.ordered_on' ? 'm.ordered_on' : requestedSort
    const isBySum =
      sortColumn !== requestedSort ||
      (sortColumn.startsWith('m.') && (await areOrderSumsOf(ctx, tenantOf(ctx).publisherId, asOf)))
    const rowFilter = () => {
      if (matchingIds) return { where: 'o.id IN (:few)', values: { few: nonEmptyIds(matchingIds) } }
      if (entered) {
        const minToScan = daySorts.has(requestedSort) ? minDayMatchesToScan : minMatchesToScan
        return orderFilter(ctx, filter, { areMany: entered.total > minToScan })
      }
      return requestedSort === 'o.ordered_on' ? matching : orderFilter(ctx, filter, { search, isInOrder: true })
    }
    const { where, values } = rowFilter()
    const sums = async () => {
      if (!isBySum) return null
      if (matchingIds) return [{ where: 'm.order_id IN (:few)', values }]
      if (!entered) return [sumFilter(ctx, filter, { search, areMany: (await pendingTotal) > minMatchesToScan })]
      const { total, sold, others } = entered
      return [sold(total > minDayMatchesToScan), ...others]
    }
    const pendingRows = ledgerRows(ctx, {
      where,
      sort: { by: sortColumn, isDescending: direction === 'DESC' },
      limit: { size, offset, total: offset > maxDirectOffset ? await pendingTotal : undefined },
      values,
      asOf,
      sums: await sums(),
      byPublication:
        sortColumn === ledgerSorts.publicationName && !isNarrow(input)
          ? await salesByPublication(ctx, storedFilter(ctx, input, asOf))
          : undefined,
    })
    const [rows, total] = await Promise.all([pendingRows, pendingTotal])
    return pageOf(rows, total, input)
  },
})

/** Sort orders in which the orders of some days are adjacent. */
const daySorts = new Set(['m.ordered_on', ledgerSorts.subStartOn, ledgerSorts.subEndOn])

/**
 * From this many matches on it is cheaper to check the orders in list order until a page is full than to collect all matches first. The second
 * limit is for orders of some days that are adjacent in the list.
 */
const minMatchesToScan = 50_000
const minDayMatchesToScan = 250_000

/** Up to this offset a page is read directly; beyond it the rows are counted first, since the end may be nearer. */
const maxDirectOffset = 1000

/** Whether only a long range of entry days narrows the list: the stored totals cover those days. */
function isBySums({ publicationId: _, by, from, until, asOf, q, ...choices }: LedgerFilter): boolean {
  return (
    by !== 'ordered' &&
    Boolean(from || until) &&
    !isShortRange({ from, until }) &&
    asOf === undefined &&
    !q &&
    !hasChoice(choices)
  )
}

/** Whether the list is narrowed only to paid orders, and perhaps to a title: then the unpaid orders are counted and subtracted. */
async function canSubtractUnpaid(ctx: AppContext, filter: LedgerFilter, asOf: Day): Promise<boolean> {
  if (!selectsOnlyPaid(filter) || filter.from || filter.until || filter.asOf) return false
  return areOrderSumsOf(ctx, tenantOf(ctx).publisherId, asOf)
}

async function countPaid(ctx: AppContext, filter: LedgerFilter, asOf: Day): Promise<number> {
  const [total, unpaid] = await Promise.all([storedCount(ctx, filter, asOf), countNotPaid(ctx, filter)])
  return total - unpaid
}

async function countMatching(ctx: AppContext, filter: LedgerFilter, { parts }: SearchCondition): Promise<number> {
  const counts = await Promise.all(parts.map((search) => countLedgerRows(ctx, orderFilter(ctx, filter, { search }))))
  return counts.reduce((total, orders) => total + orders, 0)
}

/** The count of an unfiltered list, from the stored totals. */
async function storedCount(ctx: AppContext, filter: LedgerFilter, asOf: Day): Promise<number> {
  const sums = await sumDays(ctx, storedFilter(ctx, filter, asOf))
  return sums.reduce((total, { sales }) => total + sales, 0)
}

function storedFilter(ctx: AppContext, { publicationId }: LedgerFilter, asOf: Day): LedgerDaysFilter {
  return {
    ...tenantOf(ctx),
    publicationIds: publicationId === undefined ? undefined : [publicationId],
    until: asOf,
  }
}
