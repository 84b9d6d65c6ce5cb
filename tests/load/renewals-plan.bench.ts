import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Actor } from '#core/access/actor.ts'
import { dueRenewals, lapsingRenewals } from '#core/agreements/renewals.rows.ts'
import { listDueRenewals } from '#core/charging/due-renewals.query.ts'
import { type AppContext, contextFor } from '#core/context.ts'
import type { Database } from '#core/database.ts'
import { addDays } from '#core/kernel/calendar.ts'
import { migrate } from '#core/platform/database/migrate.ts'
import { readEnv } from '#core/platform/env.ts'
import { makeServices, type Running } from '#core/platform/make-services.ts'
import { failedRenewals } from '#core/renewals/failed-renewals.query.ts'
import { ownAgreements } from '#core/renewals/own-agreements.query.ts'
import { planDay } from '#core/renewals/plan-renewals.ts'
import { exportRenewalYield, renewalYield } from '#core/renewals/renewal-yield.query.ts'
import { upcomingRenewals } from '#core/renewals/upcoming-renewals.query.ts'
import { seedDemo } from '#core/seed/seed-demo.ts'
import { planEffortsOn } from '#core/series/plan-efforts.ts'
import { onPostgres } from './bench-database.ts'
import { loadAverages, say, shown } from './printed.ts'
import { analyse, dialectSql, fill, publisherEmail, resetPlan, today } from './renewals-data.ts'
import { measureStorefront, measureWorker } from './renewals-worker.ts'
import { median } from './served.ts'

/**
 * Renewals of one publisher with `--readers` readers and `--agreements` agreements on three titles: an hourly plan when nothing, a usual day or
 * everything is due, the lists of /renewals, and how long a visitor of a storefront waits during planning. Server time of the use case, median of
 * `--rounds`; for a plan also its longest transaction and the memory of this process, which includes the development loader.
 *   npm run bench -- renewals-plan --databases sqlite,postgres [--only plan|series|worker|lists|storefront] [--keep <directory>]
 */
const { values: given } = parseArgs({
  options: {
    readers: { type: 'string', default: '1000000' },
    agreements: { type: 'string', default: '200000' },
    databases: { type: 'string', default: 'sqlite,postgres' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: 'plan,series,worker,lists,storefront' },
    /** Keeps the databases, the SQLite file in this directory, and reuses existing ones. */
    keep: { type: 'string' },
  },
})
const readers = Number(given.readers)
const agreements = Number(given.agreements)
const rounds = Number(given.rounds)
const folder = given.keep ?? mkdtempSync(join(tmpdir(), 'masthead-renewals-'))
const secret = 'bench-'.repeat(8)

/** The same database with timed transactions: other SQLite writers wait for the longest one. */
function withTimedTransactions(db: Database): { db: Database; longest: () => number } {
  let longest = 0
  // Two transactions may run concurrently, each with its own data.
  const outer = new AsyncLocalStorage<true>()
  const timed = async <T>(work: () => Promise<T>): Promise<T> => {
    if (outer.getStore()) return work()
    const started = performance.now()
    try {
      return await outer.run(true, work)
    } finally {
      longest = Math.max(longest, performance.now() - started)
    }
  }
  return {
    db: {
      ...db,
      transaction: (work) => timed(() => db.transaction(work)),
      write: (work) => timed(() => db.write(work)),
      run: (sql, values) => timed(() => db.run(sql, values)),
    },
    longest: () => longest,
  }
}

async function measurePlan(
  ctx: AppContext,
  what: string,
  on: string,
  times = 1,
  plan = async (context: AppContext, day: string) => (await planDay(context, day)).planned,
): Promise<void> {
  const clock: number[] = []
  const cpu: number[] = []
  let planned = 0
  let longest = 0
  const before = process.memoryUsage().rss
  let peak = before
  const sampleMemory = () => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }
  const timer = setInterval(sampleMemory, 10)
  for (let round = 0; round < times; round++) {
    const { db, longest: ofThis } = withTimedTransactions(ctx.db)
    const started = performance.now()
    const used = process.cpuUsage()
    planned += await plan({ ...ctx, db }, on)
    clock.push(performance.now() - started)
    const { user, system } = process.cpuUsage(used)
    cpu.push((user + system) / 1000)
    longest = Math.max(longest, ofThis())
  }
  clearInterval(timer)
  sampleMemory()
  const mb = `${Math.round(peak / 1e6)} (+${Math.round((peak - before) / 1e6)})`
  say(`| ${[what, planned, shown(median(clock)), shown(median(cpu)), shown(longest), mb].join(' | ')} |`)
}

