import { beforeEach, expect, it } from 'vitest'
import { addDays } from '#core/kernel/calendar.ts'
import { seededRandom } from '#tests/support/duplicates/seeded-random.ts'
import { operator } from '#tests/support/factories.ts'
import { killedBeforeCommit } from '#tests/support/killed-process.ts'
import { runSeriesDays } from '#tests/support/run-series-days.ts'
import { makeSeriesShop, paidOrder } from '#tests/support/series.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { simulatedEfforts } from './simulate-series.ts'

const isLong = process.env.TEST_FAULTS !== undefined
/** Readers, days and kills: more of each, and another seed by `FAULT_SEED`, in `npm run test:faults`. */
const [readers, days, kills] = isLong ? [200, 365, 12] : [12, 60, 1]
const seed = Number(process.env.FAULT_SEED ?? 20261124)
const from = '2027-01-04'

let services: TestServices
beforeEach(async () => {
  services = await openTestServices()
})

it('a simulated year of the series has the same result whether or not workers are killed', {
  timeout: 1_800_000,
}, async () => {
  const until = addDays(from, days)
  const yearWithKills = async (killedCommits: readonly number[]) => {
    services.clock.now = new Date(`${from}T09:00:00Z`)
    const shop = await makeSeriesShop(services)
    for (let index = 0; index < readers; index++) {
      const end = addDays(from, Math.floor((index * days) / readers))
      const readerId = await shop.reader(end, {
        uniqueReference: `Y-${index}`,
        email: `y-${shop.id}-${index}@example.test`,
      })
      await paidOrder(services, { ...shop, publicationId: shop.id, readerId }, { on: '2026-01-04' })
    }
    const input = { publicationId: shop.id, urlKey: shop.urlKey, folder: services.dataDir, from, until }
    for (const commit of killedCommits)
      await killedBeforeCommit(services, {
        commit,
        imports: `import { runSeriesDays } from '#tests/support/run-series-days.ts'`,
        body: `await runSeriesDays(services, clock, ${JSON.stringify(input)})`,
      })
    await runSeriesDays(services, services.clock, input)
    const ends = await services.db.query<{ reference: string; end: string; orders: number }>(
      `SELECT unique_reference AS reference, sub_end_on AS "end", (SELECT COUNT(*) FROM orders o WHERE o.reader_id = r.id) AS orders
       FROM readers r WHERE publication_id = :id ORDER BY unique_reference`,
      { id: shop.id },
    )
    const efforts = await simulatedEfforts(services.as(operator), { publicationId: shop.id, from, until })
    return { efforts, ends: ends.map((row) => ({ ...row, orders: Number(row.orders) })) }
  }
  const { roll } = seededRandom(seed)
  const uninterrupted = await yearWithKills([])
  expect(uninterrupted.efforts.reduce((sum, { renewed }) => sum + renewed, 0)).toBeGreaterThan(2)
  expect(await yearWithKills(Array.from({ length: kills }, () => 1 + roll(readers)))).toEqual(uninterrupted)
})
