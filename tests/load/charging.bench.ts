import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { visitor } from '#core/access/actor.ts'
import { chargeDueRenewals } from '#core/charging/charge-renewals.ts'
import { contextFor, type Log } from '#core/context.ts'
import { addDays, dayOf } from '#core/kernel/calendar.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { migrate } from '#core/platform/database/migrate.ts'
import { readEnv } from '#core/platform/env.ts'
import { makeServices, type Running } from '#core/platform/make-services.ts'
import { seedDemo } from '#core/seed/seed-demo.ts'
import { connectPayee } from '#tests/support/connect-payee.ts'
import { onPostgres } from './bench-database.ts'
import { say } from './printed.ts'
import { benchSecret, freePort, median, percentile, startBuilt, stop, waitForServer } from './served.ts'

/**
 * How many renewals are charged in a second with a Stripe whose two calls respond slowly, in a process that does nothing else; then
 * how a visitor of a storefront is affected while the built server, web and worker in one, charges as many.
 *   npm run bench -- charging --renewals 1000 --late 200 --databases sqlite,postgres
 */
const { values: given } = parseArgs({
  options: {
    databases: { type: 'string', default: 'sqlite,postgres' },
    renewals: { type: 'string', default: '1000' },
    late: { type: 'string', default: '200' },
  },
})
const renewals = Number(given.renewals)
const silent: Log = { info: () => {}, warn: () => {}, error: () => {} }
const pauseMs = 50
const quietMs = 10_000

/** Readers of the demo's first title whose renewal by card at Stripe is due on a day, copied from a purchased one. */
async function addDue(services: Running, { name, on }: { name: string; on: string }): Promise<void> {
  const { db } = services
  const [first] = await db.query<{ id: number; reader_id: number; publisher_id: number }>(
    `SELECT a.id, a.reader_id, p.publisher_id FROM payment_agreements a JOIN publications p ON p.id = a.publication_id
     JOIN readers r ON r.id = a.reader_id WHERE r.last_name = 'Charging' ORDER BY a.id LIMIT 1`,
  )
  if (!first) throw new Error('There is nothing to copy')
  const [example] = await db.query<Record<string, unknown>>(`SELECT * FROM readers WHERE id = :id`, {
    id: first.reader_id,
  })
  const columns = Object.keys(example ?? {}).filter(
    (column) => !['id', 'unique_reference', 'sub_end_on'].includes(column),
  )
  const values = { ...first, name, on, until: addDays(on, 21), count: renewals, now: services.now() }
  await db.transaction(async () => {
    await db.run(
      `INSERT INTO readers (${columns.join(', ')}, unique_reference, sub_end_on)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :count)
       SELECT ${columns.map((column) => `r.${column}`).join(', ')}, :name || n.i, :on FROM readers r CROSS JOIN n WHERE r.id = :reader_id`,
      values,
    )
    await db.run(
      `INSERT INTO payment_agreements (publication_id, buyer_id, reader_id, order_id, provider, customer_reference, method_reference, state,
         product, term_months, band, renews_on, price, currency, created_at, updated_at)
       SELECT a.publication_id, a.buyer_id, r.id, a.order_id, 'stripe-card', 'cus_bench', 'pm_bench', 'active',
         a.product, a.term_months, a.band, r.sub_end_on, a.price, a.currency, :now, :now
       FROM payment_agreements a JOIN readers r ON r.publication_id = a.publication_id AND r.unique_reference LIKE :name || '%'
       WHERE a.id = :id`,
      values,
    )
    await db.run(
      `INSERT INTO renewals (publisher_id, publication_id, agreement_id, cycle_on, charge_on, grace_until, amount, currency, state,
         next_try_on, created_at, updated_at)
       SELECT :publisher_id, a.publication_id, a.id, a.renews_on, a.renews_on, :until, a.price, a.currency, 'planned', a.renews_on, :now, :now
       FROM payment_agreements a JOIN readers r ON r.id = a.reader_id WHERE r.unique_reference LIKE :name || '%'`,
      values,
    )
  })
}

/** One reader's renewing plan, to be copied; its publisher is paid through the fake Stripe. */
async function prepare(services: Running): Promise<void> {
  await migrate(services.db)
  await seedDemo(services)
  const [title] = await services.db.query<{ publisher_id: number }>(
    `SELECT publisher_id FROM publications WHERE url_key = 'harbour-light'`,
  )
  await connectPayee(services, title?.publisher_id ?? 0, 'stripeDets', {
    publishableKey: 'pk_bench',
    secretKey: 'sk_bench',
  })
  await placeOrder(contextFor(services, visitor, { entryPoint: 'test' }), {
    urlKey: 'harbour-light',
    plan: '1PR49.00',
    country: 'GB',
    idempotencyKey: randomUUID(),
    firstName: 'Ann',
    lastName: 'Charging',
    email: 'charging@bench.test',
    password: 'a-long-password',
    billing: { addressOne: '1 Quay Street', city: 'London', postCode: 'SW1A 1AA' },
    payment: { provider: 'demo', details: { cardNumber: '4242424242424242' } },
  })
  // Excludes the demo's own due renewals.
  await services.db.run(`UPDATE renewals SET state = 'cancelled' WHERE state <> 'paid'`)
}

