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
    const defer = (key: string) => db.beforeCommit(key, async () => done.push(key))
    await db.transaction(async () => {
      await defer('b')
      await db.transaction(() => defer('a'))
      await defer('b')
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

describe('what follows a commit', () => {
  const followed: string[] = []
  const follow = (name: string) => db.afterCommit(() => void followed.push(name))

  it('runs after it, in order, also from a savepoint', async () => {
    followed.length = 0
    await db.transaction(async () => {
      follow('a')
      await db.transaction(async () => follow('b'))
      expect(followed).toEqual([])
    })
    expect(followed).toEqual(['a', 'b'])
    follow('c')
    expect(followed).toEqual(['a', 'b', 'c'])
  })

  it('does not run when the commit fails or the transaction is rolled back', async () => {
    followed.length = 0
    const queries = db.sequelize.getQueryInterface() as unknown as { commitTransaction(): Promise<void> }
    const commit = queries.commitTransaction
    queries.commitTransaction = () => Promise.reject(new Error('The disk is full'))
    const failed = db.transaction(async () => follow('a'))
    await expect(failed).rejects.toThrow('The disk is full')
    queries.commitTransaction = commit
    const rolledBack = db.transaction(async () => {
      follow('b')
      throw new Error('no')
    })
    await expect(rolledBack).rejects.toThrow('no')
    expect(followed).toEqual([])
  })
})