async function measurePlans(services: Running): Promise<void> {
  const ctx = contextFor(services, { kind: 'operator' }, { entryPoint: 'test' })
  const { day } = dialectSql(services.db)
  say('\n| plan | planned | ms | CPU ms | longest transaction ms | memory MB |\n|---|---|---|---|---|---|')
  await resetPlan(services, day(`'${today}'`, '1 + id % 365'), { declined: false })
  await measurePlan(ctx, 'spread over the year: all that are coming up, at first', today)
  await analyse(services.db)
  await measurePlan(ctx, 'again: nothing is due', today, rounds)
  await measurePlan(ctx, 'the next day', addDays(today, 1))
  await resetPlan(services, day(`'${today}'`, '1 + id % 30'), { declined: false })
  await services.db.run(`UPDATE payment_agreements SET term_months = 1 WHERE id > 1000000`)
  await measurePlan(ctx, 'all of them monthly: a week, at first', today)
  await analyse(services.db)
  await measurePlan(ctx, 'again: nothing is due', today, rounds)
  await measurePlan(ctx, 'the next day', addDays(today, 1))
  await services.db.run(
    `UPDATE payment_agreements SET term_months = CASE id % 10 WHEN 0 THEN 1 WHEN 1 THEN 3 WHEN 2 THEN 6 WHEN 3 THEN 6 ELSE 12 END WHERE id > 1000000`,
  )
  await resetPlan(services, day(`'${today}'`, '7'), { declined: false })
  await measurePlan(ctx, 'all due at once', today)
  await measurePlan(ctx, 'again: nothing is due', today, rounds)
}

/** The renewal series: a day among all readers, of whom a tenth end within a month in which nothing was planned, and an hour with nothing due. */
async function measureSeries(services: Running): Promise<void> {
  const { db } = services
  const ctx = contextFor(services, { kind: 'operator' }, { entryPoint: 'test' })
  const plan = async (context: AppContext, on: string) => (await planEffortsOn(context, on)).emails
  await db.run(`UPDATE accounts SET automated_renewal_emails = :yes`, { yes: true })
  await db.run(`DELETE FROM reader_efforts`)
  await db.run(`DELETE FROM jobs WHERE name = 'send-mail'`)
  await analyse(db)
  say('\n| series | emails | ms | CPU ms | longest transaction ms | memory MB |\n|---|---|---|---|---|---|')
  await measurePlan(ctx, 'the first day: a week of each effort', today, 1, plan)
  await analyse(db)
  await measurePlan(ctx, 'again: nothing is due', today, rounds, plan)
  await measurePlan(ctx, 'the next day', addDays(today, 1), 1, plan)
  await measurePlan(ctx, 'after three missed days', addDays(today, 5), 1, plan)
}

