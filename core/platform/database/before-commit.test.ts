import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#core/database.ts'
import { openTestServices } from '#tests/support/test-services.ts'

let db: Database
beforeAll(async () => {
  db = (await openTestServices()).db
})

describe('work deferred to the end of a transaction', () => {
  it('runs once for each key, in order, after everything else', async () => {
    const done: string[] = []
    const leave = (key: string) => db.beforeCommit(key, async () => done.push(key))
    await db.transaction(async () => {
      await leave('b')
      await db.transaction(() => leave('a'))
      await leave('b')
      expect(done).toEqual([])
      done.push('work')
    })
    expect(done).toEqual(['work', 'a', 'b'])
  })

  it('is committed and rolled back with it', async () => {
    const add = () =>
      db.run(`INSERT INTO rate_limits (limit_key, hits, resets_at) VALUES ('ending', 1, :at)`, { at: new Date() })
    const count = async () => (await db.query(`SELECT hits FROM rate_limits WHERE limit_key = 'ending'`)).length
    const failed = db.transaction(async () => {
      await db.beforeCommit('1', add)
      await db.beforeCommit('2', async () => {
        expect(await count()).toBe(1)
        throw new Error('no')
      })
    })
    await expect(failed).rejects.toThrow('no')
    expect(await count()).toBe(0)
    await db.write(() => db.beforeCommit('1', add))
    expect(await count()).toBe(1)
  })

  it('runs at once outside a transaction', async () => {
    const done: string[] = []
    await db.beforeCommit('a', async () => done.push('a'))
    expect(done).toEqual(['a'])
  })
})
