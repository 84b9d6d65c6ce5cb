import { beforeAll, describe, expect, it } from 'vitest'
import type { Database, SqlValues } from '#core/database.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { openDatabase } from './open-database.ts'

let db: Database
beforeAll(async () => {
  db = (await openTestServices()).db
})

const planOf = async (sql: string, values: SqlValues) =>
  (await db.query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values)).map(({ detail }) => detail).join('\n')

describe('a prepared statement', () => {
  it('uses the partial indexes that its values allow, and works without them for other values', async () => {
    const due = `SELECT id FROM renewals WHERE state IN (:states) AND next_try_on <= :on ORDER BY next_try_on, id`
    expect(await planOf(due, { states: ['planned', 'retrying'], on: '2026-11-23' })).toContain('renewals_due')
    await db.run(`CREATE TABLE parts (id INTEGER PRIMARY KEY, reader_id INTEGER, state TEXT)`)
    await db.run(`CREATE INDEX parts_active ON parts (reader_id) WHERE state = 'active'`)
    const byState = `SELECT id FROM parts WHERE reader_id = :readerId AND state = :state`
    for (const [state, isFound] of [
      ['active', true],
      ['ended', false],
      ['active', true],
    ] as const) {
      expect((await planOf(byState, { readerId: 7, state })).includes('parts_active'), state).toBe(isFound)
    }
  })

  it('binds each value with the type it has in an unprepared statement', async () => {
    const types = async (values: SqlValues) =>
      (await db.query<{ t: string }>(`SELECT typeof(:v) AS t`, values)).map(({ t }) => t)
    expect(await types({ v: 5 })).toEqual(['integer'])
    expect(await types({ v: 5_000_000_000 })).toEqual(['integer'])
    expect(await types({ v: -2.5 })).toEqual(['real'])
    expect(await types({ v: true })).toEqual(['integer'])
    expect(await types({ v: new Date(0) })).toEqual(['text'])
    expect(await types({ v: null })).toEqual(['null'])
  })

  it('binds a repeated name once, and groups by the selected expression', async () => {
    const sql = `SELECT COALESCE(problem, :none) AS v, COUNT(*) AS n FROM (SELECT NULL AS problem UNION ALL SELECT :none) GROUP BY COALESCE(problem, :none)`
    for (const none of ['a', 'b']) expect(await db.query(sql, { none })).toEqual([{ v: none, n: 2 }])
  })

  it('that failed is discarded, and the next one with its text works', async () => {
    const add = () =>
      db.run(`INSERT INTO rate_limits (limit_key, hits, resets_at) VALUES (:key, 1, :at)`, { key: 'k', at: new Date() })
    expect(await add()).toBe(1)
    await expect(add()).rejects.toMatchObject({ name: 'SequelizeUniqueConstraintError' })
    expect(await db.run(`DELETE FROM rate_limits WHERE limit_key = :key`, { key: 'k' })).toBe(1)
    expect(await add()).toBe(1)
    expect(await db.run(`DELETE FROM rate_limits WHERE limit_key = :key RETURNING hits`, { key: 'k' })).toBe(1)
  })

  it('sees schema changes made by other connections', async () => {
    const { databaseUrl } = await openTestServices()
    const reader = await openDatabase(databaseUrl)
    const writer = await openDatabase(databaseUrl)
    const read = () => reader.query(`SELECT * FROM altered WHERE 1 = :one`, { one: 1 })
    await writer.run(`CREATE TABLE altered (a INTEGER)`)
    await writer.run(`INSERT INTO altered VALUES (1)`)
    expect(await read()).toEqual([{ a: 1 }])
    await writer.run(`ALTER TABLE altered ADD COLUMN b INTEGER DEFAULT 2`)
    expect(await read()).toEqual([{ a: 1, b: 2 }])
    await Promise.all([reader.close(), writer.close()])
  })
})

it('a statement after the end of its transaction changes nothing', async () => {
  let late: Promise<unknown> = Promise.resolve()
  const add = (key: string) =>
    db.run(`INSERT INTO rate_limits (limit_key, hits, resets_at) VALUES (:key, 1, :at)`, { key, at: new Date() })
  const work = db.transaction(async () => {
    late = Promise.allSettled(['late 1', 'late 2', 'late 3', 'late 4'].map(add))
    throw new Error('given up')
  })
  await expect(work).rejects.toThrow('given up')
  await late
  expect(await db.query(`SELECT hits FROM rate_limits WHERE limit_key LIKE 'late%'`)).toEqual([])
})
