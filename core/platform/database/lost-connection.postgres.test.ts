import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#core/database.ts'
import { deferred } from '#tests/support/deferred.ts'
import { atFileEnd } from '#tests/support/file-end.ts'
import { startPostgresProxy } from '#tests/support/postgres-proxy.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { handlers } from '#worker/handlers/index.ts'
import { startEmbeddedWorker } from '../queue/embedded-worker.ts'
import { openDatabase } from './open-database.ts'

const unavailable = { kind: 'unavailable', message: 'The database is not responding', retryAfterSeconds: 5 }

describe('a connection to PostgreSQL that is lost', () => {
  let services: TestServices
  let proxy: Awaited<ReturnType<typeof startPostgresProxy>>
  let db: Database
  beforeAll(async () => {
    services = await openTestServices()
    proxy = await startPostgresProxy(services.databaseUrl)
    db = await openDatabase(proxy.url)
    atFileEnd(async () => {
      await db.close()
      await proxy.stop()
    })
  })
  afterEach(() => {
    proxy.mode = 'up'
  })

  const selectOne = () => db.query<{ one: number }>('SELECT 1 AS one')

  it('while it is opened: the process continues, every waiting caller gets the error, and the next one works', async () => {
    const endedBefore = proxy.ended
    let startedCount = 0
    const held = deferred()
    // Each of these holds its own connection, so that new ones have to be opened.
    const holders = Array.from({ length: 3 }, () =>
      db.transaction(async () => {
        await selectOne()
        startedCount++
        await held.promise
      }),
    )
    while (startedCount < holders.length) await new Promise((resolve) => setImmediate(resolve))
    proxy.mode = 'terminate while opening'
    const opened = await Promise.allSettled(Array.from({ length: 4 }, () => selectOne()))
    expect(proxy.ended).toBeGreaterThan(endedBefore)
    expect(opened).toMatchObject(Array(4).fill({ status: 'rejected', reason: unavailable }))
    proxy.mode = 'up'
    held.resolve()
    await Promise.allSettled(holders)
    await expect.poll(selectOne).toEqual([{ one: 1 }])
  })

  for (const mode of ['cut', 'terminate'] as const) {
    it(`in the middle of a query (${mode})`, async () => {
      await selectOne()
      proxy.mode = mode
      await expect(selectOne()).rejects.toMatchObject(unavailable)
      await expect(db.transaction(selectOne)).rejects.toMatchObject(unavailable)
      await expect(db.run(`DELETE FROM rate_limits`)).rejects.toMatchObject(unavailable)
      proxy.mode = 'up'
      // The pool may still be opening a connection that was cut, and passes its failure to the next caller.
      await expect.poll(selectOne).toEqual([{ one: 1 }])
    })
  }

  it('because its server ends it in the middle of a transaction: nothing of it is stored', async () => {
    const work = db.transaction(async () => {
      await db.run(`INSERT INTO rate_limits (limit_key, hits, resets_at) VALUES ('lost', 1, now())`)
      await db.query(`SELECT pg_terminate_backend(pg_backend_pid())`)
    })
    await expect(work).rejects.toMatchObject(unavailable)
    expect(await db.query(`SELECT hits FROM rate_limits WHERE limit_key = 'lost'`)).toEqual([])
  })

  it('does not change errors unrelated to the connection', async () => {
    await expect(db.query(`SELECT * FROM no_such_table`)).rejects.toMatchObject({ name: 'SequelizeDatabaseError' })
    const unrelated = new Error('connect ECONNREFUSED: the image storage')
    await expect(db.transaction(() => Promise.reject(unrelated))).rejects.toBe(unrelated)
  })

  it('during a job: the job is retried', async () => {
    let attempts = 0
    const loop = startEmbeddedWorker(services, {
      ...handlers,
      'settle-order': async ({ db: jobDb }) => {
        if (attempts++ === 0) await jobDb.query(`SELECT pg_terminate_backend(pg_backend_pid())`)
      },
    })
    await services.jobs.enqueue('settle-order', { orderId: 1 })
    await loop.idle()
    const job = () => services.db.query(`SELECT state, attempts, problem FROM jobs WHERE name = 'settle-order'`)
    expect(await job()).toEqual([
      { state: 'waiting', attempts: 1, problem: 'unavailable: The database is not responding' },
    ])
    services.clock.advance({ minutes: 1 })
    await loop.idle()
    expect(await job()).toEqual([{ state: 'done', attempts: 2, problem: null }])
    await loop.stop()
  })
})
