/** A share: `hits` out of `total`, such as the readers who renewed out of those who got an email. */
export interface Share {
  hits: number
  total: number
}

/** The bounds of a 95% confidence interval, as shares from 0 to 1 (differences from -1 to 1). */
export interface Interval {
  low: number
  high: number
}

/** The 97.5% point of the normal distribution. */
const z = 1.959963984540054

/** The Wilson interval of a share, which is also valid for small numbers and for shares near 0 and 1. Null if the total is zero. */
export function wilson({ hits, total }: Share): Interval | null {
  if (total === 0) return null
  const p = hits / total
  const centre = p + (z * z) / (2 * total)
  const halfWidth = z * Math.sqrt((p * (1 - p)) / total + (z * z) / (4 * total * total))
  const scale = 1 + (z * z) / total
  return { low: Math.max(0, (centre - halfWidth) / scale), high: Math.min(1, (centre + halfWidth) / scale) }
}

/** The Newcombe interval of the difference between two shares, the first minus the second, computed from their Wilson intervals. */
export function newcombe(first: Share, second: Share): Interval | null {
  const firstInterval = wilson(first)
  const secondInterval = wilson(second)
  if (!firstInterval || !secondInterval) return null
  const p = first.hits / first.total
  const q = second.hits / second.total
  return {
    low: p - q - Math.hypot(p - firstInterval.low, secondInterval.high - q),
    high: p - q + Math.hypot(firstInterval.high - p, q - secondInterval.low),
  }
}

/** The result of a test of two texts: which one is better; null if the difference is not significant yet. */
export function abTestResult(a: Share, b: Share): { difference: Interval | null; better: 'a' | 'b' | null } {
  const difference = newcombe(a, b)
  if (!difference) return { difference, better: null }
  return { difference, better: difference.low > 0 ? 'a' : difference.high < 0 ? 'b' : null }
}
