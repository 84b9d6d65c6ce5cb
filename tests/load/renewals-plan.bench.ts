import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Actor } from '#core/access/actor.ts'
import { dueRenewals, lapsingRenewals } from '#core/agreements/renewals.rows.ts'
import { listDueRenewals } from '#core/charging/due-renewals.query.ts'
import { type AppContext, contextFor } from '#core/context.ts'
import type { Database } from '#core/database.ts'
import { addDays, dayOf } from '#core/kernel/calendar.ts'
import { migrate } from '#core/platform/database/migrate.ts'
import { readEnv } from '#core/platform/env.ts'
import { makeServices, type Running } from '#core/platform/make-services.ts'
import { comingRenewals } from '#core/renewals/coming-renewals.query.ts'
import { failedRenewals } from '#core/renewals/failed-renewals.query.ts'
import { ownAgreements } from '#core/renewals/own-agreements.query.ts'
import { planDay } from '#core/renewals/plan-renewals.ts'
import { exportRenewalYield, renewalYield } from '#core/renewals/renewal-yield.query.ts'
import { seedDemo } from '#core/seed/seed-demo.ts'
import { planEffortsOn } from '#core/series/plan-efforts.ts'
import { onPostgres } from './bench-database.ts'
import { answering, freePort, median, startBuilt, stop } from './served.ts'

/**
 * Renewals of one publisher with `--readers` readers and `--agreements` agreements on three titles: an hour's plan when nothing, a usual day or
 * everything is due, the lists of /renewals, and what a visitor of a storefront waits while the worker plans. Server time of the use-case, median of
 * `--rounds`; of a plan also its longest transaction and the memory of this process, which includes the development loader.
 *   npm run bench -- renewals-plan --databases sqlite,postgres [--only plan|series|worker|lists|storefront] [--keep <directory>]
 */
const { values: given } = parseArgs({
  options: {
    readers: { type: 'string', default: '1000000' },
    agreements: { type: 'string', default: '200000' },
    databases: { type: 'string', default: 'sqlite,postgres' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: 'plan,series,worker,lists,storefront' },
    /** Keeps the databases, the SQLite file in this directory, and uses those that are there. */
    keep: { type: 'string' },
  },
})
const readers = Number(given.readers)
const agreements = Number(given.agreements)
const each = Math.floor(readers / agreements)
const rounds = Number(given.rounds)
const folder = given.keep ?? mkdtempSync(join(tmpdir(), 'masthead-renewals-'))
const secret = 'bench-'.repeat(8)
const today = dayOf(new Date(), 'Europe/London')
const say = (text: string) => process.stdout.write(`${text}\n`)
const shown = (ms: number) => (ms < 10 ? ms.toFixed(1) : Math.round(ms).toLocaleString('en-GB'))

/** What the two engines write differently while the tables are filled. */
function words({ dialect }: Pick<Database, 'dialect'>) {
  const isPostgres = dialect === 'postgres'
  return {
    numbers: (count: number) =>
      isPostgres
        ? `generate_series(1, ${count}) AS s (n)`
        : `(WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${count}) SELECT n FROM s) s`,
    day: (from: string, days: string) =>
      isPostgres ? `(CAST(${from} AS DATE) + CAST(${days} AS INTEGER))` : `date(${from}, (${days}) || ' days')`,
    flag: (value: boolean) => (isPostgres ? String(value).toUpperCase() : String(Number(value))),
  }
}

/** What the server or its operator would have done since: of every table, or of those that planning writes. Outside of any transaction. */
async function analyse(db: Database, which: 'all' | 'planned' = 'planned'): Promise<void> {
  const verb = db.dialect === 'postgres' ? 'VACUUM ANALYZE' : 'ANALYZE'
  for (const table of which === 'all' ? [''] : ['payment_agreements', 'renewals', 'jobs'])
    await db.sequelize.query(`${verb} ${table}`)
}

const now = `'2026-01-01 09:00:00.000 +00:00'`
const publisherEmail = 'bench@example.test'

