/** A share of a number, such as how many of those who got an email have renewed. */
export interface Share {
  hits: number
  of: number
}

/** The bounds of a 95% confidence interval, as shares from 0 to 1 (differences from -1 to 1). */
export interface Interval {
  low: number
  high: number
}

/** The 97.5% point of the normal distribution. */
const z = 1.959963984540054

/** Wilson's interval of a share: valid also for small numbers and for shares near 0 and 1. Null if the number is zero. */
export function wilson({ hits, of }: Share): Interval | null {
  if (of === 0) return null
  const p = hits / of
  const centre = p + (z * z) / (2 * of)
  const half = z * Math.sqrt((p * (1 - p)) / of + (z * z) / (4 * of * of))
  const whole = 1 + (z * z) / of
  return { low: Math.max(0, (centre - half) / whole), high: Math.min(1, (centre + half) / whole) }
}

/** Newcombe's interval of the difference of two shares, the first minus the second, computed from their Wilson intervals. */
export function newcombe(first: Share, second: Share): Interval | null {
  const [one, other] = [wilson(first), wilson(second)]
  if (!one || !other) return null
  const [p, q] = [first.hits / first.of, second.hits / second.of]
  return {
    low: p - q - Math.hypot(p - one.low, other.high - q),
    high: p - q + Math.hypot(one.high - p, q - other.low),
  }
}

/** What a test of two texts shows: which one is better, or that it is not significant yet. */
export function abTestResult(a: Share, b: Share): { difference: Interval | null; better: 'a' | 'b' | null } {
  const difference = newcombe(a, b)
  if (!difference) return { difference, better: null }
  return { difference, better: difference.low > 0 ? 'a' : difference.high < 0 ? 'b' : null }
}
