import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, addMonths, dayOf } from '../kernel/calendar.ts'
import { elapsedMonths, fulfilledAndLiability } from './liability.rules.ts'

describe('elapsed months at the end of a day', () => {
  it.each([
    ['2026-01-15', 12, '2026-01-14', 0],
    ['2026-01-15', 12, '2026-02-13', 0],
    ['2026-01-15', 12, '2026-02-14', 1],
    ['2026-01-15', 12, '2027-01-14', 12],
    ['2026-01-15', 12, '2031-01-15', 12],
    ['2026-01-01', 12, '2026-01-31', 1],
    ['2026-01-30', 12, '2026-02-27', 1],
    ['2026-01-31', 12, '2026-02-26', 0],
    ['2026-01-31', 12, '2026-02-27', 1],
    ['2026-01-31', 12, '2026-03-29', 1],
    ['2026-01-31', 12, '2026-03-30', 2],
    ['2024-02-29', 12, '2025-02-27', 12],
    ['2024-01-31', 12, '2024-02-28', 1],
  ])('from %s for %i months, on %s: %i', (start, term, asOf, months) =>
    expect(elapsedMonths(start, term, asOf)).toBe(months),
  )
})

describe('fulfilled and liability', () => {
  const year = { amount: 2999, serviceStartOn: '2026-01-01', serviceEndOn: '2026-12-31', termMonths: 12 }

  it('earns whole pence by the month and the rest with the last one', () => {
    expect(fulfilledAndLiability(year, '2025-12-31')).toEqual({ fulfilled: 0, liability: 2999 })
    expect(fulfilledAndLiability(year, '2026-01-30')).toEqual({ fulfilled: 0, liability: 2999 })
    expect(fulfilledAndLiability(year, '2026-01-31')).toEqual({ fulfilled: 249, liability: 2750 })
    expect(fulfilledAndLiability(year, '2026-12-30')).toEqual({ fulfilled: 2739, liability: 260 })
  })

  it('owes nothing on 31 December of a term from January to December', () => {
    expect(fulfilledAndLiability(year, '2026-12-31')).toEqual({ fulfilled: 2999, liability: 0 })
    expect(fulfilledAndLiability({ ...year, serviceEndOn: '2027-01-01' }, '2026-12-31').liability).toBe(0)
  })

  it('earns the share of each month when given, and the rest with the last', () => {
    const refund = {
      amount: -2003,
      serviceStartOn: '2026-05-01',
      serviceEndOn: '2026-12-31',
      termMonths: 8,
      monthlyAmount: -249,
    }
    expect(fulfilledAndLiability(refund, '2026-05-31').fulfilled).toBe(-249)
    expect(fulfilledAndLiability(refund, '2026-12-30').fulfilled).toBe(-1743)
    expect(fulfilledAndLiability(refund, '2026-12-31').fulfilled).toBe(-2003)
  })

  it('counts months from their anchor day, even when the first is shorter', () => {
    const refund = {
      amount: -200,
      serviceStartOn: '2026-02-28',
      serviceEndOn: '2026-04-29',
      termMonths: 2,
      anchorDay: 31,
    }
    expect(fulfilledAndLiability(refund, '2026-03-29').fulfilled + 0).toBe(0)
    expect(fulfilledAndLiability(refund, '2026-03-30').fulfilled).toBe(-100)
  })

  it.each([
    ['no term', { amount: 650, serviceStartOn: null, serviceEndOn: null, termMonths: null }],
    ['a term of no months', { ...year, amount: 650, termMonths: 0 }],
    ['an end before its start, once that is over', { ...year, amount: 650, serviceEndOn: '2025-06-01' }],
    [
      'no last day, once its months are over',
      { ...year, amount: 650, serviceStartOn: '2020-01-01', serviceEndOn: null },
    ],
  ])('owes nothing for what has %s', (_, earning) => {
    expect(fulfilledAndLiability(earning, '2026-01-01')).toEqual({ fulfilled: 650, liability: 0 })
  })

  it.each(['2026-03-29', '2026-10-25'])(
    'counts the day to its end on the night of %s, when the clocks change',
    (day) => {
      const end = new Date(`${day}T22:59:59Z`)
      const asOf = dayOf(end, 'Europe/London')
      const month = { amount: 300, serviceStartOn: addDays(addMonths(day, -1), 1), serviceEndOn: day, termMonths: 1 }
      expect(asOf).toBe(day)
      expect(fulfilledAndLiability(month, asOf).liability).toBe(0)
      expect(fulfilledAndLiability(month, addDays(asOf, -1)).liability).toBe(300)
    },
  )

  it('adds up to the penny at every date, never falls, and ends with nothing owed', () => {
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
          expect(fulfilledAndLiability(earning, addDays(serviceEndOn, -1)).liability).toBe(0)
        },
      ),
    )
  })

  it('owes nothing after the last day of a term that follows a short month’s end', () => {
    // From 30 January on: the month after 28 February runs from 1 to 30 March.
    const earning = { amount: 300, serviceStartOn: '2026-03-01', serviceEndOn: '2026-03-30', termMonths: 1 }
    expect(fulfilledAndLiability(earning, '2026-03-29').liability).toBe(300)
    expect(fulfilledAndLiability(earning, '2026-03-30').liability).toBe(0)
  })
})
