import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { visitor } from '#core/access/actor.ts'
import { contextFor, type Log } from '#core/context.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { migrate } from '#core/platform/database/migrate.ts'
import { readEnv } from '#core/platform/env.ts'
import { makeServices, type Running } from '#core/platform/make-services.ts'
import { seedDemo } from '#core/seed/seed-demo.ts'
import { onPostgres } from './bench-database.ts'
import { say } from './printed.ts'
import { benchSecret, median, percentile } from './served.ts'

/**
 * A whole checkout on the demo's storefront: price, order, demo charge, buyer, reader, ledger and outbox. A known buyer who is logged in
 * shows the cost of the database; a new one adds the hashing of a password. Then fifty concurrently.
 *   npm run bench -- checkout --databases sqlite,postgres
 */
const { values: given } = parseArgs({
  options: {
    databases: { type: 'string', default: 'sqlite,postgres' },
    rounds: { type: 'string', default: '200' },
  },
})
const rounds = Number(given.rounds)
const silent: Log = { info: () => {}, warn: () => {}, error: () => {} }

function form(fields: object = {}) {
  const email = `bench-${randomUUID()}@example.test`
  return {
    urlKey: 'harbour-light',
    plan: '1PN54.00',
    country: 'GB',
    idempotencyKey: randomUUID(),
    firstName: 'Ann',
    lastName: "O'Brien",
    email,
    password: 'a-long-password',
    billing: { addressOne: '1 Quay Street', city: 'London', postCode: 'SW1A 1AA' },
    payment: { provider: 'demo', details: { cardNumber: '4242424242424242' } },
    ...fields,
  }
}

async function timesOf(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  return times.sort((a, b) => a - b)
}

async function measure(name: string, services: Running): Promise<void> {
  const ctx = contextFor(services, visitor, { entryPoint: 'test' })
  const email = 'known@bench.test'
  await placeOrder(ctx, form({ email }))
  const [buyer] = await services.db.query<{ id: number; publication_id: number }>(
    `SELECT id, publication_id FROM buyers WHERE email_key = :email`,
    { email },
  )
  const known = contextFor(
    services,
    { kind: 'buyer', buyerId: Number(buyer?.id), publicationId: Number(buyer?.publication_id) },
    { entryPoint: 'test' },
  )
  const asKnown = await timesOf(rounds, () => placeOrder(known, form({ email, password: '' })))
  const asNew = await timesOf(Math.ceil(rounds / 4), () => placeOrder(ctx, form()))
  const started = performance.now()
  const placed = await Promise.all(Array.from({ length: 50 }, () => placeOrder(ctx, form())))
  const together = performance.now() - started
  const paid = placed.filter(({ state }) => state === 'paid').length
  say(
    `| ${name} | ${median(asKnown).toFixed(1)} | ${percentile(asKnown, 0.95).toFixed(1)} | ${median(asNew).toFixed(1)} | ${percentile(asNew, 0.95).toFixed(1)} | ${paid} of 50 in ${together.toFixed(0)} |`,
  )
}

async function onDatabase(name: string, databaseUrl: string): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'masthead-bench-'))
  const services = await makeServices(
    readEnv({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, APP_SECRET: benchSecret }),
    { log: silent },
  )
  try {
    await migrate(services.db)
    await seedDemo(services)
    await measure(name, services)
  } finally {
    await services.db.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

say('### Checkout\n')
say('| database | known buyer, ms | p95 | new buyer with argon2id, ms | p95 | fifty at once, ms |')
say('|---|---|---|---|---|---|')
if (given.databases.includes('sqlite')) await onDatabase('sqlite', '')
if (given.databases.includes('postgres')) await onPostgres('checkout', (url) => onDatabase('postgres', url))
