const dayMs = 86_400_000

/**
 * What a change of plan costs in the middle of a month, in pence: how much more the remaining days cost than before, negative if they
 * cost less. The day of the change counts as remaining.
 */
export function proratedChange({
  from,
  to,
  at,
  periodStart,
  periodEnd,
}: {
  from: number
  to: number
  at: Date
  periodStart: Date
  periodEnd: Date
}): number {
  const days = Math.max(1, Math.round((periodEnd.getTime() - periodStart.getTime()) / dayMs))
  const daysLeft = Math.min(days, Math.max(0, Math.ceil((periodEnd.getTime() - at.getTime()) / dayMs)))
  return Math.round(((to - from) * daysLeft) / days)
}
