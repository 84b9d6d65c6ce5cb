import { useFetcher } from '@remix-run/react'
import { type ReactNode, useEffect } from 'react'
import type { WarningCounts } from '#core/warnings/count-warnings.query.ts'
import { duplicateLists, warnings } from '#core/warnings/warnings.rules.ts'
import { LinkButton } from '../ui/button.tsx'
import { DownloadLink } from '../ui/download-window.tsx'
import { CountCard } from './count-card.tsx'

interface WarningCardsProps {
  publication: { id: number; publicationName: string }
  /** Null when the page did not wait for them. */
  counts: WarningCounts | null
  view: string | undefined
  /** The card of likely duplicates. */
  likely: ReactNode
}

const smallButton =
  'inline-flex min-h-8 items-center rounded-input border border-control bg-surface px-3 py-1 text-table font-medium text-ink no-underline hover:bg-subtle'

/** The cards of warnings and of duplicates. Counts that a page did not wait for, and those that failed, are fetched here. */
export function WarningCards({ publication: { id, publicationName }, counts, view, likely }: WarningCardsProps) {
  const fetcher = useFetcher<{ publicationId: number; counts: WarningCounts | null }>()
  const { load, state, data } = fetcher
  const address = `/managedata/counts/${id}`
  const isMissing = counts === null
  useEffect(() => {
    if (isMissing) load(address)
  }, [isMissing, load, address])
  const answer = data?.publicationId === id ? data : null
  const countOf = (key: keyof WarningCounts) => {
    const known = counts?.[key] ?? answer?.counts?.[key]
    if (typeof known === 'number') return known
    return state !== 'idle' || (isMissing && !answer) ? undefined : null
  }
  const to = (key: string) => `/managedata?publication=${id}&view=${key}#list`
  const retry = () => load(address)
  return (
    <>
      {isMissing && (
        <noscript>
          <p className="mb-4 text-body">
            <a className="link" href={`/managedata?publication=${id}&counts=wait${view ? `&view=${view}` : ''}`}>
              Count now
            </a>{' '}
            (a large publication takes a moment).
          </p>
        </noscript>
      )}
      <section aria-labelledby="data-warnings" className="mb-8">
        <h2 id="data-warnings" className="mb-3 text-h3">
          Data Warnings
        </h2>
        <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
          {warnings.map(({ key, label, note, file, fix }) => (
            <CountCard
              key={key}
              label={label}
              note={note}
              to={to(key)}
              count={countOf(key)}
              isShown={view === key}
              onRetry={retry}
            >
              {fix && (
                <LinkButton
                  to={`/managedata?publication=${id}&view=${key}&fix=${fix}#list`}
                  size="small"
                  preventScrollReset
                >
                  Auto Fix<span className="sr-only">{` ${label}`}</span>
                </LinkButton>
              )}
              {file && (
                <DownloadLink
                  href={`/readers/${id}/warnings/${key}`}
                  windowTitle={`Downloading ${label}`}
                  about={publicationName}
                  label={`Export ${label}`}
                  className={smallButton}
                >
                  Export
                </DownloadLink>
              )}
            </CountCard>
          ))}
        </div>
      </section>
      <section aria-labelledby="duplicates" className="mb-8">
        <h2 id="duplicates" className="mb-3 text-h3">
          Duplicates
        </h2>
        <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
          {duplicateLists.map(({ key, label, note }) => (
            <CountCard
              key={key}
              label={label}
              note={note}
              to={to(key)}
              count={countOf(key)}
              isShown={view === key}
              onRetry={retry}
            />
          ))}
          {likely}
        </div>
      </section>
    </>
  )
}
