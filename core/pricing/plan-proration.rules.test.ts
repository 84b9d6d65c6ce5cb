import fc from 'fast-check'
import { expect, it } from 'vitest'
import { proratedChange } from './plan-proration.rules.ts'

const month = { periodStart: new Date('2026-11-01T09:00:00Z'), periodEnd: new Date('2026-12-01T09:00:00Z') }

it.each([
  ['2026-11-01T09:00:00Z', 6000, 9000, 3000],
  ['2026-11-16T09:00:00Z', 6000, 9000, 1500],
  ['2026-11-16T10:00:00Z', 6000, 9000, 1500],
  ['2026-11-16T09:00:00Z', 9000, 6000, -1500],
  ['2026-11-30T23:00:00Z', 6000, 9000, 100],
  ['2026-12-01T09:00:00Z', 6000, 9000, 0],
  ['2027-01-01T09:00:00Z', 6000, 9000, 0],
])('at %s from %i to %i costs %i', (at, from, to, amount) => {
  expect(proratedChange({ ...month, at: new Date(at), from, to })).toBe(amount)
})

it('never costs more than the month’s difference, and nothing when there is none', () => {
  const price = fc.integer({ min: 0, max: 200_000 })
  const anyMoment = fc.date({ min: month.periodStart, max: month.periodEnd, noInvalidDate: true })
  fc.assert(
    fc.property(price, price, anyMoment, (from, to, at) => {
      const amount = proratedChange({ ...month, at, from, to })
      expect(Math.abs(amount)).toBeLessThanOrEqual(Math.abs(to - from))
      expect(amount === 0 || Math.sign(amount) === Math.sign(to - from)).toBe(true)
    }),
  )
})
