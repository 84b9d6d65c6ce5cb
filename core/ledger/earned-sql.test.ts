import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openTestServices } from '#tests/support/test-services.ts'
import { addDays, addMonths } from '../kernel/calendar.ts'
import { termLengths } from '../pricing/plan-code.rules.ts'
import { newTerm } from '../terms/term.rules.ts'
import { asOfValues, fulfilledSql } from './earned-sql.ts'
import { type Earning, fulfilledAndLiability } from './liability.rules.ts'
import { standingOf, takenParts } from './taking-back.rules.ts'

const services = await openTestServices()

/** A term as the ledger has it: a first one, the one after it, a part that was taken back of it, and dates that make no sense. */
const earning = fc
  .record({
    amount: fc.integer({ min: -50_000, max: 50_000 }),
    first: fc.integer({ min: 0, max: 1500 }).map((days) => addDays('2024-01-01', days)),
    termMonths: fc.constantFrom(...termLengths),
    shape: fc.constantFrom('first', 'next', 'part', 'backwards', 'endless'),
    after: fc.nat(300),
  })
  .map(({ amount, first, termMonths, shape, after }): Earning => {
    const held = { subType: 'print', subStartOn: first, subEndOn: addMonths(first, 1), subAnchorDay: null } as const
    const term = newTerm(shape === 'next' ? held : null, { product: 'print', termMonths }, first)
    const sale = { amount, serviceStartOn: term?.startOn ?? null, serviceEndOn: term?.endOn ?? null, termMonths }
    if (shape === 'backwards') return { ...sale, serviceEndOn: addDays(first, -after) }
    if (shape === 'endless') return { ...sale, serviceEndOn: null }
    if (shape !== 'part') return sale
    const standing = standingOf([{ ...sale, amount: Math.abs(amount) }], addDays(first, after))
    return takenParts(standing, standing.liability, standing.elapsed)[0] ?? sale
  })

it('the database earns what the rule earns, of terms and of parts taken back, at the end of any day about them', async () => {
  const day = services.db.dialect === 'postgres' ? 'DATE' : 'TEXT'
  const fulfilled = fulfilledSql(services.db.dialect, 'one')
  await fc.assert(
    fc.asyncProperty(earning, fc.integer({ min: -3, max: 430 }), async (one, days) => {
      const asOf = addDays(one.serviceStartOn ?? '2024-01-01', days)
      const [row] = await services.db.query<{ fulfilled: number | string }>(
        `SELECT ${fulfilled} AS fulfilled FROM (SELECT CAST(:amount AS BIGINT) AS amount, CAST(:startOn AS ${day}) AS service_start_on,
           CAST(:endOn AS ${day}) AS service_end_on, CAST(:termMonths AS INTEGER) AS term_months,
           CAST(:monthly AS BIGINT) AS monthly_amount, CAST(:anchorDay AS INTEGER) AS anchor_day) one`,
        {
          amount: one.amount,
          startOn: one.serviceStartOn,
          endOn: one.serviceEndOn,
          termMonths: one.termMonths,
          monthly: one.monthlyAmount ?? null,
          anchorDay: one.anchorDay ?? null,
          ...asOfValues(asOf),
        },
      )
      expect(Number(row?.fulfilled)).toBe(fulfilledAndLiability(one, asOf).fulfilled + 0)
    }),
    { numRuns: 250 },
  )
})
