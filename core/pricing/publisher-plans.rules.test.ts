import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  maxTitles,
  monthlyTotal,
  planByKey,
  planFor,
  planKinds,
  priceTypeOf,
  publisherPlans,
} from './publisher-plans.rules.ts'

const anyPlan = fc.constantFrom(...publisherPlans)

describe('publisher plans', () => {
  it.each([
    ['standard', 1, 6500, 6500, 7800],
    ['standard', 2, 4500, 9000, 10_800],
    ['standard', 5, 4500, 22_500, 27_000],
    ['standard', 6, 3500, 21_000, 25_200],
    ['standard', 10, 3500, 35_000, 42_000],
    ['plus', 1, 19_500, 19_500, 23_400],
    ['plus', 2, 14_000, 28_000, 33_600],
    ['plus', 5, 14_000, 70_000, 84_000],
    ['plus', 6, 11_500, 69_000, 82_800],
    ['plus', 10, 11_500, 115_000, 138_000],
  ] as const)('%s for %i titles: %i each, %i a month, %i with VAT', (kind, titles, each, month, withVat) => {
    const plan = planFor(titles, kind)
    expect([plan?.pricePerTitle, plan?.price, plan?.pricePlusVat]).toEqual([each, month, withVat])
    expect(plan && [monthlyTotal(plan, 'TAXFREE'), monthlyTotal(plan, 'VAT')]).toEqual([month, withVat])
  })

  it('end at ten titles: more are on request', () => {
    for (const titles of [0, 11, -1, 1.5]) expect(planFor(titles, 'standard')).toBeUndefined()
    for (const key of ['standard-11', 'standard-0', 'standard', 'gold-1', '']) expect(planByKey(key)).toBeUndefined()
  })

  it('are on the slider once for each number of titles, the standard plans first', () => {
    expect(publisherPlans.map(({ kind, order }) => [kind, order])).toEqual(
      planKinds.flatMap((kind) => Array.from({ length: maxTitles }, (_, order) => [kind, order])),
    )
  })

  it('are found by their keys, cost a fifth more with VAT, and cost the sum of their titles', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        expect(planByKey(plan.key)).toBe(plan)
        expect(plan.price).toBe(plan.pricePerTitle * plan.titles)
        expect(plan.pricePlusVat * 5).toBe(plan.price * 6)
        expect(plan.order).toBe(plan.titles - 1)
      }),
    )
  })

  it('never cost more per title when they are larger, and cost more as Plus than as Standard', () => {
    for (let titles = 2; titles <= maxTitles; titles++) {
      for (const kind of planKinds)
        expect(planFor(titles, kind)?.pricePerTitle).toBeLessThanOrEqual(planFor(titles - 1, kind)?.pricePerTitle ?? 0)
      expect(planFor(titles, 'plus')?.price).toBeGreaterThan(planFor(titles, 'standard')?.price ?? Infinity)
    }
  })
})

describe('a coupon', () => {
  it.each([
    ['standard-1', 'VAT', 20, 6240],
    ['standard-1', 'TAXFREE', 12.5, 5687],
    ['standard-1', 'TAXFREE', 33.33, 4334],
    ['standard-3', 'VAT', 99, 162],
    ['plus-10', 'VAT', 100, 0],
    ['plus-10', 'VAT', 0, 138_000],
  ] as const)('on %s, %s, of %d %% leaves %i', (key, priceType, percent, left) => {
    const plan = planByKey(key)
    expect(plan && monthlyTotal(plan, priceType, percent)).toBe(left)
  })

  it('never takes off more than the price, never adds, and a larger discount never costs more', () => {
    const percent = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100)
    fc.assert(
      fc.property(anyPlan, percent, percent, (plan, onePercent, otherPercent) => {
        const [lowerPercent, higherPercent] =
          onePercent < otherPercent ? [onePercent, otherPercent] : [otherPercent, onePercent]
        const totalAtLower = monthlyTotal(plan, 'VAT', lowerPercent)
        const totalAtHigher = monthlyTotal(plan, 'VAT', higherPercent)
        expect(Number.isInteger(totalAtHigher)).toBe(true)
        expect(totalAtHigher).toBeGreaterThanOrEqual(0)
        expect(totalAtLower).toBeGreaterThanOrEqual(totalAtHigher)
        expect(totalAtLower).toBeLessThanOrEqual(plan.pricePlusVat)
        expect(Math.abs(plan.pricePlusVat * (100 - higherPercent) - totalAtHigher * 100)).toBeLessThanOrEqual(50.0001)
      }),
    )
  })
})

it('VAT is charged only in the United Kingdom', () => {
  expect([priceTypeOf('GB'), priceTypeOf('gb'), priceTypeOf('IE'), priceTypeOf('IM'), priceTypeOf('')]).toEqual([
    'VAT',
    'VAT',
    'TAXFREE',
    'TAXFREE',
    'TAXFREE',
  ])
})
