import { beforeAll, expect, it } from 'vitest'
import type { SqlValues } from '#core/database.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
  const add = (key: string, hits: number, at: string) =>
    services.db.run(`INSERT INTO rate_limits (limit_key, hits, resets_at) VALUES (:key, :hits, :at)`, {
      key,
      hits,
      at: new Date(at),
    })
  await add(`it's`, 3, '2026-11-24T10:00:00.123Z')
  await add('second \\ $1', 5, '2026-11-24T10:00:00.124Z')
  await add('third', 7, '2027-01-01T00:00:00Z')
})

const sql = `SELECT limit_key AS "key", hits, resets_at AS "at", hits > :hits AS "isMore" FROM rate_limits
  WHERE limit_key IN (:keys) AND resets_at >= :after AND hits + 0 >= :hits AND 'a' <> ':hits' ORDER BY id`
const valueSets: SqlValues[] = [
  { keys: [`it's`], after: new Date('2026-11-24T10:00:00.123Z'), hits: 3 },
  { keys: [`it's`], after: new Date('2026-11-24T10:00:00.124Z'), hits: 3 },
  { keys: [`it's`, 'second \\ $1', 'third'], after: new Date('2026-11-24T10:00:00.124Z'), hits: 5 },
  { keys: ['none', "'; DROP TABLE rate_limits; --", 'third'], after: new Date(0), hits: 0 },
]

it('a prepared query returns the same as an unprepared one, however often and with any values', async () => {
  const { db } = services
  const counts: number[] = []
  // PostgreSQL plans a prepared query by its values five times before it may keep a generic plan.
  for (let round = 0; round < 8; round++)
    for (const values of valueSets) {
      const rows = await db.prepared.query(sql, values)
      expect(rows).toEqual(await db.query(sql, values))
      counts.push(rows.length)
    }
  expect(counts.slice(0, valueSets.length)).toEqual([1, 0, 2, 1])
  if (db.dialect === 'postgres') {
    // PostgreSQL cannot store a text with a zero byte.
    const zero = { keys: ['zero \0 byte'], after: new Date(0), hits: 0 }
    expect(await db.prepared.query(sql, zero)).toEqual([])
  }
  const none = { no: false, name: null }
  const flags = `SELECT id FROM readers WHERE is_deleted = :no AND COALESCE(:name, email) = 'x'`
  expect(await db.prepared.query(flags, none)).toEqual(await db.query(flags, none))
})

it('in a transaction it sees what the transaction has written', async () => {
  const { db } = services
  const seen = await db.transaction(async () => {
    await db.run(`UPDATE rate_limits SET hits = 9 WHERE limit_key = 'third'`)
    return db.prepared.query(`SELECT hits FROM rate_limits WHERE limit_key = :key`, { key: 'third' })
  })
  expect(seen).toEqual([{ hits: 9 }])
})

it('a failing query reports the same error as an unprepared one, and the connection stays usable', async () => {
  const { db } = services
  const wrong = `SELECT nothing FROM rate_limits WHERE id = :id`
  const errorOf = async (query: Promise<unknown>) =>
    query.then(
      () => null,
      (error: Error) => [error.name, error.message],
    )
  expect(await errorOf(db.prepared.query(wrong, { id: 1 }))).toEqual(await errorOf(db.query(wrong, { id: 1 })))
  expect(await db.prepared.query(`SELECT hits FROM rate_limits WHERE limit_key = :key`, { key: `it's` })).toEqual([
    { hits: 3 },
  ])
})
