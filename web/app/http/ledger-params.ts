import { countOf } from '#core/kernel/counted.ts'
import { parseDay } from '#core/kernel/dates.ts'
import { longestSearch } from '#core/kernel/paging.ts'
import { type OrderChoice, orderChoiceNames, orderChoices } from '#core/ledger/order-choices.rules.ts'
import { listParams } from './list-params.ts'
import { idParam } from './param-id.ts'

/** What the days of the filter may be about. */
const ledgerDays = ['ordered', 'sold', 'entered'] as const

const days = ['from', 'until', 'asOf'] as const

/** The sales ledger's filter as it stands in an address. A day or a choice that is none, and a search that is too long, are left out, and said: a mistyped one must not look like no filter. */
export function ledgerParams(request: Request) {
  return ledgerQuery(listParams(request))
}

/** The same of the values of an address that was kept. */
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