async function measureLists(services: Running): Promise<void> {
  const { db } = services
  const { day } = dialectSql(db)
  await resetPlan(services, day(`'${today}'`, '1 + id % 59'), { declined: true })
  await planDay(contextFor(services, { kind: 'operator' }, { entryPoint: 'test' }), today)
  await analyse(db)
  const [publisher] = await db.query<{ id: number }>(`SELECT id FROM users WHERE email = '${publisherEmail}'`)
  const publisherId = publisher?.id ?? 0
  const staff: Actor = { kind: 'staff', userId: publisherId, userType: 'publisher', publisherId, email: publisherEmail }
  const ctx = contextFor(services, staff, { entryPoint: 'test' })
  const [buyer] = await db.query<{ id: number; publicationId: number }>(
    `SELECT buyer_id AS id, publication_id AS "publicationId" FROM payment_agreements WHERE id > 1000000 LIMIT 1 OFFSET 1000`,
  )
  const { id: buyerId = 0, publicationId = 0 } = buyer ?? {}
  const reader: Actor = { kind: 'buyer', buyerId, publicationId }
  say('\n| list | rows | median ms | first ms | CPU ms |\n|---|---|---|---|---|')
  const measure = async (name: string, work: () => Promise<number>) => {
    const clock: number[] = []
    const cpu: number[] = []
    let rows = 0
    for (let round = 0; round < rounds; round++) {
      const started = performance.now()
      const used = process.cpuUsage()
      rows = await work()
      clock.push(performance.now() - started)
      const { user, system } = process.cpuUsage(used)
      cpu.push((user + system) / 1000)
    }
    say(`| ${[name, rows, shown(median(clock)), shown(clock[0] ?? 0), shown(median(cpu))].join(' | ')} |`)
  }
  const upcoming = async (input: object) => (await upcomingRenewals(ctx, input)).total
  const failed = async (input: object) => (await failedRenewals(ctx, input)).total
  const last = async (totalOf: (input: object) => Promise<number>) => Math.ceil((await totalOf({})) / 10)
  await measure('coming, first page with sums', () => upcoming({}))
  const lastUpcoming = await last(upcoming)
  await measure('coming, last page', () => upcoming({ page: lastUpcoming }))
  await measure('coming, page in the middle', () => upcoming({ page: lastUpcoming >> 1 }))
  await measure('coming, a title', () => upcoming({ publicationId }))
  await measure('failed, first page', () => failed({}))
  const lastFailed = await last(failed)
  await measure('failed, last page', () => failed({ page: lastFailed }))
  await measure('failed, a title', () => failed({ publicationId }))
  await measure('yield by month', async () => (await renewalYield(ctx, {})).length)
  await measure('yield of a title', async () => (await renewalYield(ctx, { publicationId })).length)
  await measure('yield as a CSV', async () => {
    let bytes = 0
    for await (const chunk of (await exportRenewalYield(ctx, {})).chunks) bytes += chunk.length
    return bytes
  })
  await measure(
    'due today, 1000 of them with totals',
    async () => (await listDueRenewals(ctx, {})).totals[0]?.renewals ?? 0,
  )
  await measure('due in 60 days, 1000 of them with totals', async () => {
    return (await listDueRenewals(ctx, { on: addDays(today, 60) })).totals[0]?.renewals ?? 0
  })
  await measure('charging: the next 500 due', async () => (await dueRenewals(ctx, { on: today, limit: 500 })).length)
  await measure('charging: the next 500 due in a month', async () => {
    return (await dueRenewals(ctx, { on: addDays(today, 30), limit: 500 })).length
  })
  await measure('charging: grace over', async () => (await lapsingRenewals(ctx, { on: today, limit: 500 })).length)
  await measure("a reader's own agreements", async () => {
    return (await ownAgreements(contextFor(services, reader, { entryPoint: 'test' }), {})).length
  })
}

async function run(name: string, databaseUrl: string): Promise<void> {
  const storage = { DATA_DIR: folder, DATABASE_URL: databaseUrl }
  const services = await makeServices(
    readEnv({ ...process.env, ...storage, SEED: 'none', APP_SECRET: secret, LOG_LEVEL: 'warn' }),
  )
  try {
    await migrate(services.db)
    const existing = await services.db.query(`SELECT id FROM payment_agreements WHERE id > 1000000 LIMIT 1`)
    const started = performance.now()
    if (existing.length === 0) {
      // The demo has the storefront that visitors request; it can be seeded only into an empty database.
      await seedDemo(services)
      await fill(services, { readers, agreements })
    }
    say(`\n#### ${name}\n\nFilled in ${Math.round((performance.now() - started) / 1000)} s, load ${loadAverages()}`)
    if (given.only.includes('plan')) await measurePlans(services)
    if (given.only.includes('series')) await measureSeries(services)
    if (given.only.includes('worker')) await measureWorker(services, { storage, secret })
    if (given.only.includes('lists')) await measureLists(services)
    if (given.only.includes('storefront')) {
      say('\n| page | when | median ms | p95 | slowest | visits |\n|---|---|---|---|---|---|')
      await measureStorefront(services, { storage, secret, agreements })
    }
  } finally {
    await services.db.close()
  }
}

say(
  `### Renewals of ${agreements.toLocaleString('en-GB')} agreements, ${readers.toLocaleString('en-GB')} readers, ${today}`,
)
say(`\n${cpus().length} × ${cpus()[0]?.model}, load ${loadAverages()}`)
try {
  if (given.databases.includes('sqlite')) await run('SQLite', '')
  if (given.databases.includes('postgres'))
    await onPostgres('renewals', (url) => run('PostgreSQL', url), given.keep !== undefined)
  say(`\nLoad at the end ${loadAverages()}`)
} finally {
  if (!given.keep) rmSync(folder, { recursive: true, force: true })
}
