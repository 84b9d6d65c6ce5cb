import { beforeAll, describe, expect, it } from 'vitest'
import type { Database, SqlValues } from '#core/database.ts'
import { deferred } from '#tests/support/deferred.ts'
import { openTestServices } from '#tests/support/test-services.ts'

let db: Database
beforeAll(async () => {
  db = (await openTestServices()).db
})

const valuesOf = async (sql: string, values: SqlValues = {}) =>
  (await db.query<{ v: unknown }>(sql, values)).map(({ v }) => v)

describe('a SELECT', () => {
  it('passes each value unchanged, whatever it contains', async () => {
    for (const text of [
      `O'Brien`,
      `'; DROP TABLE users; --`,
      ':other',
      '"quoted"',
      '-- no comment',
      '\\',
      '$1 $$',
      '',
    ]) {
      expect(await valuesOf(`SELECT :text AS v`, { text, other: 'x' }), text).toEqual([text])
    }
    expect(await valuesOf(`SELECT :n AS v`, { n: -12.5 }).then(([v]) => Number(v))).toBe(-12.5)
    expect(await valuesOf(`SELECT 1 AS v WHERE :yes AND NOT :no`, { yes: true, no: false })).toEqual([1])
    expect(await valuesOf(`SELECT 1 AS v WHERE :nothing IS NULL`, { nothing: null })).toEqual([1])
    expect(
      await valuesOf(`SELECT 1 AS v WHERE 'b' IN (:texts) AND 3 IN (:numbers)`, {
        texts: [`a'`, 'b'],
        numbers: [2, 3],
      }),
    ).toEqual([1])
  })

  it('compares moments as they are stored', async () => {
    const at = new Date('2026-11-23T06:05:04.003Z')
    await db.run(`INSERT INTO rate_limits (limit_key, hits, resets_at) VALUES ('select', 1, :at)`, { at })
    const found = (moment: Date) =>
      valuesOf(`SELECT hits AS v FROM rate_limits WHERE limit_key = 'select' AND resets_at >= :moment`, { moment })
    expect(await found(at)).toEqual([1])
    expect(await found(new Date(at.getTime() + 1))).toEqual([])
  })

  it('leaves quoted names, comments and casts alone', async () => {
    const sql = `SELECT CAST(:n AS INTEGER)/* :a */ AS v, ':b, it''s :c' AS "t :d" -- :e\n WHERE (:n)=(:n)`
    expect(await db.query(sql, { n: 7 })).toEqual([{ v: 7, 't :d': `:b, it's :c` }])
  })

  it('with a missing value is not executed', async () => {
    const run = async () => db.query(`SELECT 1 AS v WHERE 1 = :missing`, {})
    await expect(run()).rejects.toThrow(':missing')
  })

  it('that fails reports the usual error, and the next one works', async () => {
    await expect(db.query(`SELECT * FROM no_such_table`)).rejects.toMatchObject({ name: 'SequelizeDatabaseError' })
    expect(await valuesOf(`SELECT 1 AS v`)).toEqual([1])
  })

  it('in a transaction sees its writes, and nobody else does', async () => {
    const count = () => valuesOf(`SELECT hits AS v FROM rate_limits WHERE limit_key = 'inside'`)
    const written = deferred()
    const outside = written.promise.then(count)
    await db.transaction(async () => {
      await db.run(`INSERT INTO rate_limits (limit_key, hits, resets_at) VALUES ('inside', 3, :at)`, { at: new Date() })
      expect(await count()).toEqual([3])
      written.resolve()
      expect(await outside).toEqual([])
    })
    expect(await count()).toEqual([3])
  })

  it('that writes is executed as a write: its rows are returned, and it is stored', async () => {
    const sql = `INSERT INTO rate_limits (limit_key, hits, resets_at) VALUES ('returned', 5, :at) RETURNING hits AS v`
    expect(await db.write(() => valuesOf(sql, { at: new Date() }))).toEqual([5])
    expect(await valuesOf(`SELECT hits AS v FROM rate_limits WHERE limit_key = 'returned'`)).toEqual([5])
  })
})
