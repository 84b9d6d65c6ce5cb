import { Link, useSearchParams } from '@remix-run/react'
import type { ReactNode } from 'react'
import { withParams } from '../ui/link-params.ts'
import { Skeleton } from '../ui/skeleton.tsx'

interface FigureTileProps {
  label: string
  /** Undefined while it is loading, null when it failed. */
  value: ReactNode
  /** The window or the definition: "last 30 days". */
  note?: ReactNode
  /** Link to the list of what it counts. */
  to?: string
  /** Whether it takes a whole row on phones, as for amounts. */
  isWide?: boolean
  onRetry: () => void
}

/** One figure with its name, what it covers, and a link to what it counts. */
export function FigureTile({ label, value, note, to, isWide = false, onRetry }: FigureTileProps) {
  const figure =
    value === undefined ? (
      <span className="block w-20" aria-busy="true">
        <Skeleton height={28} />
        <span className="sr-only">Loading…</span>
      </span>
    ) : value === null ? (
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-table font-normal text-danger">
        Not loaded <RetryLink about={label} onRetry={onRetry} />
      </span>
    ) : to ? (
      <Link to={to} className="text-ink no-underline after:absolute after:inset-0 after:rounded-card hover:underline">
        {value}
        <span className="sr-only">{` ${label}: show the list`}</span>
      </Link>
    ) : (
      value
    )
  return (
    <div className={`card relative p-3.5 lg:p-5 ${isWide ? 'max-sm:col-span-2' : ''}`}>
      <dt className="text-table font-medium text-ink-2">{label}</dt>
      <dd className="numeric mt-1 text-h3 font-semibold sm:text-h2">{figure}</dd>
      {note && <dd className="mt-1 text-caption text-muted">{note}</dd>}
    </div>
  )
}

/** Retries one part; without JavaScript it reloads the page, which then waits for all of its parts. */
export function RetryLink({ about, onRetry }: { about: string; onRetry: () => void }) {
  const [params] = useSearchParams()
  return (
    <Link
      to={withParams(params, { wait: 1 })}
      role="button"
      preventScrollReset
      onClick={(event) => {
        event.preventDefault()
        onRetry()
      }}
      // A link only reacts to Enter, a button to the space bar too.
      onKeyDown={(event) => {
        if (event.key !== ' ') return
        event.preventDefault()
        onRetry()
      }}
      className="inline-flex min-h-8 items-center rounded-input border border-control bg-surface px-3 text-table font-medium text-ink no-underline hover:bg-subtle"
    >
      Retry<span className="sr-only">{` ${about}`}</span>
    </Link>
  )
}

/** Placeholder for a chart or table: a skeleton while its figures load, a retry button when they failed. */
export function MissingFigures({
  isFailed,
  about,
  onRetry,
}: {
  isFailed: boolean
  about: string
  onRetry: () => void
}) {
  if (!isFailed)
    return (
      <div aria-busy="true">
        <Skeleton height={160} />
        <span className="sr-only">Loading…</span>
      </div>
    )
  return (
    <p role="alert" className="flex flex-wrap items-center gap-3 text-body text-danger">
      These figures could not be loaded. <RetryLink about={about} onRetry={onRetry} />
    </p>
  )
}
