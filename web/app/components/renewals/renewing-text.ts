import { countOf } from '#core/kernel/text-format.ts'

/** What happens to automatic renewals while a title or an account is removed or deactivated; null if there are none. */
export function renewingText(count: number, condition: 'it is removed' | 'it is deactivated'): string | null {
  if (count === 0) return null
  const subject = countOf(
    count,
    'subscription that renews automatically is',
    'subscriptions that renew automatically are',
  )
  return `${subject} not charged while ${condition}. Renewals that fall due in the meantime are charged if this is reversed within the grace period; otherwise they end.`
}
