import { Form, useNavigate, useSearchParams } from '@remix-run/react'
import type { FormEvent } from 'react'
import { formatDay } from '#core/kernel/dates.ts'
import { orderChoiceNames, orderChoices } from '#core/ledger/order-choices.rules.ts'
import type { ledgerQuery } from '../../http/ledger-params.ts'
import { Button } from '../ui/button.tsx'
import { Input, Select } from '../ui/inputs.tsx'
import { withParams } from '../ui/link-params.ts'
import { type Title, titleName } from '../ui/publication-field.tsx'

type Filter = ReturnType<typeof ledgerQuery>['filter']

const verbs = { ordered: 'Ordered', sold: 'Sold', entered: 'Entered' } as const

/** The filters other than the search, each with its parameter in the address. */
export function ledgerChips(filter: Filter, publications: readonly Title[]): { param: string; text: string }[] {
  const { publicationId, from, until, asOf, by } = filter
  const publication = publications.find(({ id }) => id === publicationId)
  const chosen = orderChoiceNames.flatMap((param) => {
    const labels: Record<string, string> = orderChoices[param].labels
    return filter[param] ? [{ param, text: `${orderChoices[param].label}: ${labels[filter[param]]}` }] : []
  })
  const days = [
    { param: 'from', day: from, text: `${verbs[by]} from` },
    { param: 'until', day: until, text: `${verbs[by]} until` },
    { param: 'asOf', day: asOf, text: 'As of the end of' },
  ].flatMap(({ param, day, text }) => (day ? [{ param, text: `${text} ${formatDay(day)}` }] : []))
  return [
    ...(publicationId
      ? [{ param: 'publication', text: `Publication: ${publication ? titleName(publication) : 'not found'}` }]
      : []),
    ...chosen,
    ...days,
  ]
}

/** The filters of the ledger. They are in the address: the form works without JavaScript, and the page can be reloaded and shared. */
export function LedgerFilterPanel({
  filter,
  publications,
  isOpen,
}: {
  filter: Filter
  publications: readonly Title[]
  /** Whether it is expanded, because a filter has an error. */
  isOpen: boolean
}) {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const hiddenFields = ['q', 'size', 'sort'].flatMap((name) => {
    const value = params.get(name)
    return value ? [{ name, value }] : []
  })
  // Without JavaScript the address also contains empty fields, which have no effect.
  const applyFilter = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const entries = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()])
    const { by, ...chosen } = Object.fromEntries(entries)
    const hasDays = chosen.from || chosen.until
    const to = withParams(new URLSearchParams(), { ...chosen, by: hasDays && by !== 'ordered' ? by : null })
    navigate(to, { preventScrollReset: true })
  }
  const days = [
    { name: 'from', label: 'From', day: filter.from },
    { name: 'until', label: 'Until', day: filter.until },
    { name: 'asOf', label: 'As of (end of the day)', day: filter.asOf },
  ]
  return (
    <details className="no-print mt-3 open:w-full" open={isOpen || undefined}>
      <summary className="link inline-block cursor-pointer text-table">More filters</summary>
      <Form method="get" onSubmit={applyFilter} className="mt-2 grid grid-cols-2 items-end gap-3 md:flex md:flex-wrap">
        {hiddenFields.map((field) => (
          <input key={field.name} type="hidden" {...field} />
        ))}
        {publications.length > 1 && (
          <Choice
            name="publication"
            label="Publication"
            chosen={filter.publicationId ? String(filter.publicationId) : ''}
            options={publications.map((publication) => [String(publication.id), titleName(publication)])}
          />
        )}
        {orderChoiceNames.map((name) => (
          <Choice
            key={name}
            name={name}
            label={orderChoices[name].label}
            chosen={filter[name] ?? ''}
            options={Object.entries(orderChoices[name].labels)}
          />
        ))}
        <div className="min-w-0">
          <label htmlFor="ledger-by" className="mb-1 block text-table">
            Dates refer to
          </label>
          <Select id="ledger-by" name="by" defaultValue={filter.by} key={filter.by}>
            <option value="ordered">the order</option>
            <option value="sold">the sale (paid)</option>
            <option value="entered">an entry (paid, refunded)</option>
          </Select>
        </div>
        {days.map(({ name, label, day }) => (
          <div key={`${name}${day}`} className="min-w-0">
            <label htmlFor={`ledger-${name}`} className="mb-1 block text-table">
              {label}
            </label>
            <Input
              id={`ledger-${name}`}
              name={name}
              defaultValue={params.get(name) && day ? formatDay(day) : (params.get(name) ?? '')}
              placeholder="31/12/2026"
              maxLength={20}
              className="md:max-w-36"
            />
          </div>
        ))}
        <Button type="submit" className="max-md:col-span-2">
          Filter
        </Button>
      </Form>
    </details>
  )
}

function Choice({
  name,
  label,
  chosen,
  options,
}: {
  name: string
  label: string
  chosen: string
  options: readonly (readonly [string, string])[]
}) {
  return (
    <div className="min-w-0">
      <label htmlFor={`ledger-${name}`} className="mb-1 block text-table">
        {label}
      </label>
      <Select id={`ledger-${name}`} name={name} defaultValue={chosen} key={chosen} className="md:max-w-56">
        <option value="">All</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </Select>
    </div>
  )
}
