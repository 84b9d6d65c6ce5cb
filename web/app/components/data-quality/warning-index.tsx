import { Link, useFetcher } from '@remix-run/react'
import { type ReactNode, useEffect } from 'react'
import { formatDay } from '#core/kernel/dates.ts'
import { formatCount } from '#core/kernel/text-format.ts'
import type { WarningCounts } from '#core/warnings/count-warnings.query.ts'
import type { DataHealth } from '#core/warnings/data-health.query.ts'
import { duplicateLists, warnings } from '#core/warnings/warnings.rules.ts'
import { Button } from '../ui/button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

interface WarningIndexProps {
  publication: { id: number }
  /** Null when the page was sent before the lists were counted. */
  counts: WarningCounts | null
  view: string | undefined
  /** The number of groups of likely duplicates; null before the first search. */
  likely: { groups: number | null; isSearching: boolean } | null
  /** The counts a week ago; null for lists that were not counted then. */
  lastWeek: DataHealth['lastWeek']
}

/** Undefined while it is being counted, null if that failed. */
type Count = number | null | undefined

/** The lists of warnings and duplicates with their counts, the largest first. Missing and failed counts are fetched here. */
export function WarningIndex({ publication: { id }, counts, view, likely, lastWeek }: WarningIndexProps) {
  const fetcher = useFetcher<{ publicationId: number; counts: WarningCounts | null }>()
  const { load, state, data } = fetcher
  const countsUrl = `/managedata/counts/${id}`
  const isMissing = counts === null
  useEffect(() => {
    if (isMissing) load(countsUrl)
  }, [isMissing, load, countsUrl])
  const fetched = data?.publicationId === id ? data : null
  const countFor = (key: keyof WarningCounts): Count => {
    const count = counts?.[key] ?? fetched?.counts?.[key]
    if (typeof count === 'number') return count
    return state !== 'idle' || (isMissing && !fetched) ? undefined : null
  }
  const rows = byCount([
    ...[...warnings, ...duplicateLists].map(({ key, label }) => ({
      count: countFor(key),
      row: (
        <IndexRow
          key={key}
          label={label}
          isDuplicates={duplicateLists.some((list) => list.key === key)}
          count={countFor(key)}
          before={lastWeek?.lists[key]}
          to={`/managedata?publication=${id}&view=${key}#list`}
          isShown={view === key}
          onRetry={() => load(countsUrl)}
        />
      ),
    })),
    ...(likely ? [{ count: likely.groups, row: <LikelyRow key="likely" publicationId={id} {...likely} /> }] : []),
  ])
  return (
    <div className="grid gap-5">
      {isMissing && (
        <noscript>
          <p className="text-body">
            <a className="link" href={`/managedata?publication=${id}&counts=wait${view ? `&view=${view}` : ''}`}>
              Count now
            </a>{' '}
            (a large publication takes a moment).
          </p>
        </noscript>
      )}
      {lastWeek && (
        <p className="text-caption text-muted">{`Small figures show the change since ${formatDay(lastWeek.on)}.`}</p>
      )}
      <section aria-labelledby="data-warnings">
        <h2 id="data-warnings" className="mb-2 text-body font-semibold">
          Data Warnings
        </h2>
        <ul className="card divide-y divide-line overflow-hidden">{rows}</ul>
      </section>
    </div>
  )
}

/** The largest list first; those without a count at the end, in the order of the table. */
function byCount(rows: readonly { count: Count; row: ReactNode }[]): ReactNode[] {
  return [...rows].sort((a, b) => (b.count ?? -1) - (a.count ?? -1)).map(({ row }) => row)
}

interface IndexRowProps {
  label: string
  /** Whether it lists groups of readers with the same values; the count is then the number of groups. */
  isDuplicates: boolean
  count: Count
  /** The count a week ago. */
  before: number | undefined
  to: string
  isShown: boolean
  onRetry: () => void
}

const rowClass = 'flex min-h-10 items-center justify-between gap-3 px-3 py-1.5 text-table max-lg:min-h-11'

/** A list with its count, linked unless it is empty. */
function IndexRow({ label, isDuplicates, count, before, to, isShown, onRetry }: IndexRowProps) {
  const name = (
    <>
      {isDuplicates && <span className="font-normal text-muted">Duplicates: </span>}
      {label}
    </>
  )
  if (count === 0) {
    return (
      <li className={`${rowClass} text-muted`}>
        <span>{name}</span>
        <span className="numeric">
          <Change count={0} before={before} />0
        </span>
      </li>
    )
  }
  return (
    <li className="relative">
      <Link
        to={to}
        preventScrollReset
        aria-current={isShown ? 'true' : undefined}
        className={`${rowClass} no-underline ${isShown ? 'bg-primary-soft font-semibold text-primary' : 'text-ink hover:bg-subtle'} ${count === null ? 'pr-24' : ''}`}
      >
        <span>
          <span className="sr-only">View </span>
          {name}
        </span>
        {count === undefined ? (
          <span className="w-10" aria-busy>
            <Skeleton height={18} />
            <span className="sr-only">Counting…</span>
          </span>
        ) : (
          <span className="numeric font-semibold">
            {count !== null && <Change count={count} before={before} />}
            {count === null ? 'Not counted' : formatCount(count)}
          </span>
        )}
      </Link>
      {count === null && (
        <span className="absolute inset-y-0 right-2 flex items-center">
          <Button size="small" onClick={onRetry}>
            Retry<span className="sr-only">{` ${label}`}</span>
          </Button>
        </span>
      )}
    </li>
  )
}

/** An increase is highlighted, because it is new work. */
function Change({ count, before }: { count: number; before: number | undefined }) {
  if (before === undefined || before === count) return null
  const difference = count - before
  return (
    <span className={`mr-2 text-caption font-normal ${difference > 0 ? 'text-warning' : 'text-muted'}`}>
      {difference > 0 ? `+${formatCount(difference)}` : `−${formatCount(-difference)}`}
      <span className="sr-only"> since last week, now </span>
    </span>
  )
}

/** Likely duplicates have their own page. */
function LikelyRow({
  publicationId,
  groups,
  isSearching,
}: {
  publicationId: number
  groups: number | null
  isSearching: boolean
}) {
  return (
    <li>
      <Link to={`/managedata/likely/${publicationId}`} className={`${rowClass} text-ink no-underline hover:bg-subtle`}>
        Likely duplicates
        <span className="numeric font-semibold">
          {isSearching ? 'Searching…' : groups === null ? 'Search' : formatCount(groups)}
        </span>
      </Link>
    </li>
  )
}
