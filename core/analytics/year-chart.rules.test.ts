import { describe, expect, it } from 'vitest'
import { axisLabel, axisStep, monthState } from './year-chart.rules.ts'

describe('the year chart', () => {
  it('uses the specified steps, and at most twelve lines above zero', () => {
    expect([0, 99, 100, 999, 1_000, 19_999, 20_000, 199_999, 200_000].map(axisStep)).toEqual([
      10, 10, 100, 100, 1_000, 2_000, 10_000, 20_000, 100_000,
    ])
    for (let largest = 0; largest < 50_000_000; largest = Math.ceil(largest * 1.07) + 1) {
      expect(Math.ceil(largest / axisStep(largest)) + 1).toBeLessThanOrEqual(13)
    }
  })

  it('knows which months are over', () => {
    const states = (year: number) => [10, 11, 12].map((month) => monthState(year, month, '2026-11-21'))
    expect(states(2026)).toEqual(['over', 'running', 'ahead'])
    expect(states(2025)).toEqual(['over', 'over', 'over'])
    expect(states(2027)).toEqual(['ahead', 'ahead', 'ahead'])
  })

  it('writes short labels', () => {
    expect([0, 950, 1_500, 20_000, 2_000_000].map(axisLabel)).toEqual(['0', '950', '1.5k', '20k', '2m'])
  })
})
