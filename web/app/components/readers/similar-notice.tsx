import { useEffect, useRef } from 'react'
import type { SimilarReader } from '#core/readers/find-similar.ts'
import { Badge } from '../ui/badge.tsx'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'

interface SimilarNoticeProps {
  similar: readonly SimilarReader[]
  /** Whether the form was refused because of these readers; it can be submitted again. */
  isBlocking: boolean
  isPending: boolean
}

/** Existing readers similar to the one being typed, with the reason and confidence. */
export function SimilarNotice({ similar, isBlocking, isPending }: SimilarNoticeProps) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isBlocking) notice.current?.focus()
  }, [isBlocking])
  return (
    <div
      ref={notice}
      role={isBlocking ? undefined : 'status'}
      tabIndex={isBlocking ? -1 : undefined}
      className="scroll-mt-20 outline-offset-2 focus:outline-2 focus:outline-warning"
    >
      {similar.length > 0 && (
        <Banner
          tone="warning"
          isAlert={isBlocking}
          title={
            similar.length === 1
              ? 'This looks like a reader you already have'
              : 'This looks like readers you already have'
          }
        >
          <ul className="mt-2 divide-y divide-line">
            {similar.map((reader) => (
              <li key={reader.id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1 py-2">
                <div className="min-w-0">
                  <p className="wrap-anywhere">
                    <span className="font-medium">{reader.name || reader.companyName || reader.email}</span>{' '}
                    {reader.isDeleted && <Badge>Deactivated</Badge>}
                  </p>
                  <p className="text-table wrap-anywhere text-ink-2">
                    {[reader.companyName, reader.email, reader.postCode, reader.uniqueReference]
                      .filter(Boolean)
                      .join(', ')}
                  </p>
                  <p className="text-table text-ink-2">
                    {confidenceText(reader.confidence)}: {reader.reasons.join(', ')}
                  </p>
                </div>
                <a href={`/editreader/${reader.id}`} target="_blank" rel="noreferrer" className="link font-medium">
                  Open<span className="sr-only"> {reader.name || reader.companyName} in a new tab</span>
                </a>
              </li>
            ))}
          </ul>
          {isBlocking && (
            <Button type="submit" name="anyway" value="1" isPending={isPending} className="mt-2">
              Add anyway
            </Button>
          )}
        </Banner>
      )}
    </div>
  )
}

function confidenceText(confidence: number): string {
  const percent = `${Math.round(confidence * 100)}%`
  if (confidence >= 0.95) return `Almost certainly the same (${percent})`
  return confidence >= 0.5 ? `Probably the same (${percent})` : 'Possibly the same'
}
