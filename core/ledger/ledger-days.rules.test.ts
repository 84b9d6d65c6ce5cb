import fc from 'fast-check'
import { expect, it } from 'vitest'
import { earning } from '#tests/support/earnings.ts'
import { addDays } from '../kernel/calendar.ts'
import { type EntryKind, entryKinds } from './entry-kinds.rules.ts'
import { dayAmounts } from './ledger-days.rules.ts'
import { fulfilledAndLiability } from './liability.rules.ts'

it('an entry’s daily amounts add up to what the rule gives at the end of every day, from the day it was entered', () => {
  fc.assert(
    fc.property(
      earning,
      fc.constantFrom(...(Object.keys(entryKinds) as EntryKind[])),
      fc.integer({ min: -40, max: 500 }),
      fc.array(fc.integer({ min: -60, max: 1200 }), { minLength: 4, maxLength: 12 }),
      fc.constantFrom(0, 0.05, 1 / 6),
      (entry, kind, enteredAfter, asOfOffsets, vatShare) => {
        const startOn = entry.serviceStartOn ?? '2024-01-01'
        const enteredOn = addDays(startOn, enteredAfter)
        const vat = Math.round(entry.amount * vatShare)
        const days = dayAmounts({ ...entry, kind, enteredOn, vat })
        for (const asOf of asOfOffsets.map((offset) => addDays(startOn, offset))) {
          const sums = { sold: 0, refunded: 0, earned: 0, soldVat: 0, refundedVat: 0, earnedVat: 0 }
          for (const [day, amounts] of days) {
            if (day > asOf) continue
            for (const part of Object.keys(sums) as (keyof typeof sums)[]) sums[part] += amounts[part]
          }
          const counts = entryKinds[kind] !== 'cost' && enteredOn <= asOf
          expect(sums.sold - sums.refunded, asOf).toBe(counts ? entry.amount : 0)
          const { fulfilled } = counts ? fulfilledAndLiability(entry, asOf) : { fulfilled: 0 }
          expect(sums.earned, asOf).toBe(fulfilled + 0)
          // Without VAT, proportionally, rounded towards zero.
          const net = vat === 0 ? fulfilled : Math.trunc((fulfilled * (entry.amount - vat)) / entry.amount)
          expect(sums.soldVat - sums.refundedVat, asOf).toBe(counts ? vat + 0 : 0)
          expect(sums.earned - sums.earnedVat, asOf).toBe(net + 0)
        }
      },
    ),
    { numRuns: 400 },
  )
})

it('a year paid on its first day is earned at the end of each month, the last on its last day', () => {
  const year = { serviceStartOn: '2026-01-31', serviceEndOn: '2027-01-30', termMonths: 12 }
  const days = dayAmounts({ ...year, amount: 2999, kind: 'sale', enteredOn: '2026-01-31' })
  const noVat = { soldVat: 0, refundedVat: 0, earnedVat: 0 }
  expect([...days]).toEqual([
    ['2026-01-31', { sales: 1, sold: 2999, refunded: 0, earned: 0, ...noVat }],
    ...[
      ['2026-02-27', 249],
      ['2026-03-30', 249],
      ['2026-04-29', 249],
      ['2026-05-30', 249],
      ['2026-06-29', 249],
      ['2026-07-30', 249],
      ['2026-08-30', 249],
      ['2026-09-29', 249],
      ['2026-10-30', 249],
      ['2026-11-29', 249],
      ['2026-12-30', 249],
      ['2027-01-30', 260],
    ].map(([day, earned]) => [day, { sales: 0, sold: 0, refunded: 0, earned, ...noVat }]),
  ])
})
