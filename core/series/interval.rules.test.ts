import { describe, expect, it } from 'vitest'
import { abTestResult, newcombe, wilson } from './interval.rules.ts'

const rounded = (interval: { low: number; high: number } | null) =>
  interval && [interval.low, interval.high].map((bound) => Math.round(bound * 10_000) / 10_000)

// The examples of R. G. Newcombe, Statistics in Medicine 17 (1998), pages 857 and 873.
describe('confidence intervals', () => {
  it.each([
    [{ hits: 81, total: 263 }, [0.2553, 0.3662]],
    [{ hits: 15, total: 148 }, [0.0624, 0.1605]],
    [{ hits: 0, total: 20 }, [0, 0.1611]],
    [{ hits: 1, total: 29 }, [0.0061, 0.1718]],
  ])('of one share %o', (share, bounds) => {
    expect(rounded(wilson(share))).toEqual(bounds)
  })

  it.each([
    [{ hits: 56, total: 70 }, { hits: 48, total: 80 }, [0.0524, 0.3339]],
    [{ hits: 9, total: 10 }, { hits: 3, total: 10 }, [0.1705, 0.809]],
    [{ hits: 0, total: 10 }, { hits: 0, total: 20 }, [-0.1611, 0.2775]],
    [{ hits: 10, total: 10 }, { hits: 0, total: 10 }, [0.6075, 1]],
  ])('of a difference %o and %o', (first, second, bounds) => {
    expect(rounded(newcombe(first, second))).toEqual(bounds)
  })

  it('are null when nobody got one of the two texts', () => {
    expect([wilson({ hits: 0, total: 0 }), newcombe({ hits: 1, total: 2 }, { hits: 0, total: 0 })]).toEqual([
      null,
      null,
    ])
  })
})

describe('a test of two texts', () => {
  it('names the better one only once the whole interval favours it', () => {
    expect(abTestResult({ hits: 56, total: 70 }, { hits: 48, total: 80 }).better).toBe('a')
    expect(abTestResult({ hits: 48, total: 80 }, { hits: 56, total: 70 }).better).toBe('b')
    expect(abTestResult({ hits: 6, total: 10 }, { hits: 4, total: 10 }).better).toBeNull()
  })
})