/** A publisher with three titles, readers, and agreements of every fifth reader, one for each day of the year and one past renewal each. */
async function fill({ db }: Running): Promise<void> {
  const { numbers, day, flag } = words(db)
  const offers = ['pub', 'partner'].flatMap((whose) =>
    ['', '_post', '_tel', '_sms'].map((by) => `${whose}_offers${by}`),
  )
  const months = 'CASE n % 10 WHEN 0 THEN 1 WHEN 1 THEN 3 WHEN 2 THEN 6 WHEN 3 THEN 6 ELSE 12 END'
  await db.transaction(async () => {
    const [user] = await db.query<{
      id: number
    }>(`INSERT INTO users (user_type, email, email_key, created_at, updated_at)
      VALUES ('publisher', '${publisherEmail}', '${publisherEmail}', ${now}, ${now}) RETURNING id`)
    const publisher = user?.id
    await db.run(
      `INSERT INTO accounts (user_id, country, created_at, updated_at) VALUES (${publisher}, 'GB', ${now}, ${now})`,
    )
    for (const name of ['one', 'two', 'three'])
      await db.run(`INSERT INTO publications (publisher_id, publication_name, url_key, url_key_lower, created_at, updated_at)
        VALUES (${publisher}, 'Title ${name}', 'bench-${name}', 'bench-${name}', ${now}, ${now})`)
    const title = `(SELECT MIN(id) FROM publications WHERE publisher_id = ${publisher}) + n % 3`
    const renewsOn = day(`'${today}'`, '(n % 365)')
    // Readers of an agreement have paid for no more than it says, whatever day it is given.
    const endOn = `CASE WHEN n % ${each} = 0 THEN ${day(`'${today}'`, '-60')} ELSE ${renewsOn} END`
    await db.run(`INSERT INTO readers (id, publication_id, unique_reference, title, first_name, last_name, full_name, email, address_one, city, post_code,
        country, ${offers.join(', ')}, sub_start_on, sub_end_on, sub_renew_on, sub_type, sub_paid, sub_currency, key_name, key_surname,
        key_post_code, key_address, key_email, key_company, mail_sort, post_code_state, address_state, origin, is_deleted, created_at, updated_at)
      SELECT 1000000 + n, ${title}, 'R' || n, 'Mr', 'Ann', 'Adams' || n % 9973, 'Ann Adams' || n % 9973, 'r' || n || '@example.test', '1 Quay Street',
        'Whitby', 'YO21 ' || n % 997, CASE n % 20 WHEN 0 THEN 'FR' WHEN 1 THEN 'US' WHEN 2 THEN '' ELSE 'GB' END,
        ${offers.map(() => flag(true)).join(', ')}, ${day(renewsOn, '-365')}, ${endOn}, ${endOn}, 'print', 2500, 'GBP', 'annadams' || n % 9973,
        'adams' || n % 9973, 'YO21' || n % 997, '1quaystreet', 'r' || n || '@example.test', '', 'YO21' || n % 997, 'ok', 'ok', 'file', ${flag(false)},
        ${now}, ${now}
      FROM ${numbers(readers)}`)
    // Everything of an agreement has its number; its reader is found by that.
    const readerOf = (id: string) => `1000000 + (${id} - 1000000) * ${each}`
    await db.run(`INSERT INTO buyers (id, publication_id, email, email_key, first_name, last_name, created_at, updated_at)
      SELECT 1000000 + n, publication_id, email, email, first_name, last_name, ${now}, ${now}
      FROM ${numbers(agreements)} JOIN readers r ON r.id = 1000000 + n * ${each}`)
    await db.run(`INSERT INTO orders (id, publisher_id, publication_id, order_number, state, kind, idempotency_key, placed_at, ordered_on, product,
        product_name, term_months, is_recurring, band, country, currency, product_price, amount, payment_type, sub_start_on, sub_end_on, buyer_id,
        reader_id, first_name, last_name, email, billing, created_at, updated_at)
      SELECT b.id, ${publisher}, b.publication_id, 'OD-' || b.id, 'paid', 'subscription', 'bench-' || b.id, ${now}, r.sub_start_on, 'print', 'Print', 12,
        ${flag(true)}, 'UK', 'GB', 'GBP', 2500, 2500, 'Card', r.sub_start_on, r.sub_end_on, b.id, r.id, 'Ann', 'Adams', b.email, '{}', ${now}, ${now}
      FROM buyers b JOIN readers r ON r.id = ${readerOf('b.id')} WHERE b.id > 1000000`)
    await db.run(`INSERT INTO payment_agreements (id, publication_id, buyer_id, reader_id, order_id, provider, customer_reference, method_reference,
        state, product, term_months, band, renews_on, price, currency, consent_text, contract_on, last_four, expires_on, created_at, updated_at)
      SELECT b.id, b.publication_id, b.id, r.id, b.id, CASE WHEN n % 7 = 0 THEN 'stripe-bacs' ELSE 'stripe-card' END, 'cus_' || n, 'pm_' || n,
        'active', 'print', ${months}, 'UK', ${renewsOn}, 2500, 'GBP', 'Renews automatically until you turn it off', r.sub_start_on, '4242',
        CASE WHEN n % 7 > 0 THEN ${day(`'${today}'`, 'n % 41 * 37')} END, ${now}, ${now}
      FROM (SELECT id - 1000000 AS n, id, publication_id FROM buyers WHERE id > 1000000) b JOIN readers r ON r.id = ${readerOf('b.id')}`)
    await db.run(`INSERT INTO renewals (publisher_id, publication_id, agreement_id, cycle_on, charge_on, grace_until, amount, currency, state, attempts,
        order_id, reason, noticed_on, settled_at, created_at, updated_at)
      SELECT ${publisher}, publication_id, id, cycle_on, cycle_on, ${day('cycle_on', '21')}, price, currency,
        CASE id % 10 WHEN 0 THEN 'lapsed' WHEN 1 THEN 'cancelled' ELSE 'paid' END, 1, id, '', ${day('cycle_on', '-30')}, ${now}, ${now}, ${now}
      FROM (SELECT id, publication_id, price, currency, ${day('renews_on', '-400')} AS cycle_on FROM payment_agreements WHERE id > 1000000) a`)
  })
  await analyse(db, 'all')
}

