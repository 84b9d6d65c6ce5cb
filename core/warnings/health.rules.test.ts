import { describe, expect, it } from 'vitest'
import { bestActions, type HealthCounts, healthScore } from './health.rules.ts'

const none = { noAddress: 0, noPostCode: 0, queried: 0, illFormed: 0, doubled: 0, expiring: 0 }
const counts = (more: Partial<HealthCounts>): HealthCounts => ({ mailed: 1000, ...none, ...more })

describe('the score of data health', () => {
  it.each([
    [{}, 100],
    [{ noPostCode: 1 }, 99],
    [{ noAddress: 100 }, 90],
    [{ doubled: 100 }, 90],
    [{ queried: 100 }, 90],
    [{ illFormed: 100 }, 95],
    [{ expiring: 100 }, 97],
    [{ noAddress: 100, doubled: 1000 }, 0],
    [{ mailed: 0 }, null],
  ] as [Partial<HealthCounts>, number | null][])('of %j is %s', (more, score) => {
    expect(healthScore(counts(more))).toBe(score)
  })

  it('names the three actions that raise it most, by points and not by readers', () => {
    const actions = bestActions(counts({ expiring: 100, noPostCode: 40, queried: 30, doubled: 3 }))
    expect(actions.map(({ part, points }) => [part, points])).toEqual([
      ['noPostCode', 4],
      ['queried', 3],
      ['expiring', 2.5],
    ])
    expect(bestActions(counts({}))).toEqual([])
  })
})
