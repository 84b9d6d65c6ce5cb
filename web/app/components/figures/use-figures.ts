import { useFetcher } from '@remix-run/react'
import { useCallback, useEffect } from 'react'
import type { LoadedFigures } from '#web/app/http/figure-parts.ts'
import { withParams } from '../ui/link-params.ts'

export interface ShownFigures<Figures> {
  /** Undefined while they are loading, null when they failed. */
  figures: Figures | null | undefined
  /** When the figures were computed. */
  at: Date | null
  retry: () => void
}

/** The figures of one part as loaded with the page; missing ones are fetched, and failed ones can be retried. */
export function useFigures<Figures>(
  part: string,
  loaded: LoadedFigures<Figures>,
  params: URLSearchParams,
): ShownFigures<Figures> {
  const url = `/dashboard/figures${withParams(params, { part, wait: null })}`
  const fetcher = useFetcher({ key: url })
  const { load, state } = fetcher
  const isPending = loaded.state === 'pending'
  const retry = useCallback(() => load(url), [load, url])
  useEffect(() => {
    if (isPending) retry()
  }, [isPending, retry])
  const fetched = fetcher.data as LoadedFigures<Figures> | undefined
  const latest = [loaded, fetched].filter((response) => response?.state === 'loaded').at(-1)
  const isLoading = state !== 'idle' || (isPending && !fetched)
  return { figures: latest?.figures ?? (isLoading ? undefined : null), at: latest?.at ?? null, retry }
}
