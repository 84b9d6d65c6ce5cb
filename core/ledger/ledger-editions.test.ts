import { beforeAll, expect, it } from 'vitest'
import { makeRandomLedger } from '#tests/support/random-ledger.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { sumDays } from './ledger-days.query.ts'
import { addToLedgerDays, type SummedEntry } from './ledger-days.rows.ts'
import { rebuildStoredTotals } from './verify-ledger.ts'

let services: TestServices
let entry: SummedEntry
beforeAll(async () => {
  services = await openTestServices()
  await makeRandomLedger(services, { first: '2026-01-31', last: '2026-06-30', orders: 3, seed: 5 })
  const [row] = await services.db.query<{ publisherId: number; publicationId: number }>(
    `SELECT publisher_id AS "publisherId", publication_id AS "publicationId" FROM ledger_days LIMIT 1`,
  )
  entry = {
    publisherId: Number(row?.publisherId),
    publicationId: Number(row?.publicationId),
    currency: 'GBP',
    product: 'print',
    kind: 'sale',
    amount: 2500,
    vat: 0,
    enteredOn: '2026-05-01',
    termMonths: null,
    serviceStartOn: null,
    serviceEndOn: null,
  }
})

const sold = async () => {
  const sums = await sumDays(services, { publisherId: entry.publisherId })
  return sums.find(({ currency }) => currency === 'GBP')?.sold ?? 0
}
const addEntry = () => services.db.transaction(() => addToLedgerDays(services, [entry]))

it('totals of a publisher follow each entry, though they are cached', async () => {
  const before = await sold()
  expect(await sold()).toBe(before)
  await addEntry()
  expect(await sold()).toBe(before + 2500)
  await addEntry()
  expect(await sold()).toBe(before + 5000)
})

it('totals read in a rolled-back transaction are not cached', async () => {
  const before = await sold()
  const failed = services.db.transaction(async () => {
    await addToLedgerDays(services, [entry])
    expect(await sold()).toBe(before + 2500)
    throw new Error('rolled back')
  })
  await expect(failed).rejects.toThrow('rolled back')
  expect(await sold()).toBe(before)
  await addEntry()
  expect(await sold()).toBe(before + 2500)
})

it('totals follow a repair, even when a title has nothing left', async () => {
  const before = await sold()
  await rebuildStoredTotals(services, entry.publisherId)
  const repaired = await sold()
  expect(repaired).toBeLessThan(before)
  await services.db.run('DELETE FROM ledger_entries WHERE currency = :currency', { currency: 'GBP' })
  await rebuildStoredTotals(services, entry.publisherId)
  expect(await sold()).toBe(0)
})
