import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'

interface SummaryListProps {
  title: string
  changeTo: string
  /** The answer; null shows "Not provided". */
  rows: readonly { label: string; value: ReactNode | null }[]
}

/** A group of answers, to be checked before submitting. */
export function SummaryList({ title, changeTo, rows }: SummaryListProps) {
  return (
    <section className="border-t border-line pt-4">
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="text-body font-semibold">{title}</h3>
        <Link to={changeTo} className="link text-body">
          Change<span className="sr-only">{` ${title.toLowerCase()}`}</span>
        </Link>
      </div>
      <dl className="mt-2 grid gap-x-6 gap-y-2 text-body sm:grid-cols-[minmax(9rem,14rem)_1fr]">
        {rows.map(({ label, value }) => (
          <div key={label} className="contents max-sm:block">
            <dt className="text-ink-2">{label}</dt>
            <dd className="min-w-0 wrap-anywhere whitespace-pre-line">
              {value ?? <span className="text-muted">Not provided</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
