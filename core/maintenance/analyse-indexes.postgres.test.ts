import { expect, it } from 'vitest'
import { system } from '#tests/support/factories.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { analyseIndexes } from './analyse-indexes.ts'

it('has nothing to do on PostgreSQL, where autovacuum collects the statistics', async () => {
  const services = await openTestServices()
  expect(await analyseIndexes(services.as(system), {})).toEqual({ indexes: 0 })
})