/** Takes back what was planned, and gives every agreement the day that `renewsOn` says; some are declined and open. */
async function begin({ db }: Running, renewsOn: string, { declined }: { declined: boolean }): Promise<void> {
  const { day } = words(db)
  await db.transaction(async () => {
    await db.run(`DELETE FROM renewals WHERE state NOT IN ('paid', 'lapsed', 'cancelled')`)
    await db.run(`DELETE FROM jobs WHERE name = 'send-mail'`)
    await db.run(`UPDATE payment_agreements SET state = 'active', renews_on = ${renewsOn} WHERE id > 1000000`)
    if (!declined) return
    const declinedOn = day(`'${today}'`, '-1 - id % 14')
    await db.run(`UPDATE payment_agreements SET renews_on = ${declinedOn} WHERE id > 1000000 AND id % 10 = 9`)
    await db.run(`INSERT INTO renewals (publisher_id, publication_id, agreement_id, cycle_on, charge_on, grace_until, amount, currency, state, attempts,
        next_try_on, order_id, reason, noticed_on, told_on, created_at, updated_at)
      SELECT p.publisher_id, a.publication_id, a.id, a.renews_on, a.renews_on, ${day('a.renews_on', '21')}, price, currency,
        CASE WHEN a.id % 20 = 9 THEN 'waiting' ELSE 'retrying' END, 1, CASE WHEN a.id % 20 <> 9 THEN ${day(`'${today}'`, '1 + a.id % 7')} END, order_id,
        'The card has insufficient funds', ${day('a.renews_on', '-30')}, a.renews_on, ${now}, ${now}
      FROM payment_agreements a JOIN publications p ON p.id = a.publication_id WHERE a.id > 1000000 AND a.id % 10 = 9`)
  })
  await analyse(db)
}

/** The same database, whose transactions are timed: what else writes on SQLite waits for the longest. */
function watched(db: Database): { db: Database; longest: () => number } {
  let longest = 0
  // Two may be under way at once, each with what it holds.
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
  plan = async (of: AppContext, day: string) => (await planDay(of, day)).planned,
): Promise<void> {
  const clock: number[] = []
  const processor: number[] = []
  let [planned, longest] = [0, 0]
  const before = process.memoryUsage().rss
  let peak = before
  const look = () => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }
  const timer = setInterval(look, 10)
  for (let round = 0; round < times; round++) {
    const { db, longest: ofThis } = watched(ctx.db)
    const [started, used] = [performance.now(), process.cpuUsage()]
    planned += await plan({ ...ctx, db }, on)
    clock.push(performance.now() - started)
    const { user, system } = process.cpuUsage(used)
    processor.push((user + system) / 1000)
    longest = Math.max(longest, ofThis())
  }
  clearInterval(timer)
  look()
  const mb = `${Math.round(peak / 1e6)} (+${Math.round((peak - before) / 1e6)})`
  say(`| ${[what, planned, shown(median(clock)), shown(median(processor)), shown(longest), mb].join(' | ')} |`)
}

