import fc from 'fast-check'
import { expect, it } from 'vitest'
import { earning } from '#tests/support/earnings.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { addDays } from '../kernel/calendar.ts'
import { asOfValues, fulfilledSql } from './earned-sql.ts'
import { fulfilledAndLiability } from './liability.rules.ts'

const services = await openTestServices()

it('SQL and rule compute the same earned amounts, for terms and refunds, at the end of any day', async () => {
  const day = services.db.dialect === 'postgres' ? 'DATE' : 'TEXT'
  const fulfilled = fulfilledSql(services.db.dialect, 'one')
  await fc.assert(
    fc.asyncProperty(earning, fc.integer({ min: -3, max: 430 }), async (entry, days) => {
      const asOf = addDays(entry.serviceStartOn ?? '2024-01-01', days)
      const [row] = await services.db.query<{ fulfilled: number | string }>(
        `SELECT ${fulfilled} AS fulfilled FROM (SELECT CAST(:amount AS BIGINT) AS amount, CAST(:startOn AS ${day}) AS service_start_on,
           CAST(:endOn AS ${day}) AS service_end_on, CAST(:termMonths AS INTEGER) AS term_months,
           CAST(:monthly AS BIGINT) AS monthly_amount, CAST(:anchorDay AS INTEGER) AS anchor_day) one`,
        {
          amount: entry.amount,
          startOn: entry.serviceStartOn,
          endOn: entry.serviceEndOn,
          termMonths: entry.termMonths,
          monthly: entry.monthlyAmount ?? null,
          anchorDay: entry.anchorDay ?? null,
          ...asOfValues(asOf),
        },
      )
      expect(Number(row?.fulfilled)).toBe(fulfilledAndLiability(entry, asOf).fulfilled + 0)
    }),
    { numRuns: 250 },
  )
})
