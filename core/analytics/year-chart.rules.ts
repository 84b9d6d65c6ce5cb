import type { Day } from '../kernel/dates.ts'

export const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** Whether a month (counted from 1) is over, current or still ahead: a month ahead has no bar, instead of a zero. */
export function monthState(year: number, month: number, today: Day): 'over' | 'running' | 'ahead' {
  const yearMonth = `${year}-${String(month).padStart(2, '0')}`
  const running = today.slice(0, 7)
  return yearMonth < running ? 'over' : yearMonth === running ? 'running' : 'ahead'
}

/**
 * The distance between the chart's axis lines, from the largest value: the steps of the specification, then steps of 1, 2 and 5, at most 12 lines.
 */
export function axisStep(largest: number): number {
  if (largest < 100) return 10
  if (largest < 1_000) return 100
  if (largest < 20_000) return largest < 12_000 ? 1_000 : 2_000
  if (largest < 120_000) return 10_000
  if (largest < 200_000) return 20_000
  let step = 100_000
  for (let index = 0; largest / step > 11; index++) step *= index % 3 === 1 ? 2.5 : 2
  return step
}

/** A value as an axis label: 1,500 as 1.5k, 2,000,000 as 2m. */
export function axisLabel(value: number): string {
  if (value >= 1_000_000) return `${trim(value / 1_000_000)}m`
  return value >= 1_000 ? `${trim(value / 1_000)}k` : String(value)
}

function trim(value: number): string {
  return String(Math.round(value * 10) / 10)
}
