import { type Day, openEnd, openStart } from '#core/kernel/dates.ts'
import { DayText } from './formats.tsx'

interface SubscriptionBarProps {
  startOn: Day
  endOn: Day
  today: Day
}

/** A term as a progress bar from its first to its last day. Open-ended terms have none, because they have no total. */
export function SubscriptionBar({ startOn, endOn, today }: SubscriptionBarProps) {
  if (startOn === openStart || endOn === openEnd) return null
  const timeOf = (day: Day) => Date.parse(`${day}T00:00:00Z`)
  // The last day counts.
  const total = timeOf(endOn) - timeOf(startOn) + 86_400_000
  const share = total <= 0 ? 1 : Math.min(1, Math.max(0, (timeOf(today) - timeOf(startOn)) / total))
  return (
    <div className="mb-4">
      <div
        role="img"
        aria-label={`${Math.round(share * 100)}% of the term is over`}
        className="h-2 overflow-hidden rounded-full bg-subtle"
      >
        <div style={{ width: `${share * 100}%` }} className={`h-full ${share >= 1 ? 'bg-muted' : 'bg-primary'}`} />
      </div>
      <div className="mt-1 flex justify-between text-caption text-muted">
        <DayText day={startOn} />
        <DayText day={endOn} />
      </div>
    </div>
  )
}