async function measurePlans(services: Running): Promise<void> {
  const ctx = contextFor(services, { kind: 'operator' }, { entryPoint: 'test' })
  const { day } = words(services.db)
  say('\n| plan | planned | ms | processor ms | longest transaction ms | memory MB |\n|---|---|---|---|---|---|')
  await begin(services, day(`'${today}'`, '1 + id % 365'), { declined: false })
  await measurePlan(ctx, 'spread over the year: all that comes near, at first', today)
  await analyse(services.db)
  await measurePlan(ctx, 'again: nothing is due', today, rounds)
  await measurePlan(ctx, 'the next day', addDays(today, 1))
  await begin(services, day(`'${today}'`, '1 + id % 30'), { declined: false })
  await services.db.run(`UPDATE payment_agreements SET term_months = 1 WHERE id > 1000000`)
  await measurePlan(ctx, 'all of them monthly: a week, at first', today)
  await analyse(services.db)
  await measurePlan(ctx, 'again: nothing is due', today, rounds)
  await measurePlan(ctx, 'the next day', addDays(today, 1))
  await services.db.run(
    `UPDATE payment_agreements SET term_months = CASE id % 10 WHEN 0 THEN 1 WHEN 1 THEN 3 WHEN 2 THEN 6 WHEN 3 THEN 6 ELSE 12 END WHERE id > 1000000`,
  )
  await begin(services, day(`'${today}'`, '7'), { declined: false })
  await measurePlan(ctx, 'all due at once', today)
  await measurePlan(ctx, 'again: nothing is due', today, rounds)
}

/** The renewal series: a day among all readers, of whom a tenth end within a month in which nothing was planned, and an hour with nothing due. */
async function measureSeries(services: Running): Promise<void> {
  const { db } = services
  const ctx = contextFor(services, { kind: 'operator' }, { entryPoint: 'test' })
  const plan = async (of: AppContext, on: string) => (await planEffortsOn(of, on)).mails
  await db.run(`UPDATE accounts SET automated_renewal_emails = :yes`, { yes: true })
  await db.run(`DELETE FROM reader_efforts`)
  await db.run(`DELETE FROM jobs WHERE name = 'send-mail'`)
  await analyse(db)
  say('\n| series | mails | ms | processor ms | longest transaction ms | memory MB |\n|---|---|---|---|---|---|')
  await measurePlan(ctx, 'the first day: a week of each effort', today, 1, plan)
  await analyse(db)
  await measurePlan(ctx, 'again: nothing is due', today, rounds, plan)
  await measurePlan(ctx, 'the next day', addDays(today, 1), 1, plan)
  await measurePlan(ctx, 'after three missed days', addDays(today, 5), 1, plan)
}

