import { Link, useSearchParams } from '@remix-run/react'
import { withParams } from './link-params.ts'

interface ChoiceLinksProps {
  /** What is chosen: "Show". */
  label: string
  param: string
  /** The first one is what a list shows without the parameter. */
  choices: readonly { value: string; text: string }[]
}

/** A small choice over a list whose answer stands in the address, as links side by side. */
export function ChoiceLinks({ label, param, choices }: ChoiceLinksProps) {
  const [params] = useSearchParams()
  const first = choices[0]?.value
  const selected = params.get(param)
  const current = choices.some(({ value }) => value === selected) ? selected : first
  return (
    <nav aria-label={label} className="flex flex-wrap rounded-input border border-control bg-surface p-0.5">
      {choices.map(({ value, text }) => (
        <Link
          key={value}
          to={withParams(params, { [param]: value === first ? null : value, page: null })}
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
