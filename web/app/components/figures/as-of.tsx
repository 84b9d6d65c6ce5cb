import { useSearchParams } from '@remix-run/react'
import type { LoadedFigures } from '#web/app/http/figure-parts.ts'
import { Moment } from '../ui/formats.tsx'
import { withParams } from '../ui/link-params.ts'

/** When the figures on a page were computed: the earliest time among the loaded parts. */
export function AsOf({ parts, timeZone }: { parts: readonly { at: Date | null }[]; timeZone: string }) {
  const times = parts.flatMap(({ at }) => (at ? [at] : [])).sort((a, b) => a.getTime() - b.getTime())
  const [oldest] = times
  return oldest ? (
    <>
      As of <Moment at={oldest} timeZone={timeZone} />
    </>
  ) : null
}

/** Without JavaScript, a link to a page that waits for all of its figures. */
export function SlowFiguresNotice({ parts }: { parts: readonly LoadedFigures<unknown>[] }) {
  const [params] = useSearchParams()
  if (!parts.some(({ state }) => state === 'pending')) return null
  return (
    <noscript>
      <p className="mb-4 text-body">
        <a className="link" href={withParams(params, { wait: 1 })}>
          Show all figures
        </a>{' '}
        (this takes a moment with many readers and orders).
      </p>
    </noscript>
  )
}
