import { Form, Link, useNavigate, useSearchParams } from '@remix-run/react'
import Search from 'lucide-react/icons/search'
import X from 'lucide-react/icons/x'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { maxSearchLength } from '#core/kernel/paging.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { Button } from './button.tsx'
import { Input } from './inputs.tsx'
import { withParams } from './link-params.ts'

const debounceMs = 300
/**
 * Parameters that a changed filter resets: the page number or the cursor of keyset pagination, and the pressed button of a search form, because
 * removing the last filter must not count as a search with empty fields.
 */
const firstPage = { page: null, before: null, after: null, search: null }

interface FilterBarProps {
  /** The label, naming the items: "Filter orders". */
  label: string
  placeholder?: string
  noun: string
  /** The number of matches; left out if they are not counted. */
  total?: number
  /** The total without the filter. */
  all?: number | undefined
  /** Further active filters, each with its parameter. */
  chips?: { param: string; text: string }[]
  /** Further controls at the end of the bar. */
  children?: ReactNode
}

/** A text filter of a list, applied shortly after typing stops; the text is in the address as `q`. */
export function FilterBar({ label, placeholder, noun, total, all, chips = [], children }: FilterBarProps) {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const current = params.get('q') ?? ''
  const [text, setText] = useState(current)
  const appliedText = useRef(current)

  // Back, Forward and a removed chip change the address: the field is updated.
  useEffect(() => {
    if (current === appliedText.current) return
    appliedText.current = current
    setText(current)
  }, [current])

  useEffect(() => {
    const query = text.trim()
    // The field itself reports a text that is too long.
    if (query === appliedText.current || query.length > maxSearchLength) return
    const timer = setTimeout(() => {
      appliedText.current = query
      navigate(withParams(params, { q: query, ...firstPage }), { replace: true, preventScrollReset: true })
    }, debounceMs)
    return () => clearTimeout(timer)
  }, [text, params, navigate])

  const isSearched = current !== '' && current.trim().length <= maxSearchLength
  const shownChips = isSearched ? [{ param: 'q', text: `“${current}”` }, ...chips] : chips
  const isFiltered = shownChips.length > 0
  return (
    <div className="no-print space-y-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Form
          method="get"
          role="search"
          className="flex w-full gap-2 md:w-96"
          onSubmit={(event) => event.preventDefault()}
        >
          {[...params].map(
            ([name, value]) =>
              name !== 'q' && !(name in firstPage) && <input key={name} type="hidden" name={name} value={value} />,
          )}
          <div className="relative grow">
            <Search
              size={16}
              aria-hidden="true"
              className="pointer-events-none absolute top-3 left-3 text-muted max-md:top-3.5"
            />
            <Input
              type="search"
              name="q"
              aria-label={label}
              placeholder={placeholder ?? label}
              autoComplete="off"
              maxLength={maxSearchLength}
              value={text}
              onChange={(event) => setText(event.target.value)}
              className="pl-9"
            />
          </div>
          <noscript>
            <Button type="submit">Filter</Button>
          </noscript>
        </Form>
        {total !== undefined && (
          <p role="status" className="numeric text-table text-ink-2">
            {isFiltered && all !== undefined ? `${formatCount(total)} of ${countOf(all, noun)}` : countOf(total, noun)}
          </p>
        )}
        {children && <div className="ml-auto flex flex-wrap gap-2">{children}</div>}
      </div>
      {isFiltered && (
        <ul aria-label="Active filters" className="flex flex-wrap gap-2">
          {shownChips.map((chip) => (
            <li key={chip.param} className="max-w-full">
              <Link
                to={withParams(params, { [chip.param]: null, ...firstPage })}
                preventScrollReset
                replace
                aria-label={`Remove the filter ${chip.text}`}
                className="inline-flex min-h-7 max-w-full items-center gap-1.5 rounded-full bg-primary-soft px-3 text-table text-primary hover:bg-line"
              >
                <span className="truncate">{chip.text}</span>
                <X size={14} aria-hidden="true" className="shrink-0" />
              </Link>
            </li>
          ))}
          {shownChips.length > 1 && (
            <li>
              <Link
                to={withParams(params, {
                  ...Object.fromEntries(shownChips.map(({ param }) => [param, null])),
                  ...firstPage,
                })}
                preventScrollReset
                replace
                className="link inline-flex min-h-7 items-center px-1 text-table"
              >
                Clear all
              </Link>
            </li>
          )}
        </ul>
      )}
    </div>
  )
}
