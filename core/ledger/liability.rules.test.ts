import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, addMonths } from '../kernel/dates.ts'
import { elapsedMonths, fulfilledAndLiability } from './liability.rules.ts'

describe('elapsed months', () => {
  it.each([
    ['2026-01-15', 12, '2026-01-14', 0],
    ['2026-01-15', 12, '2026-02-14', 0],
    ['2026-01-15', 12, '2026-02-15', 1],
    ['2026-01-15', 12, '2027-01-15', 12],
    ['2026-01-15', 12, '2031-01-15', 12],
    ['2026-01-31', 12, '2026-02-27', 0],
    ['2026-01-31', 12, '2026-02-28', 1],
    ['2026-01-31', 12, '2026-03-30', 1],
    ['2026-01-31', 12, '2026-03-31', 2],
    ['2024-02-29', 12, '2025-02-28', 12],
  ])('from %s for %i months, on %s: %i', (start, term, today, months) =>
    expect(elapsedMonths(start, term, today)).toBe(months),
  )
})

describe('fulfilled and liability', () => {
  it('earns whole pence by the month and the rest with the last one', () => {
    const earning = { amount: 2999, serviceStartOn: '2026-01-01', serviceEndOn: '2027-01-01', termMonths: 12 }
    expect(fulfilledAndLiability(earning, '2025-12-31')).toEqual({ fulfilled: 0, liability: 2999 })
    expect(fulfilledAndLiability(earning, '2026-02-01')).toEqual({ fulfilled: 249, liability: 2750 })
    expect(fulfilledAndLiability(earning, '2026-12-31')).toEqual({ fulfilled: 2739, liability: 260 })
    expect(fulfilledAndLiability(earning, '2027-01-01')).toEqual({ fulfilled: 2999, liability: 0 })
  })

  it('owes nothing for what has no term', () => {
    expect(
      fulfilledAndLiability({ amount: 650, serviceStartOn: null, serviceEndOn: null, termMonths: null }, '2026-01-01'),
    ).toEqual({
      fulfilled: 650,
      liability: 0,
    })
  })

  it('adds up to the penny at every date, never falls, and ends at nothing owed', () => {
    const start = fc.integer({ min: 0, max: 4000 }).map((days) => addDays('2020-01-01', days))
    fc.assert(
      fc.property(
        fc.nat(500_000),
        start,
        fc.constantFrom(1, 3, 6, 12),
        fc.nat(450),
        (amount, serviceStartOn, termMonths, day) => {
          const today = addDays(serviceStartOn, day)
          const serviceEndOn = addMonths(serviceStartOn, termMonths)
          const earning = { amount, serviceStartOn, serviceEndOn, termMonths }
          const now = fulfilledAndLiability(earning, today)
          const next = fulfilledAndLiability(earning, addDays(today, 1))
          expect(now.fulfilled + now.liability).toBe(amount)
          expect(now.liability).toBeGreaterThanOrEqual(0)
          expect(next.fulfilled).toBeGreaterThanOrEqual(now.fulfilled)
          expect(fulfilledAndLiability(earning, serviceEndOn).liability).toBe(0)
        },
      ),
    )
  })

  it('owes nothing after the last day of a term that follows a short month’s end', () => {
    // From 30 January on: the month after 28 February runs from 1 to 30 March.
    const earning = { amount: 300, serviceStartOn: '2026-03-01', serviceEndOn: '2026-03-30', termMonths: 1 }
    expect(fulfilledAndLiability(earning, '2026-03-30').liability).toBe(300)
    expect(fulfilledAndLiability(earning, '2026-03-31').liability).toBe(0)
  })
})
