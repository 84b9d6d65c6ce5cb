import { countOf } from '#core/kernel/counted.ts'

/** What happens to automatic renewals when something is deactivated; null if there are none. */
export function renewingText(count: number, closed: 'it is removed' | 'it is deactivated'): string | null {
  if (count === 0) return null
  const subject = countOf(
    count,
    'subscription that renews automatically is',
    'subscriptions that renew automatically are',
  )
  return `${subject} not charged while ${closed}. A renewal that falls due in the meantime is charged if it is back within the grace period, and ends otherwise.`
}
