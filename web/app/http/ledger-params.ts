import { parseDay } from '#core/kernel/dates.ts'
import { maxSearchLength, PageInput, pageOf } from '#core/kernel/paging.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { ledgerColumns } from '#core/ledger/ledger-columns.rules.ts'
import { ledgerDayKinds, type OrderChoice, orderChoiceNames, orderChoices } from '#core/ledger/order-choices.rules.ts'
import { listOrders } from '#core/orders/list-orders.query.ts'
import { listParams } from './list-params.ts'
import { isId } from './param-id.ts'
import type { StaffContext } from './require-screen.ts'

const days = { from: 'From', until: 'Until', asOf: 'As of' } as const
type LedgerDay = keyof typeof days
const dayNames = Object.keys(days) as LedgerDay[]

/**
 * The filter of the sales ledger from an address. What is invalid in it, such as a day or a search that is too long, is left out and reported: a
 * typing error must not look like no filter. An unknown sort order is left out as well.
 */
export function ledgerParams(request: Request) {
  return ledgerQuery(listParams(request))
}

/** The filter from the parameters of a stored address. */
export function ledgerQuery(input: Record<string, string>) {
  const isUnknown = (name: OrderChoice) =>
    Boolean(input[name]) && !Object.hasOwn(orderChoices[name].labels, input[name] ?? '')
  const q = input.q?.trim() ?? ''
  const isTooLong = q.length > maxSearchLength
  const isInvalidId = Boolean(input.publication) && !isId(input.publication)
  const by = input.by ? ledgerDayKinds.find((kind) => kind === input.by) : 'ordered'
  const invalidParam = (param: string, label: string) => ({ param, text: `${label} ${input[param]?.slice(0, 40)}` })
  const invalidFilters = [
    ...(isTooLong ? [{ param: 'q', text: `a search of ${countOf(q.length, 'character')}` }] : []),
    ...(isInvalidId ? [invalidParam('publication', 'Publication')] : []),
    ...dayNames.flatMap((name) =>
      input[name]?.trim() && !parseDay(input[name]) ? [invalidParam(name, days[name])] : [],
    ),
    ...orderChoiceNames.flatMap((name) => (isUnknown(name) ? [invalidParam(name, orderChoices[name].label)] : [])),
    ...(by ? [] : [invalidParam('by', 'Dates refer to')]),
  ]
  const dayOf = (name: LedgerDay) => (input[name] ? (parseDay(input[name]) ?? '') : '')
  const choices: { [Name in OrderChoice]?: keyof (typeof orderChoices)[Name]['labels'] | undefined } =
    Object.fromEntries(orderChoiceNames.map((name) => [name, isUnknown(name) ? undefined : input[name] || undefined]))
  const filter = {
    publicationId: input.publication && !isInvalidId ? Number(input.publication) : undefined,
    q: isTooLong ? '' : q,
    from: dayOf('from'),
    until: dayOf('until'),
    asOf: dayOf('asOf'),
    by: by ?? 'ordered',
    ...choices,
  }
  const { sort, ...others } = input
  const isSort = ledgerColumns.some(({ name }) => name === sort?.replace(/^-/, ''))
  const isRangeReversed = filter.from !== '' && filter.until !== '' && filter.from > filter.until
  return { filter, query: isSort ? input : others, invalidFilters, isRangeReversed }
}

/** The page of orders of an address: empty if its first day is after its last, which the ledger refuses and its page explains. */
export async function ordersOf(
  ctx: StaffContext,
  { filter, query, isRangeReversed }: ReturnType<typeof ledgerQuery>,
): ReturnType<typeof listOrders> {
  const input = { ...query, ...filter }
  return isRangeReversed ? pageOf([], 0, PageInput.parse(input)) : listOrders(ctx, input)
}
