import { countOf } from '#core/kernel/counted.ts'
import { parseDay } from '#core/kernel/dates.ts'
import { longestSearch } from '#core/kernel/paging.ts'
import { type OrderChoice, orderChoiceNames, orderChoices } from '#core/ledger/order-choices.rules.ts'
import { listParams } from './list-params.ts'
import { idParam } from './param-id.ts'

/** The kinds of day the filter applies to. */
const ledgerDays = ['ordered', 'sold', 'entered'] as const

const days = ['from', 'until', 'asOf'] as const

/**
 * The filter of the sales ledger from an address. An invalid day or choice, and a search that is too long, are left out and reported: a
 * typing error must not look like no filter.
 */
export function ledgerParams(request: Request) {
  return ledgerQuery(listParams(request))
}

/** The same from the parameters of a stored address. */
export function ledgerQuery(input: Record<string, string>) {
  const isUnknown = (name: OrderChoice) =>
    Boolean(input[name]) && !Object.hasOwn(orderChoices[name].words, input[name] ?? '')
  const q = input.q?.trim() ?? ''
  const isTooLong = q.length > longestSearch
  const wrong = [
    ...(isTooLong ? [`a search of ${countOf(q.length, 'character')}`] : []),
    ...days.flatMap((name) => (input[name]?.trim() && !parseDay(input[name]) ? [input[name].slice(0, 40)] : [])),
    ...orderChoiceNames.flatMap((name) =>
      isUnknown(name) ? [`${orderChoices[name].label} ${input[name]?.slice(0, 40)}`] : [],
    ),
  ]
  const dayOf = (name: (typeof days)[number]) => (input[name] ? (parseDay(input[name]) ?? '') : '')
  const by = ledgerDays.find((known) => known === input.by) ?? 'ordered'
  const chosen: { [Name in OrderChoice]?: keyof (typeof orderChoices)[Name]['words'] | undefined } = Object.fromEntries(
    orderChoiceNames.map((name) => [name, isUnknown(name) ? undefined : input[name] || undefined]),
  )
  const filter = {
    publicationId: input.publication ? idParam(input.publication, 'The publication') : undefined,
    q: isTooLong ? '' : q,
    from: dayOf('from'),
    until: dayOf('until'),
    asOf: dayOf('asOf'),
    by,
    ...chosen,
  }
  return { filter, query: input, wrong }
}
