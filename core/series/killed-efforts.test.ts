import { Redis } from 'ioredis'
import { beforeEach, describe, expect, inject, it } from 'vitest'
import { addDays } from '#core/kernel/calendar.ts'
import { queueName, startBullWorker } from '#core/platform/queue/bull-worker.ts'
import { startEmbeddedWorker } from '#core/platform/queue/embedded-worker.ts'
import { seededRandom } from '#tests/support/duplicates/seeded-random.ts'
import { killedWorkers } from '#tests/support/killed-workers.ts'
import { makeSeriesShop, ownSeries, paidOrder } from '#tests/support/series.ts'
import { type MailServer, startMailServer } from '#tests/support/smtp-server.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { handlers } from '#worker/handlers/index.ts'

const isLong = process.env.TEST_FAULTS !== undefined
const redisUrl = inject('redisUrl')
const queues = ['embedded', 'bull'] as const
/** Another seed kills at other points: `FAULT_SEED=7 npm run test:faults`. The normal run uses one seed and its database's queue. */
const firstSeed = Number(process.env.FAULT_SEED ?? 20261124)
const runs = isLong
  ? queues.flatMap((queue) => [firstSeed, firstSeed + 1, firstSeed + 2].map((seed) => ({ queue, seed })))
  : [{ queue: process.env.TEST_DIALECT === 'postgres' ? ('bull' as const) : ('embedded' as const), seed: firstSeed }]
/** The pairs of workers killed on each day, and the readers: every third shares the previous reader's email. */
const [pairs, readers] = isLong ? [5, 240] : [1, 24]
const persons = (readers * 2) / 3

const endsOn = '2027-06-30'
/** No worker runs from the first day to the second: of three missed efforts the newest is sent. */
const days = [addDays(endsOn, -30), addDays(endsOn, -9), addDays(endsOn, 7)]
const efforts = [...[-30, -14, -12, -10].map((dayOffset) => ({ dayOffset })), { dayOffset: 7, percent: 20 }]

let services: TestServices
let mail: MailServer
beforeEach(async () => {
  mail = await startMailServer()
  services = await openTestServices({ MAIL_URL: mail.url })
})

describe.each(runs)('efforts whose workers are killed at random (seed $seed, $queue queue)', ({ queue, seed }) => {
  it('are sent once for each reader and end, under one Message-ID, and none is lost', {
    timeout: 600_000,
  }, async () => {
    const shop = await makeSeriesShop(services)
    await ownSeries(services, shop, efforts)
    const ids: number[] = []
    for (let index = 0; index < readers; index++) {
      const email = `reader-${index % 3 === 2 ? index - 1 : index}@example.test`
      const readerId = await shop.reader(endsOn, { email, subType: index % 3 === 2 ? 'digital' : 'print' })
      await paidOrder(services, { ...shop, publicationId: shop.id, readerId }, { on: '2026-06-30' })
      ids.push(readerId)
    }
    const chance = seededRandom(seed)
    const workers = await killedWorkers(services, {
      env: { MAIL_URL: mail.url, ...(queue === 'bull' ? { REDIS_URL: redisUrl } : {}) },
      random: chance,
      progress: () => mail.received.length,
    })
    for (const day of days) {
      services.clock.now = new Date(`${day}T05:00:00Z`)
      for (let pair = 0; pair < pairs; pair++) {
        // The first workers are killed while planning, before anything is sent.
        await workers.kill(2, pair === 0 ? { atOnce: true } : {})
        services.clock.advance({ minutes: 6 })
      }
      await finish(queue)
    }
    expect(workers.kills()).toBe(days.length * pairs * 2)

    const plannedEfforts = await services.db.query<{
      reader: number
      cycle: string
      day: number
      state: string
      on: string
    }>(
      `SELECT reader_id AS reader, cycle_on AS cycle, day_offset AS day, state, planned_on AS "on" FROM reader_efforts
       WHERE publication_id = :id ORDER BY reader_id, day_offset`,
      { id: shop.id },
    )
    const linesOf = (id: number) => [
      `${id} -30 due ${days[0]}`,
      `${id} -14 skipped ${days[1]}`,
      `${id} -12 skipped ${days[1]}`,
      `${id} -10 due ${days[1]}`,
      `${id} 7 due ${days[2]}`,
    ]
    expect(plannedEfforts.map(({ reader, day, state, on }) => `${reader} ${day} ${state} ${on}`)).toEqual(
      ids.flatMap(linesOf),
    )
    expect(new Set(plannedEfforts.map(({ cycle }) => cycle))).toEqual(new Set([endsOn]))

    const codes = await services.db.query<{ reader: number; owner: number; uses: number; used: number }>(
      `SELECT e.reader_id AS reader, c.reader_id AS owner, c.uses, c.used FROM promo_codes c
         LEFT JOIN reader_efforts e ON e.promo_code_id = c.id WHERE c.publication_id = :id ORDER BY c.reader_id`,
      { id: shop.id },
    )
    expect(codes.map(({ reader, owner, uses, used }) => [reader, owner, uses, used].map(Number))).toEqual(
      ids.map((id) => [id, id, 1, 0]),
    )

    const sent = await services.db.query<{ state: string; id: string; to: string; template: string }>(
      `SELECT state, message_id AS id, to_address AS "to", template FROM emails ORDER BY id`,
    )
    expect(new Set(sent.map(({ state }) => state))).toEqual(new Set(['sent']))
    expect(sent.filter(({ template }) => template === 'renewal-reminder')).toHaveLength(2 * persons)
    expect(sent.filter(({ template }) => template === 'renewal-offer')).toHaveLength(persons)
    expect(sent).toHaveLength(3 * persons)
    // Each person got three emails, each of them once.
    const received = mail.received.map(({ messageId, to }) => `${[to].flat()[0]?.text} ${messageId}`)
    expect([...new Set(received)].toSorted()).toEqual(sent.map(({ id, to }) => `${to} ${id}`).toSorted())
    // An email may come twice if its worker was killed between the server's acceptance and our record; a worker sends ten at a time.
    expect(received.length - sent.length).toBeLessThanOrEqual(10 * workers.kills())
    const openJobs = await services.db.query(
      `SELECT name, state FROM jobs WHERE name = 'send-mail' AND state NOT IN ('done', 'handed-over')`,
    )
    expect(openJobs).toEqual([])
  })
})

/** Keeps a worker running until everything that was started is done. */
async function finish(queue: (typeof queues)[number]): Promise<void> {
  for (const minutes of [16, 61, 6]) {
    services.clock.advance({ minutes })
    const loop =
      queue === 'bull'
        ? startBullWorker(services, handlers, redisUrl, services.databaseUrl, 20)
        : startEmbeddedWorker(services, handlers)
    await loop.idle()
    await loop.stop()
  }
  if (queue === 'bull') await emptyQueue()
}

async function emptyQueue(): Promise<void> {
  const redis = new Redis(redisUrl)
  const keys = await redis.keys(`bull:${queueName(services.databaseUrl)}:*`)
  if (keys.length > 0) await redis.del(...keys)
  redis.disconnect()
}
