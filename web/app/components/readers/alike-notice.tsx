import { useEffect, useRef } from 'react'
import type { AlikeReader } from '#core/readers/find-alike.ts'
import { Badge } from '../ui/badge.tsx'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'

interface AlikeNoticeProps {
  alike: readonly AlikeReader[]
  /** The form was sent and has stopped for it: it can be sent all the same. */
  isStop: boolean
  isPending: boolean
}

/** Who looks like the reader that is being typed in, with why and how sure. */
export function AlikeNotice({ alike, isStop, isPending }: AlikeNoticeProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isStop) box.current?.focus()
  }, [isStop])
  return (
    <div
      ref={box}
      role={isStop ? undefined : 'status'}
      tabIndex={isStop ? -1 : undefined}
      className="scroll-mt-20 outline-offset-2 focus:outline-2 focus:outline-warning"
    >
      {alike.length > 0 && (
        <Banner
          tone="warning"
          isAlert={isStop}
          title={
            alike.length === 1
              ? 'This looks like a reader you already have'
              : 'This looks like readers you already have'
          }
        >
          <ul className="mt-2 divide-y divide-line">
            {alike.map((reader) => (
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
                    {sureness(reader.confidence)}: {reader.reasons.join(', ')}
                  </p>
                </div>
                <a href={`/editreader/${reader.id}`} target="_blank" rel="noreferrer" className="link font-medium">
                  Open<span className="sr-only"> {reader.name || reader.companyName} in a new tab</span>
                </a>
              </li>
            ))}
          </ul>
          {isStop && (
            <Button type="submit" name="anyway" value="1" isPending={isPending} className="mt-2">
              Add anyway
            </Button>
          )}
        </Banner>
      )}
    </div>
  )
}

function sureness(confidence: number): string {
  const percent = `${Math.round(confidence * 100)} %`
  if (confidence >= 0.95) return `Almost certainly the same (${percent})`
  return confidence >= 0.5 ? `Probably the same (${percent})` : 'Perhaps the same'
}