async function measureLists(services: Running): Promise<void> {
  const { db } = services
  const { day } = words(db)
  await begin(services, day(`'${today}'`, '1 + id % 59'), { declined: true })
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
  say('\n| list | rows | median ms | first ms | processor ms |\n|---|---|---|---|---|')
  const measure = async (name: string, work: () => Promise<number>) => {
    const clock: number[] = []
    const processor: number[] = []
    let rows = 0
    for (let round = 0; round < rounds; round++) {
      const [started, used] = [performance.now(), process.cpuUsage()]
      rows = await work()
      clock.push(performance.now() - started)
      const { user, system } = process.cpuUsage(used)
      processor.push((user + system) / 1000)
    }
    say(`| ${[name, rows, shown(median(clock)), shown(clock[0] ?? 0), shown(median(processor))].join(' | ')} |`)
  }
  const coming = async (input: object) => (await comingRenewals(ctx, input)).total
  const failed = async (input: object) => (await failedRenewals(ctx, input)).total
  const last = async (of: (asked: object) => Promise<number>) => Math.ceil((await of({})) / 10)
  await measure('coming, first page with sums', () => coming({}))
  const lastComing = await last(coming)
  await measure('coming, last page', () => coming({ page: lastComing }))
  await measure('coming, page in the middle', () => coming({ page: lastComing >> 1 }))
  await measure('coming, a title', () => coming({ publicationId }))
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

/** What visitors of a storefront wait, to the last byte, one every 50 ms: before the worker starts to plan everything, and while it does. */
async function measureStorefront(services: Running, storage: Record<string, string>): Promise<void> {
  const { db } = services
  await begin(services, words(db).day(`'${today}'`, '7'), { declined: false })
  await db.run(`DELETE FROM jobs WHERE name = 'plan-renewals'`)
  const planned = async () => {
    const [row] = await db.query<{ n: number }>(
      `SELECT COUNT(*) AS n FROM renewals WHERE agreement_id > 1000000 AND state = 'planned'`,
    )
    return Number(row?.n ?? 0)
  }
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = { ...storage, PORT: String(port), SEED: 'none', APP_URL: url, APP_SECRET: secret, MAIL_URL: '' }
  const web = startBuilt(env, 'web')
  const pages = ['/harbour-light', '/harbour-light?made=anew']
  const visit = async (until: () => boolean) => {
    const times = pages.map((): number[] => [])
    for (let turn = 0; !until(); turn++) {
      const started = performance.now()
      const answer = await fetch(url + pages[turn % 2])
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`)
      times[turn % 2]?.push(performance.now() - started)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return times
  }
  const share = (list: number[], part: number) => list.toSorted((a, b) => a - b)[Math.floor(list.length * part)] ?? 0
  let worker: ReturnType<typeof startBuilt> | undefined
  try {
    await answering(`${url}/harbour-light`)
    await visit(after(5000))
    const quiet = await visit(after(15_000))
    worker = startBuilt(env, 'worker')
    const started = performance.now()
    let isPlanned = false
    const watching = (async () => {
      while ((await planned()) < agreements) await new Promise((resolve) => setTimeout(resolve, 500))
      isPlanned = true
      return (performance.now() - started) / 1000
    })()
    const busy = await visit(() => isPlanned)
    const sending = await visit(after(10_000))
    for (const [what, times] of [
      ['before', quiet],
      [`while ${agreements} are planned (${(await watching).toFixed(0)} s)`, busy],
      ['after, while their mails are sent', sending],
    ] as const)
      for (const [index, page] of pages.entries()) {
        const list = times[index] ?? []
        say(
          `| ${[page, what, ...[0.5, 0.95, 0.999].map((part) => shown(share(list, part))), list.length].join(' | ')} |`,
        )
      }
  } finally {
    if (worker) await stop(worker)
    await stop(web)
  }
}

/** The first day of the renewal series by the built worker: how long, its processor time and memory, and what visitors of a storefront wait. */
async function measureWorker(services: Running, storage: Record<string, string>): Promise<void> {
  const { db } = services
  // Nothing else to plan: their readers renew automatically, later.
  await db.run(`UPDATE payment_agreements SET state = 'active', renews_on = '2090-01-01' WHERE id > 1000000`)
  await db.run(`UPDATE accounts SET automated_renewal_emails = :yes`, { yes: true })
  await db.run(`DELETE FROM reader_efforts`)
  await db.run(`DELETE FROM emails`)
  await db.run(`DELETE FROM jobs`)
  await analyse(db, 'all')
  const planned = async () =>
    Number((await db.query<{ n: number }>(`SELECT COUNT(*) AS n FROM reader_efforts`))[0]?.n ?? 0)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = { ...storage, PORT: String(port), SEED: 'none', APP_URL: url, APP_SECRET: secret, MAIL_URL: '' }
  const web = startBuilt(env, 'web')
  const visit = async (until: () => boolean) => {
    const times: number[] = []
    for (let turn = 0; !until(); turn++) {
      const started = performance.now()
      const answer = await fetch(`${url}/harbour-light${turn % 2 === 0 ? '' : '?made=anew'}`)
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`)
      times.push(performance.now() - started)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return times.toSorted((a, b) => a - b)
  }
  const share = (list: number[], part: number) => shown(list[Math.floor(list.length * part)] ?? 0)
  let worker: ReturnType<typeof startBuilt> | undefined
  try {
    await answering(`${url}/harbour-light`)
    await visit(after(5000))
    const quiet = await visit(after(10_000))
    worker = startBuilt(env, 'worker')
    const started = performance.now()
    const pid = await roleOf(Number(worker.pid))
    let [isPlanned, last, ended, processor] = [false, 0, 0, 0]
    const watching = (async () => {
      // Planned is what has not grown for some seconds.
      for (let still = 0; last === 0 || still < 10; ) {
        await new Promise((resolve) => setTimeout(resolve, 500))
        const count = await planned()
        still = count === last ? still + 1 : 0
        if (count !== last) [ended, processor] = [performance.now(), processorOf(pid)]
        last = count
      }
      isPlanned = true
    })()
    const busy = await visit(() => isPlanned)
    await watching
    const peak = peakOf(pid)
    const sending = await visit(after(20_000))
    say(
      `\n${last} efforts planned by the built worker in ${((ended - started) / 1000).toFixed(1)} s from its start, ${processor.toFixed(1)} s of its processor time, peak ${peak} MB, ${peakOf(pid)} MB while their mails are sent\n`,
    )
    say('| visits | median ms | p95 | slowest | number |\n|---|---|---|---|---|')
    for (const [what, times] of [
      ['before', quiet],
      ['while it plans, and sends what is planned', busy],
      ['while their mails are sent', sending],
    ] as const)
      say(`| ${[what, share(times, 0.5), share(times, 0.95), share(times, 0.999), times.length].join(' | ')} |`)
  } finally {
    if (worker) await stop(worker)
    await stop(web)
  }
}

/** The process that works: its parent starts it again after a fault. */
async function roleOf(parent: number): Promise<number> {
  for (;;) {
    const [child] = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').split(' ')
    if (child) return Number(child)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** The most memory that a process has held, in MB, and its processor time in seconds, as Linux counts them. */
const peakOf = (pid: number) =>
  Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000)

function processorOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function after(ms: number): () => boolean {
  const end = performance.now() + ms
  return () => performance.now() > end
}

async function run(name: string, databaseUrl: string): Promise<void> {
  const storage = { DATA_DIR: folder, DATABASE_URL: databaseUrl }
  const services = await makeServices(
    readEnv({ ...process.env, ...storage, SEED: 'none', APP_SECRET: secret, LOG_LEVEL: 'warn' }),
  )
  try {
    await migrate(services.db)
    const there = await services.db.query(`SELECT id FROM payment_agreements WHERE id > 1000000 LIMIT 1`)
    const started = performance.now()
    if (there.length === 0) {
      // Its storefront is what visitors ask for; it goes into an empty database only.
      await seedDemo(services)
      await fill(services)
    }
    say(`\n#### ${name}\n\nFilled in ${Math.round((performance.now() - started) / 1000)} s, load ${load()}`)
    if (given.only.includes('plan')) await measurePlans(services)
    if (given.only.includes('series')) await measureSeries(services)
    if (given.only.includes('worker')) await measureWorker(services, storage)
    if (given.only.includes('lists')) await measureLists(services)
    if (given.only.includes('storefront')) {
      say('\n| page | when | median ms | p95 | slowest | visits |\n|---|---|---|---|---|---|')
      await measureStorefront(services, storage)
    }
  } finally {
    await services.db.close()
  }
}

const load = () =>
  loadavg()
    .map((value) => value.toFixed(1))
    .join(', ')
say(
  `### Renewals of ${agreements.toLocaleString('en-GB')} agreements, ${readers.toLocaleString('en-GB')} readers, ${today}`,
)
say(`\n${cpus().length} × ${cpus()[0]?.model}, load ${load()}`)
try {
  if (given.databases.includes('sqlite')) await run('SQLite', '')
  if (given.databases.includes('postgres'))
    await onPostgres('renewals', (url) => run('PostgreSQL', url), given.keep !== undefined)
  say(`\nLoad at the end ${load()}`)
} finally {
  if (!given.keep) rmSync(folder, { recursive: true, force: true })
}
