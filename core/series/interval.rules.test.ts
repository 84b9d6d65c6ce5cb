import { describe, expect, it } from 'vitest'
import { abTestResult, newcombe, wilson } from './interval.rules.ts'

const rounded = (interval: { low: number; high: number } | null) =>
  interval && [interval.low, interval.high].map((bound) => Math.round(bound * 10_000) / 10_000)

// The examples of R. G. Newcombe, Statistics in Medicine 17 (1998), pages 857 and 873.
describe('confidence intervals', () => {
  it.each([
    [{ hits: 81, of: 263 }, [0.2553, 0.3662]],
    [{ hits: 15, of: 148 }, [0.0624, 0.1605]],
    [{ hits: 0, of: 20 }, [0, 0.1611]],
    [{ hits: 1, of: 29 }, [0.0061, 0.1718]],
  ])('of one share %o', (share, bounds) => {
    expect(rounded(wilson(share))).toEqual(bounds)
  })

  it.each([
    [{ hits: 56, of: 70 }, { hits: 48, of: 80 }, [0.0524, 0.3339]],
    [{ hits: 9, of: 10 }, { hits: 3, of: 10 }, [0.1705, 0.809]],
    [{ hits: 0, of: 10 }, { hits: 0, of: 20 }, [-0.1611, 0.2775]],
    [{ hits: 10, of: 10 }, { hits: 0, of: 10 }, [0.6075, 1]],
  ])('of a difference %o and %o', (first, second, bounds) => {
    expect(rounded(newcombe(first, second))).toEqual(bounds)
  })

  it('are null when nobody got one of the two texts', () => {
    expect([wilson({ hits: 0, of: 0 }), newcombe({ hits: 1, of: 2 }, { hits: 0, of: 0 })]).toEqual([null, null])
  })
})

describe('a test of two texts', () => {
  it('names the better one only once the whole interval favours it', () => {
    expect(abTestResult({ hits: 56, of: 70 }, { hits: 48, of: 80 }).better).toBe('a')
    expect(abTestResult({ hits: 48, of: 80 }, { hits: 56, of: 70 }).better).toBe('b')
    expect(abTestResult({ hits: 6, of: 10 }, { hits: 4, of: 10 }).better).toBeNull()
  })
})
