import { beforeAll, describe, expect, it } from 'vitest'
import { makePublication } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { dropReaderIndexes, ensureReaderIndexes } from './indexes.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const isValid = async (name: string) =>
  (
    await services.db.query<{ valid: boolean }>(
      `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass(:name)`,
      { name },
    )
  )[0]?.valid

describe('the key indexes of readers on PostgreSQL', () => {
  it('are built while others write to readers', async () => {
    const title = await makePublication(services)
    const lockedId = await makeReader(services, title.id)
    const otherId = await makeReader(services, title.id)
    await dropReaderIndexes(services.db, title.id, 1_000_000)
    const writer = await services.db.bulk.postgres()
    await writer.query('BEGIN')
    await writer.query('UPDATE readers SET version = version + 1 WHERE id = $1', [lockedId])
    // The build waits for that writer, and no writer waits for the build: a lock that is not available would be an error here.
    const built = ensureReaderIndexes(services.db)
    await expect
      .poll(() => services.db.query(`SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'virtualxid'`), {
        timeout: 20_000,
      })
      .toHaveLength(1)
    const secondWriter = await services.db.bulk.postgres()
    await secondWriter.query('BEGIN')
    await secondWriter.query(`SET LOCAL lock_timeout = '1s'`)
    await secondWriter.query('UPDATE readers SET version = version + 1 WHERE id = $1', [otherId])
    await secondWriter.query('COMMIT')
    await secondWriter.release()
    expect(await isValid('readers_end')).toBeUndefined()
    await writer.query('COMMIT')
    await writer.release()
    expect(await built).toContain('readers_end')
    expect(await isValid('readers_end')).toBe(true)
  })

  it('that a killed build left invalid are rebuilt', async () => {
    await services.db.run(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'readers_email'::regclass`)
    expect(await ensureReaderIndexes(services.db)).toEqual(['readers_email'])
    expect(await isValid('readers_email')).toBe(true)
    expect(await ensureReaderIndexes(services.db)).toEqual([])
  })

  it('are kept when the publication has the smaller part of the table', async () => {
    const title = await makePublication(services)
    await makeReader(services, title.id)
    // The server's estimate of the size of the table.
    await services.db.run(`UPDATE pg_class SET reltuples = 500000 WHERE oid = 'readers'::regclass`)
    expect(await dropReaderIndexes(services.db, title.id, 400_000)).toBe(false)
    expect(await isValid('readers_name')).toBe(true)
    expect(await dropReaderIndexes(services.db, title.id, 600_000)).toBe(true)
    expect(await isValid('readers_name')).toBeUndefined()
  })
})
