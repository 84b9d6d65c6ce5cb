import { type ReactNode, useId } from 'react'
import { formatCount } from '#core/kernel/counted.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

interface CountCardProps {
  label: string
  note: string
  /** Where the list is. */
  to: string
  /** Undefined while it is counted, null when that failed. */
  count: number | null | undefined
  isShown: boolean
  onRetry: () => void
  /** What else can be done with the list while there is something in it. */
  children?: ReactNode
}

/** How many readers are in a list, with the way to it. */
export function CountCard({ label, note, to, count, isShown, onRetry, children }: CountCardProps) {
  const heading = useId()
  return (
    <section aria-labelledby={heading} className={`card flex flex-col gap-2 p-4 ${isShown ? 'border-primary!' : ''}`}>
      <h3 id={heading} className="text-body font-semibold">
        {label}
      </h3>
      <div className="numeric flex min-h-8 items-center text-h2 font-semibold" aria-busy={count === undefined}>
        {count === undefined ? (
          <span className="w-20">
            <Skeleton height={28} />
            <span className="sr-only">Counting…</span>
          </span>
        ) : count === null ? (
          <span className="flex items-center gap-3 text-table font-normal text-danger">
            Not counted
            <Button size="small" onClick={onRetry}>
              Retry<span className="sr-only">{` ${label}`}</span>
            </Button>
          </span>
        ) : (
          formatCount(count)
        )}
      </div>
      <p className="grow text-table text-ink-2">{note}</p>
      <div className="flex flex-wrap gap-2">
        {count === 0 ? (
          <Button size="small" isDisabled>
            View<span className="sr-only">{` ${label}: there are none`}</span>
          </Button>
        ) : (
          <LinkButton to={to} size="small" preventScrollReset aria-current={isShown ? 'true' : undefined}>
            View<span className="sr-only">{` ${label}`}</span>
          </LinkButton>
        )}
        {count !== 0 && children}
      </div>
    </section>
  )
}