const paidOf = async ({ db }: Running, name: string): Promise<number> => {
  const [row] = await db.query<{ paid: number }>(
    `SELECT COUNT(*) AS paid FROM renewals w JOIN payment_agreements a ON a.id = w.agreement_id JOIN readers r ON r.id = a.reader_id
     WHERE w.state = 'paid' AND r.unique_reference LIKE :name || '%'`,
    { name },
  )
  return Number(row?.paid)
}

/** The times to the last byte of the storefront, alternately cached and rendered, until `until`; in ms. */
async function visit(url: string, until: Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  let isOver = false
  void until.finally(() => {
    isOver = true
  })
  for (let turn = 0; !isOver; turn++) {
    const started = performance.now()
    const response = await fetch(`${url}/harbour-light${turn % 2 ? '' : `?made=${turn}`}`)
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`The storefront answered ${response.status}`)
    times.push(performance.now() - started)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  return times
}

async function benchOn(database: string, storage: Record<string, string>): Promise<void> {
  const stripe = spawn(process.execPath, [join(import.meta.dirname, 'slow-stripe.mjs'), given.late], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let server: ChildProcess | undefined
  const [line] = (await once(stripe.stdout, 'data')) as [Buffer]
  const shared = { STRIPE_API_BASE: `http://127.0.0.1:${Number(String(line))}`, APP_SECRET: benchSecret, ...storage }
  const services = await makeServices(readEnv(shared), { log: silent }).catch((error) => {
    stripe.kill()
    throw error
  })
  const today = dayOf(services.now(), services.settings.timeZone)
  try {
    await prepare(services)
    const ctx = contextFor(services, { kind: 'system' }, { entryPoint: 'test' })
    await addDue(services, { name: 'WARM', on: today })
    await services.db.run(`UPDATE renewals SET state = 'cancelled' WHERE state = 'planned' AND id % 20 <> 0`)
    await chargeDueRenewals(ctx, today)
    await addDue(services, { name: 'ALONE', on: today })
    const started = performance.now()
    const cpu = process.cpuUsage()
    await chargeDueRenewals(ctx, today)
    const seconds = (performance.now() - started) / 1000
    const used = process.cpuUsage(cpu)
    const alone = await paidOf(services, 'ALONE')
    const each = (used.user + used.system) / 1000 / alone

    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    server = startBuilt({ ...shared, PORT: String(port), SEED: 'none', APP_URL: url })
    await waitForServer(`${url}/harbour-light`)
    await visit(url, new Promise((resolve) => setTimeout(resolve, 3000)))
    const quiet = await visit(url, new Promise((resolve) => setTimeout(resolve, quietMs)))
    await addDue(services, { name: 'BESIDE', on: today })
    const startedAt = performance.now()
    await services.jobs.enqueue('charge-renewals', {})
    const waitUntilCharged = async () => {
      while ((await paidOf(services, 'BESIDE')) < renewals) await new Promise((resolve) => setTimeout(resolve, 250))
    }
    const busy = await visit(url, waitUntilCharged())
    const beside = renewals / ((performance.now() - startedAt) / 1000)
    const cells = [
      `${alone} of ${renewals}`,
      (alone / seconds).toFixed(1),
      each.toFixed(1),
      ...[median(quiet), percentile(quiet, 0.95), median(busy), percentile(busy, 0.95), Math.max(...busy)].map((ms) =>
        ms.toFixed(0),
      ),
      beside.toFixed(1),
      loadavg()[0]?.toFixed(1),
    ]
    say(`| ${[database, ...cells].join(' | ')} |`)
  } finally {
    if (server) await stop(server)
    stripe.kill()
    await services.db.close()
  }
}

say('### Charging renewals\n')
say(`${renewals} renewals by card, ${given.late} ms for each of the two calls.\n`)
say(
  '| database | paid | charges/s | CPU ms each | storefront ms, quiet | p95 | while charging | p95 | slowest | charges/s beside it | load |',
)
say(`|${'---|'.repeat(11)}`)
const folder = mkdtempSync(join(tmpdir(), 'masthead-bench-'))
try {
  for (const name of given.databases.split(',')) {
    const dataDir = join(folder, name)
    mkdirSync(dataDir)
    if (name === 'sqlite') await benchOn('SQLite', { DATA_DIR: dataDir })
    else await onPostgres('charging', (url) => benchOn('PostgreSQL', { DATA_DIR: dataDir, DATABASE_URL: url }))
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
