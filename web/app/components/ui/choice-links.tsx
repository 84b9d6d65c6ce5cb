import { Link, useSearchParams } from '@remix-run/react'
import { withParams } from './link-params.ts'

interface ChoiceLinksProps {
  /** The label of the choice: "Show". */
  label: string
  param: string
  /** The first option is the default of the list, without the parameter. */
  choices: readonly { value: string; text: string }[]
}

/** A small choice above a list as a row of links; its value is in the address. */
export function ChoiceLinks({ label, param, choices }: ChoiceLinksProps) {
  const [params] = useSearchParams()
  const defaultValue = choices[0]?.value
  const selected = params.get(param)
  const current = choices.some(({ value }) => value === selected) ? selected : defaultValue
  return (
    <nav aria-label={label} className="flex flex-wrap rounded-input border border-control bg-surface p-0.5">
      {choices.map(({ value, text }) => (
        <Link
          key={value}
          to={withParams(params, { [param]: value === defaultValue ? null : value, page: null })}
          preventScrollReset
          replace
          aria-current={value === current ? 'true' : undefined}
          className={`inline-flex min-h-8 items-center rounded-input px-3 text-table no-underline ${value === current ? 'bg-primary-soft font-semibold text-primary' : 'text-ink-2 hover:bg-subtle'}`}
        >
          {text}
        </Link>
      ))}
    </nav>
  )
}
