import { expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { makePublication, system } from '#tests/support/factories.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { analyseIndexes } from './analyse-indexes.ts'

it('gives SQLite statistics of every index, also to connections that are already open', async () => {
  const services = await openTestServices()
  const { db } = services
  const schemaVersion = async () => (await db.query<{ schema_version: number }>('PRAGMA schema_version'))[0]
  await makePublication(services)
  await expect(analyseIndexes(services.as(visitor), {})).rejects.toMatchObject({ kind: 'unauthenticated' })
  const { indexes } = await analyseIndexes(services.as(system), {})
  expect(indexes).toBeGreaterThan(200)
  expect(
    await db.query(`SELECT tbl AS "table" FROM sqlite_stat1 WHERE tbl IN ('users', 'publications') GROUP BY tbl`),
  ).toEqual([{ table: 'publications' }, { table: 'users' }])
  const before = await schemaVersion()
  await analyseIndexes(services.as(system), {})
  expect(await schemaVersion()).not.toEqual(before)
})

it('skips an index that an import drops meanwhile', async () => {
  const services = await openTestServices()
  const { db } = services
  const before = await analyseIndexes(services.as(system), {})
  const ctx = services.as(system)
  let isDropped = false
  // A big import drops an index between the analyses of two others.
  const withImport = {
    ...ctx,
    db: {
      ...db,
      write: async <T>(work: () => Promise<T>) => {
        if (!isDropped) await db.run('DROP INDEX readers_company')
        isDropped = true
        return db.write(work)
      },
    },
  }
  expect(await analyseIndexes(withImport, {})).toEqual({ indexes: before.indexes - 1 })
})

it('lets no other process drop an index between looking for it and analysing it', async () => {
  const services = await openTestServices()
  const { db } = services
  const otherProcess = await db.bulk.sqlite('PRAGMA busy_timeout=0;')
  const outcomes: string[] = []
  const query: typeof db.query = async (sql, values) => {
    const rows = await db.query<object>(sql, values)
    if (values?.name === 'readers_company')
      await otherProcess.run('DROP INDEX readers_company').then(
        () => outcomes.push('dropped'),
        (error: Error) => outcomes.push(error.message),
      )
    return rows as never
  }
  const ctx = services.as(system)
  await analyseIndexes({ ...ctx, db: { ...db, query } }, {})
  await otherProcess.close()
  expect(outcomes).toEqual([expect.stringContaining('SQLITE_BUSY')])
})
