import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, addMonths } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { type Earning, fulfilledAndLiability } from './liability.rules.ts'
import { orderBalanceOf, refundParts, restoredParts, unservedMonths } from './refund-allocation.rules.ts'

const year: Earning = { amount: 2999, serviceStartOn: '2026-01-01', serviceEndOn: '2026-12-31', termMonths: 12 }

const sumsOf = (entries: readonly Earning[], asOf: Day) => {
  const { net, fulfilled, liability } = orderBalanceOf(entries, asOf)
  return { net, fulfilled, liability }
}

describe('a refund’s entries', () => {
  it('reverse the months that have not begun, and nothing earned', () => {
    const balance = orderBalanceOf([year], '2026-04-20')
    const unserved = unservedMonths(balance)
    expect(unserved).toEqual({ first: 4, count: 8, fromOn: '2026-05-01', untilOn: '2026-12-31', amount: 2003 })
    const parts = refundParts(balance, 2003, 4)
    expect(parts).toEqual([
      {
        amount: -2003,
        monthlyAmount: -249,
        termMonths: 8,
        anchorDay: 1,
        serviceStartOn: '2026-05-01',
        serviceEndOn: '2026-12-31',
      },
    ])
    expect(sumsOf([year, ...parts], '2026-04-20')).toEqual({ net: 996, fulfilled: 747, liability: 249 })
    expect(sumsOf([year, ...parts], '2026-04-30')).toEqual({ net: 996, fulfilled: 996, liability: 0 })
    expect(sumsOf([year, ...parts], '2026-11-30')).toEqual({ net: 996, fulfilled: 996, liability: 0 })
  })

  it('of the whole amount reverse immediately what was already earned', () => {
    const parts = refundParts(orderBalanceOf([year], '2026-04-20'), 2999)
    expect(parts.map(({ amount, termMonths }) => [amount, termMonths])).toEqual([
      [-2252, 9],
      [-747, null],
    ])
    for (const day of ['2026-04-20', '2026-04-30', '2026-09-01', '2027-01-01'])
      expect(sumsOf([year, ...parts], day)).toEqual({ net: 0, fulfilled: 0, liability: 0 })
  })

  it('of part of the amount reverse what is still owed, spread over the remaining months', () => {
    const parts = refundParts(orderBalanceOf([year], '2026-04-30'), 500)
    expect(parts).toHaveLength(1)
    expect(sumsOf([year, ...parts], '2026-04-30')).toEqual({ net: 2499, fulfilled: 996, liability: 1503 })
    expect(sumsOf([year, ...parts], '2026-12-30').liability).toBeGreaterThan(0)
    expect(sumsOf([year, ...parts], '2026-12-31')).toEqual({ net: 2499, fulfilled: 2499, liability: 0 })
  })

  it.each([
    [3000, 1],
    [3000, 109],
    [3000, 25],
    [2999, 1],
  ])('of part of an amount of %i, after a refund of %i, are spread over the months as well', (price, firstRefund) => {
    const sale: Earning = { ...year, amount: price, monthlyAmount: Math.trunc(price / 12) }
    const firstParts = refundParts(orderBalanceOf([sale], '2026-01-01'), firstRefund)
    const secondParts = refundParts(orderBalanceOf([sale, ...firstParts], '2026-01-01'), 1000)
    const { months } = orderBalanceOf([sale, ...firstParts, ...secondParts], '2026-01-01')
    const share = Math.trunc((price - firstRefund - 1000) / 12)
    expect(months.reduce((sum, month) => sum + month, 0)).toBe(price - firstRefund - 1000)
    for (const [index, month] of months.entries()) {
      expect(month).toBeGreaterThanOrEqual(share)
      expect(month).toBeLessThanOrEqual(index === 11 ? share + 11 : share + 1)
    }
  })

  it('take effect immediately for a sale without a term, and for a term that is over', () => {
    const issues: Earning = { amount: 650, serviceStartOn: null, serviceEndOn: null, termMonths: null }
    expect(refundParts(orderBalanceOf([issues], '2026-01-01'), 200)).toMatchObject([{ amount: -200, termMonths: null }])
    expect(refundParts(orderBalanceOf([year], '2026-12-31'), 200)).toMatchObject([{ amount: -200, termMonths: null }])
    expect(unservedMonths(orderBalanceOf([issues], '2026-01-01'))).toBeNull()
    expect(unservedMonths(orderBalanceOf([year], '2026-12-05'))).toBeNull()
  })

  it('follow the months of a sale that starts on the 31st', () => {
    const sale: Earning = { amount: 1200, serviceStartOn: '2026-01-31', serviceEndOn: '2027-01-31', termMonths: 12 }
    const balance = orderBalanceOf([sale], '2026-02-10')
    const parts = refundParts(balance, unservedMonths(balance)?.amount ?? 0, balance.started)
    expect(parts).toMatchObject([{ serviceStartOn: '2026-02-28', anchorDay: 31, amount: -1100 }])
    for (const day of ['2026-02-27', '2026-03-28', '2026-03-30', '2026-04-29'])
      expect(sumsOf([sale, ...parts], day)).toEqual({ net: 100, fulfilled: 100, liability: 0 })
  })

  const step = fc.record({
    days: fc.nat(130),
    kind: fc.constantFrom('amount', 'months', 'whole', 'undo' as const),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  const sale = fc
    .record({ amount: fc.nat(60_000), first: fc.nat(1500), termMonths: fc.constantFrom(1, 3, 6, 12, null) })
    .map(({ amount, first, termMonths }): Earning => {
      const serviceStartOn = addDays('2023-06-01', first)
      if (termMonths === null) return { amount, serviceStartOn: null, serviceEndOn: null, termMonths }
      return { amount, serviceStartOn, serviceEndOn: addMonths(serviceStartOn, termMonths), termMonths }
    })

  it('split into any parts on any days, add up to the total, never make the liability negative, and never reverse retained earnings', () => {
    fc.assert(
      fc.property(sale, fc.array(step, { maxLength: 5 }), (sold, steps) => {
        const entries: Earning[] = [sold]
        const refunds: Earning[][] = []
        let today = sold.serviceStartOn ?? '2024-01-01'
        for (const { days, kind, share } of steps) {
          today = addDays(today, days)
          const balance = orderBalanceOf(entries, today)
          const unserved = unservedMonths(balance)
          let parts: Earning[] = []
          if (kind === 'undo') {
            parts = (refunds.splice(Math.floor(share * (refunds.length - 0.5)), 1)[0] ?? []).map((part) => ({
              ...part,
              amount: 0 - part.amount,
              monthlyAmount: part.monthlyAmount == null ? null : 0 - part.monthlyAmount,
            }))
          } else {
            const amount = kind === 'whole' ? balance.net : Math.round(balance.net * share)
            parts =
              kind === 'months' && unserved
                ? refundParts(balance, unserved.amount, unserved.first)
                : refundParts(balance, amount)
            refunds.push(parts)
            if (kind === 'months' && unserved) {
              expect(parts.reduce((sum, part) => sum + fulfilledAndLiability(part, today).fulfilled, 0) + 0).toBe(0)
            }
          }
          entries.push(...parts)
          let before = orderBalanceOf(entries, today)
          expect(before.net).toBe(entries.reduce((sum, { amount }) => sum + amount, 0))
          for (let day = 0; day < 420; day += 13) {
            const later = orderBalanceOf(entries, addDays(today, day))
            expect(later.fulfilled + later.liability).toBe(later.net)
            expect(later.liability).toBeGreaterThanOrEqual(0)
            expect(later.fulfilled).toBeGreaterThanOrEqual(before.fulfilled)
            before = later
          }
          expect(orderBalanceOf(entries, addDays(today, 2000)).liability).toBe(0)
        }
      }),
      { numRuns: 100 },
    )
  })
})

describe('undoing a refund', () => {
  const refund = refundParts(orderBalanceOf([year], '2026-04-20'), 2499)

  it('restores the earned part first, then the earliest months; undoing all of it cancels the refund exactly', () => {
    const partly = restoredParts(year, refund, 1000)
    expect(partly.map(({ amount, termMonths, serviceStartOn }) => [amount, termMonths, serviceStartOn])).toEqual([
      [247, null, null],
      [753, 4, '2026-04-01'],
    ])
    expect(sumsOf([year, ...refund, ...partly], '2026-06-10')).toEqual({ net: 1500, fulfilled: 1245, liability: 255 })
    const rest = restoredParts(year, [...refund, ...partly], 1499)
    for (const day of ['2026-04-20', '2026-06-10', '2026-12-31'])
      expect(sumsOf([year, ...refund, ...partly, ...rest], day)).toEqual(sumsOf([year], day))
  })

  it('of a penny raises no month above what was sold for it', () => {
    const sale: Earning = { ...year, amount: 3000, monthlyAmount: 250 }
    const refund = refundParts(orderBalanceOf([sale], '2026-01-01'), 1)
    expect(orderBalanceOf([sale, ...refund], '2026-01-01').months).toEqual([249, ...Array(11).fill(250)])
  })

  it('never leaves a month below zero or above its share of the sale, whatever is undone', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(2999, 3000, 3005, 12),
        fc.integer({ min: 1, max: 2999 }),
        fc.array(fc.integer({ min: 1, max: 2999 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: 0, max: 400 }),
        (price, refunded, undone, refundedAfter, checkedAfter) => {
          const sale: Earning = { ...year, amount: price, monthlyAmount: Math.trunc(price / 12) }
          const sold = orderBalanceOf([sale], '2026-01-01').months
          const amount = Math.min(refunded, price)
          const entries: Earning[] = refundParts(orderBalanceOf([sale], addDays('2026-01-01', refundedAfter)), amount)
          let remaining = amount
          for (const part of undone) {
            const restored = Math.min(part, remaining)
            if (restored > 0) entries.push(...restoredParts(sale, entries, restored))
            remaining -= restored
            const { net, fulfilled, liability, months } = orderBalanceOf(
              [sale, ...entries],
              addDays('2026-01-01', checkedAfter),
            )
            expect(net).toBe(price - remaining)
            expect(fulfilled).toBeGreaterThanOrEqual(checkedAfter < refundedAfter ? Number.NEGATIVE_INFINITY : 0)
            expect(liability).toBeGreaterThanOrEqual(0)
            for (const [index, share] of months.entries()) {
              expect(share).toBeGreaterThanOrEqual(0)
              expect(share).toBeLessThanOrEqual(sold[index] ?? 0)
            }
          }
        },
      ),
    )
  })
})
