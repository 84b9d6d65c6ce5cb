import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openTestServices } from '#tests/support/test-services.ts'
import { addDays, addMonths } from '../kernel/dates.ts'
import { termLengths } from '../pricing/plan-code.rules.ts'
import { newTerm } from '../terms/term.rules.ts'
import { earnedValues, fulfilledSql } from './earned-sql.ts'
import { type Earning, fulfilledAndLiability } from './liability.rules.ts'

const services = await openTestServices()

/** A term as the ledger has it: a first one, or the one after it. */
const earning = fc
  .record({
    amount: fc.integer({ min: -50_000, max: 50_000 }),
    first: fc.integer({ min: 0, max: 1500 }).map((days) => addDays('2024-01-01', days)),
    termMonths: fc.constantFrom(...termLengths),
    isNext: fc.boolean(),
  })
  .map(({ amount, first, termMonths, isNext }): Earning => {
    const held = { subType: 'print', subStartOn: first, subEndOn: addMonths(first, 1), subAnchorDay: null } as const
    const term = newTerm(isNext ? held : null, { product: 'print', termMonths }, first)
    return { amount, serviceStartOn: term?.startOn ?? null, serviceEndOn: term?.endOn ?? null, termMonths }
  })

it('the database earns what the rule earns, of first and of following terms, on any day about them', async () => {
  const day = services.db.dialect === 'postgres' ? 'DATE' : 'TEXT'
  const fulfilled = fulfilledSql(services.db.dialect, {
    amount: 'amount',
    startOn: 'start_on',
    endOn: 'end_on',
    term: 'term_months',
  })
  await fc.assert(
    fc.asyncProperty(earning, fc.integer({ min: -3, max: 430 }), async (one, days) => {
      const today = addDays(one.serviceStartOn ?? '', days)
      const [row] = await services.db.query<{ fulfilled: number | string }>(
        `SELECT ${fulfilled} AS fulfilled FROM (SELECT CAST(:amount AS BIGINT) AS amount, CAST(:startOn AS ${day}) AS start_on,
           CAST(:endOn AS ${day}) AS end_on, CAST(:termMonths AS INTEGER) AS term_months) one`,
        {
          amount: one.amount,
          startOn: one.serviceStartOn,
          endOn: one.serviceEndOn,
          termMonths: one.termMonths,
          ...earnedValues(today),
        },
      )
      expect(Number(row?.fulfilled)).toBe(fulfilledAndLiability(one, today).fulfilled + 0)
    }),
    { numRuns: 300 },
  )
})
