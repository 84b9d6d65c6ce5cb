import { Form, Link, useSearchParams, useSubmit } from '@remix-run/react'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { pageSizes } from '#core/kernel/paging.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { withParams } from './link-params.ts'
import { useSelectValue } from './use-select-value.ts'

interface PaginationProps {
  page: number
  pages: number
  size: number
  total: number
  /** The noun for the items: "reader". */
  noun: string
}

/** Page links that keep the other parameters, and a page-size selector that works without JavaScript. */
export function Pagination({ page, pages, size, total, noun }: PaginationProps) {
  const [params] = useSearchParams()
  const submit = useSubmit()
  const select = useSelectValue(size)
  if (total === 0) return null
  const otherParams = [...params].filter(([name]) => name !== 'size' && name !== 'page')
  return (
    <div className="no-print mt-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 text-table text-ink-2">
      <p className="numeric">{rangeText({ page, size, total }, noun)}</p>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <Form
          method="get"
          preventScrollReset
          className="flex items-center gap-2"
          onChange={(event) => submit(event.currentTarget, { preventScrollReset: true, replace: true })}
        >
          {otherParams.map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <label htmlFor="page-size">Rows per page</label>
          <select
            id="page-size"
            name="size"
            ref={select}
            defaultValue={size}
            className="h-8 rounded-input border border-control bg-surface px-1.5 hover:border-ink-2"
          >
            {pageSizes.map((choice) => (
              <option key={choice} value={choice}>
                {choice}
              </option>
            ))}
          </select>
          <noscript>
            <button type="submit" className="h-8 rounded-input border border-control px-2">
              Show
            </button>
          </noscript>
        </Form>
        <nav aria-label="Pages" className="flex items-center gap-1">
          <Step to={page > 1 ? withParams(params, { page: page === 2 ? null : page - 1 }) : null} label="Previous page">
            <ChevronLeft size={16} aria-hidden="true" />
          </Step>
          {visiblePages(page, pages).map((number, index, numbers) => (
            <span key={number} className="flex items-center gap-1">
              {index > 0 && number - (numbers[index - 1] ?? 0) > 1 && <span aria-hidden="true">…</span>}
              <Link
                to={withParams(params, { page: number === 1 ? null : number })}
                preventScrollReset
                aria-current={number === page ? 'page' : undefined}
                aria-label={`Page ${number}`}
                className={`numeric inline-flex h-8 min-w-8 items-center justify-center rounded-input px-1.5 ${number === page ? 'bg-primary font-semibold text-white' : 'text-primary hover:bg-subtle'}`}
              >
                {formatCount(number)}
              </Link>
            </span>
          ))}
          <Step to={page < pages ? withParams(params, { page: page + 1 }) : null} label="Next page">
            <ChevronRight size={16} aria-hidden="true" />
          </Step>
        </nav>
      </div>
    </div>
  )
}

function Step({ to, label, children }: { to: string | null; label: string; children: React.ReactNode }) {
  const classes = 'inline-flex size-8 items-center justify-center rounded-input'
  if (to === null) {
    return (
      <span aria-hidden="true" className={`${classes} text-line`}>
        {children}
      </span>
    )
  }
  return (
    <Link
      to={to}
      aria-label={label}
      title={label}
      preventScrollReset
      className={`${classes} text-primary hover:bg-subtle`}
    >
      {children}
    </Link>
  )
}

/** "11 to 20 of 312 orders". */
export function rangeText({ page, size, total }: { page: number; size: number; total: number }, noun: string): string {
  const first = Math.min((page - 1) * size + 1, total)
  return `${formatCount(first)} to ${formatCount(Math.min(page * size, total))} of ${countOf(total, noun)}`
}

/** The page numbers to show: the first, the last, and those near the current one. */
function visiblePages(page: number, pages: number): number[] {
  const numbers = [1, page - 1, page, page + 1, pages].filter((number) => number >= 1 && number <= pages)
  return [...new Set(numbers)].sort((a, b) => a - b)
}
