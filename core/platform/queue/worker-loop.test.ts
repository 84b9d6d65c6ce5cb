import { randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { AppContext, Log } from '#core/context.ts'
import { asJson } from '#core/database.ts'
import { jobNames, jobs } from '#core/jobs/catalog.ts'
import { claimJobs } from '#core/jobs/jobs.rows.ts'
import { AppError, type ErrorKind, errorKinds } from '#core/kernel/errors.ts'
import { deferred } from '#tests/support/deferred.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { queueName, startBullWorker } from './bull-worker.ts'
import { startEmbeddedWorker, type WorkerLoop } from './embedded-worker.ts'
import type { JobHandlers } from './run-job.ts'

const redisUrl = inject('redisUrl')
const queues = ['embedded', ...(redisUrl ? ['bull'] : [])] as const

interface JobState {
  id: number
  state: string
  attempts: number
  problem: string | null
}

describe.each(queues)('the outbox processed by the %s queue', (kind) => {
  let services: TestServices
  let loop: WorkerLoop
  const ran: { orderId: number; actor: string }[] = []
  let settle: (ctx: AppContext, payload: { orderId: number }) => Promise<unknown> = async () => {}

  let logged: (level: string, message?: string) => void = () => {}
  const log: Log = {
    info: () => {},
    warn: (_, message) => logged('warn', message),
    error: (_, message) => logged('error', message),
  }

  const handlers: JobHandlers = {
    ...(Object.fromEntries(jobNames.map((name) => [name, async () => {}])) as unknown as JobHandlers),
    'settle-order': async (ctx, payload) => {
      ran.push({ orderId: payload.orderId, actor: ctx.actor.kind })
      await settle(ctx, payload)
    },
  }

  const start = () =>
    kind === 'bull'
      ? startBullWorker({ ...services, log }, handlers, redisUrl, services.databaseUrl, 20)
      : startEmbeddedWorker({ ...services, log }, handlers, 20)
  const jobOf = async (orderId: number) => {
    const rows = await services.db.query<JobState & { payload: unknown }>(
      `SELECT id, state, attempts, problem, payload FROM jobs WHERE name = 'settle-order'`,
    )
    return rows.find(({ payload }) => asJson<{ orderId: number }>(payload).orderId === orderId)
  }
  const enqueue = (orderId: number, dedupeKey?: string) =>
    services.db.transaction(() => services.jobs.enqueue('settle-order', { orderId }, dedupeKey ? { dedupeKey } : {}))

  beforeAll(async () => {
    services = await openTestServices()
    if (kind === 'bull') await emptyRedis()
    loop = start()
  })
  afterAll(() => loop.stop())

  it('runs a committed job once, as the system', async () => {
    await enqueue(1)
    await loop.idle()
    expect(ran).toEqual([{ orderId: 1, actor: 'system' }])
    expect(await jobOf(1)).toMatchObject({ state: 'done', attempts: 1 })
  })

  it('creates one row of a repeating job per period and is idle when nothing is due', async () => {
    const rows = await services.db.query<{ name: string; count: number }>(
      `SELECT name, COUNT(*) AS count FROM jobs WHERE name <> 'settle-order' GROUP BY name ORDER BY name`,
    )
    const repeating = jobNames.filter((name) => 'everyMinutes' in jobs[name]).sort()
    expect(repeating).toContain('clean-up')
    expect(rows.map(({ name, count }) => [name, Number(count)])).toEqual(repeating.map((name) => [name, 1]))
    let wakes = 0
    services.events.on('enqueued', () => wakes++)
    for (let n = 0; n < 5; n++) {
      loop.wake()
      await loop.idle()
    }
    expect(wakes).toBe(0)
  })

  it('never sees a job whose transaction was rolled back', async () => {
    await expect(
      services.db.transaction(async () => {
        await services.jobs.enqueue('settle-order', { orderId: 2 })
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    await loop.idle()
    expect(ran.some(({ orderId }) => orderId === 2)).toBe(false)
  })

  it('creates one job for two requests with the same key', async () => {
    const key = randomUUID()
    await enqueue(3, key)
    await enqueue(3, key)
    await loop.idle()
    expect(ran.filter(({ orderId }) => orderId === 3)).toHaveLength(1)
  })

  it('retries after the backoff and keeps a permanently failed job, which can be run again', async () => {
    let attempts = 0
    settle = async () => {
      if (++attempts < 3) throw new AppError('upstream', 'The mail server did not accept the email')
    }
    await enqueue(4)
    await loop.idle()
    expect(await jobOf(4)).toMatchObject({
      state: 'waiting',
      attempts: 1,
      problem: 'upstream: The mail server did not accept the email',
    })
    const begin = services.clock.now
    services.clock.now = new Date(begin.getTime() + 16_000)
    await loop.idle()
    expect(await jobOf(4)).toMatchObject({ state: 'waiting', attempts: 2 })
    services.clock.now = new Date(begin.getTime() + 60_000)
    await loop.idle()
    expect(await jobOf(4)).toMatchObject({ state: 'done', attempts: 3, problem: null })

    settle = async () => {
      throw new AppError('notFound', 'The order was not found')
    }
    await enqueue(5)
    await loop.idle()
    expect(await jobOf(5)).toMatchObject({ state: 'failed', attempts: 1, problem: 'notFound: The order was not found' })
    settle = async () => {}
  })

  it('leaves a job that its release does not know to another worker for a day, and then gives it up', async () => {
    const jobNow = async () =>
      (
        await services.db.query<JobState>(
          `SELECT id, state, attempts, problem FROM jobs WHERE name = 'of-a-later-release'`,
        )
      )[0]
    const begin = services.clock.now
    await services.db.run(
      `INSERT INTO jobs (name, payload, state, attempts, run_at, created_at) VALUES ('of-a-later-release', '{}', 'waiting', 0, :at, :at)`,
      { at: begin },
    )
    loop.wake()
    await loop.idle()
    const problem = 'unavailable: This release does not know the job of-a-later-release'
    expect(await jobNow()).toMatchObject({ state: 'waiting', attempts: 1, problem })
    for (let attempt = 2; (await jobNow())?.state === 'waiting' && attempt < 100; attempt++) {
      services.clock.advance({ hours: 1 })
      loop.wake()
      await loop.idle()
    }
    expect(await jobNow()).toMatchObject({ state: 'failed', attempts: 30, problem })
    services.clock.now = begin
  })

  it.each(Object.keys(errorKinds) as ErrorKind[])(
    'retries %s or not, and logs it, as the error table says',
    async (errorKind) => {
      const orderId = 50 + Object.keys(errorKinds).indexOf(errorKind)
      settle = async () => {
        throw new AppError(errorKind, 'No')
      }
      const levels: string[] = []
      logged = (level, message) => {
        if (message === 'job failed') levels.push(level)
      }
      await enqueue(orderId)
      await loop.idle()
      const { retry, reported } = errorKinds[errorKind]
      expect(await jobOf(orderId)).toMatchObject({
        state: retry ? 'waiting' : 'failed',
        attempts: 1,
        problem: `${errorKind}: No`,
      })
      expect(levels).toEqual([reported ? 'error' : 'warn'])
      settle = async () => {}
    },
  )

  it('runs the other jobs although one always fails', async () => {
    settle = async (_, { orderId }) => {
      if (orderId === 10) throw new Error('poison')
    }
    for (let orderId = 10; orderId < 40; orderId++) await enqueue(orderId)
    await loop.idle()
    for (let orderId = 11; orderId < 40; orderId++) expect(await jobOf(orderId)).toMatchObject({ state: 'done' })
    expect(await jobOf(10)).toMatchObject({ state: 'waiting' })
    settle = async () => {}
  })

  it('runs each of many jobs once with two workers side by side', async () => {
    const second = start()
    for (let orderId = 100; orderId < 160; orderId++) await enqueue(orderId)
    await Promise.all([loop.idle(), second.idle()])
    await second.stop()
    const seen = ran.map(({ orderId }) => orderId).filter((orderId) => orderId >= 100)
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index + 100))
  })

  it('takes over a job whose worker died, once its lease has expired', async () => {
    await loop.stop()
    await enqueue(200)
    const [claimed] = await claimJobs(services, 'others', 1)
    expect(claimed).toMatchObject({ payload: { orderId: 200 } })
    loop = start()
    await enqueue(201)
    await expect.poll(async () => (await jobOf(201))?.state).toBe('done')
    expect(ran.some(({ orderId }) => orderId === 200)).toBe(false)
    services.clock.advance({ seconds: 121 })
    await loop.idle()
    expect(ran.filter(({ orderId }) => orderId === 200)).toHaveLength(1)
  })

  it('does not delay other jobs for a long one', async () => {
    const finished = deferred()
    settle = async (_, { orderId }) => {
      if (orderId === 400) await finished.promise
    }
    await enqueue(400)
    await expect.poll(() => ran.some(({ orderId }) => orderId === 400)).toBe(true)
    await enqueue(401)
    await expect.poll(async () => (await jobOf(401))?.state).toBe('done')
    expect((await jobOf(400))?.state).toBe('active')
    finished.resolve()
    await loop.idle()
    expect((await jobOf(400))?.state).toBe('done')
    settle = async () => {}
  })

  if (kind === 'bull') {
    it('loses nothing when Redis is emptied', async () => {
      await loop.stop()
      await enqueue(300)
      const relayed = new Date(services.now().getTime())
      await services.db.run(`UPDATE jobs SET relayed_at = :relayed WHERE state = 'waiting'`, { relayed })
      await emptyRedis()
      loop = start()
      services.clock.advance({ seconds: 31 })
      await loop.idle()
      expect(await jobOf(300)).toMatchObject({ state: 'done' })
    })
  }

  async function emptyRedis(): Promise<void> {
    const redis = new Redis(redisUrl)
    const keys = await redis.keys(`bull:${queueName(services.databaseUrl)}*`)
    if (keys.length > 0) await redis.del(...keys)
    redis.disconnect()
  }
})

it('logs once a minute that Redis is not responding, however often it is tried', async () => {
  const services = await openTestServices()
  let attempts = 0
  const server = createServer((socket) => {
    attempts++
    socket.on('error', () => {})
    socket.resetAndDestroy()
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })
  const lines: string[] = []
  const log: Log = { info: () => {}, warn: (_, text) => lines.push(text), error: (_, text) => lines.push(text) }
  const handlers = Object.fromEntries(jobNames.map((name) => [name, async () => {}])) as unknown as JobHandlers
  const loop = startBullWorker({ ...services, log }, handlers, `redis://127.0.0.1:${port}`, services.databaseUrl, 20)
  const warning = 'Redis is not responding; jobs wait in the database'
  await expect.poll(() => attempts, { timeout: 30_000 }).toBeGreaterThan(12)
  expect(lines).toEqual([warning])
  services.clock.advance({ minutes: 1 })
  await expect.poll(() => lines, { timeout: 30_000 }).toEqual([warning, warning])
  await loop.stop()
  await new Promise((resolve) => server.close(resolve))
})
