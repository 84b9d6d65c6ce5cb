import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import type { Actor } from '#core/access/actor.ts'
import { circulation } from '#core/analytics/circulation.query.ts'
import { growthPart } from '#core/analytics/growth-part.ts'
import { growthPartNames } from '#core/analytics/growth-parts.ts'
import { revenue } from '#core/analytics/revenue.query.ts'
import { storefrontViews } from '#core/analytics/storefront-views.query.ts'
import { subscriberFigures } from '#core/analytics/subscriber-figures.query.ts'
import { topBarFigures } from '#core/analytics/top-bar.query.ts'
import { type AppContext, contextFor } from '#core/context.ts'
import { orderNumberLetters } from '#core/kernel/order-number.rules.ts'
import { exportOrders } from '#core/ledger/export-orders.ts'
import { ledgerTotals } from '#core/ledger/ledger-totals.query.ts'
import { makeJournal } from '#core/ledger/make-journal.ts'
import { ledgerSchedule } from '#core/ledger/schedule.query.ts'
import { verifyLedger } from '#core/ledger/verify-ledger.ts'
import { analyseIndexes } from '#core/maintenance/analyse-indexes.ts'
import { listOrders } from '#core/orders/list-orders.query.ts'
import { migrate } from '#core/platform/database/migrate.ts'
import { readEnv } from '#core/platform/env.ts'
import { makeServices, type Running } from '#core/platform/make-services.ts'
import { onPostgres } from './bench-database.ts'
import { loadAverages, say, shown } from './printed.ts'

/**
 * The sales ledger of one publisher with `--rows` orders over five years, three titles, three currencies, refunds and disputes, and `--readers`
 * readers: pages, sums, schedule, journal, growth, dashboard, circulation and download. Server time of the use case, median of `--rounds`,
 * with the CPU time of this process (on SQLite including the database's own).
 *   npm run bench -- ledger --rows 1000000 --databases sqlite,postgres
 */
const { values: given } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    databases: { type: 'string', default: 'sqlite,postgres' },
    rounds: { type: 'string', default: '5' },
    readers: { type: 'string', default: '1000000' },
    /** Keeps the databases, the SQLite file in this directory, and reuses existing ones. */
    keep: { type: 'string' },
    /** Runs only the measurements whose name matches this pattern. */
    only: { type: 'string', default: '' },
  },
})
const orders = Number(given.rows)
const readers = Number(given.readers)
const rounds = Number(given.rounds)
const folder = given.keep ?? mkdtempSync(join(tmpdir(), 'masthead-ledger-'))
if (given.keep) mkdirSync(given.keep, { recursive: true })
const today = '2026-11-23'

async function measure(name: string, work: () => Promise<unknown>, times = rounds): Promise<void> {
  if (!new RegExp(given.only).test(name)) return
  const clock: number[] = []
  const cpu: number[] = []
  for (let round = 0; round < times; round++) {
    const started = performance.now()
    const used = process.cpuUsage()
    await work()
    clock.push(performance.now() - started)
    const { user, system } = process.cpuUsage(used)
    cpu.push((user + system) / 1000)
  }
  const first = shown(clock[0] as number)
  const median = (list: number[]) => list.sort((a, b) => a - b)[list.length >> 1] as number
  say(`| ${name} | ${shown(median(clock))} | ${shown(clock[0] as number)} | ${first} | ${shown(median(cpu))} |`)
}

/** A publisher with three titles and all their sales, in a few statements: n counts the orders, oldest first. */
async function fill({ db }: Running): Promise<void> {
  const isPostgres = db.dialect === 'postgres'
  const day = (text: string, days: string) =>
    isPostgres ? `(DATE '${text}' + CAST(${days} AS INTEGER))` : `date('${text}', (${days}) || ' days')`
  const after = (from: string, text: string) =>
    isPostgres ? `CAST(${from} + interval '${text}' AS DATE)` : `date(${from}, '${text}')`
  const numbers = isPostgres
    ? `generate_series(1, ${orders}) AS s (n)`
    : `(WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${orders}) SELECT n FROM s) s`
  const now = `'2026-11-23 09:00:00.000 +00:00'`
  const names = ['Adams', 'Brown', 'Clark', 'Davies', 'Evans', 'Finch', 'Green', 'Hughes', 'Iqbal', 'Jones', 'Khan']
  const firsts = ['Ann', 'Ben', 'Cara', 'Dev', 'Ella', 'Finn', 'Gita', 'Hugh', 'Ines', 'Jack', 'Kay', 'Lou', 'Mo']
  const pick = (list: readonly string[], by: string) =>
    `CASE ${by} ${list.map((word, index) => `WHEN ${index} THEN '${word}'`).join(' ')} END`
  const currency = pick(['GBP', 'GBP', 'GBP', 'EUR', 'USD'], 'n % 5')
  // Seven letters and digits, as newOrderNumber makes them; all different, since the factor has no divisor in common with 30.
  const letter = (place: number) =>
    `substr('${orderNumberLetters}', CAST((CAST(n AS BIGINT) * ${numberFactor} / ${30 ** place}) % 30 AS INTEGER) + 1, 1)`
  const orderNumber = `'OD-' || ${[6, 5, 4, 3, 2, 1, 0].map(letter).join(' || ')}`
  const product = pick(['print', 'bundle', 'print', 'digital', 'print', 'bundle', 'print'], 'n % 7')
  const term = `CASE n % 11 WHEN 0 THEN 24 WHEN 1 THEN 6 WHEN 2 THEN 3 ELSE 12 END`
  await db.transaction(async () => {
    await db.run(`INSERT INTO users (id, user_type, email, email_key, created_at, updated_at)
      VALUES (1, 'publisher', 'bench@example.test', 'bench@example.test', ${now}, ${now})`)
    await db.run(`INSERT INTO accounts (user_id, created_at, updated_at) VALUES (1, ${now}, ${now})`)
    for (const id of [1, 2, 3])
      await db.run(`INSERT INTO publications (id, publisher_id, publication_name, url_key, url_key_lower, created_at, updated_at)
        VALUES (${id}, 1, '${['Harbour Light', 'Garden Notes', 'Rail World'][id - 1]}', 'bench-${id}', 'bench-${id}', ${now}, ${now})`)
    const orderedOn = day('2021-11-24', `CAST(n AS BIGINT) * 1825 / ${orders}`)
    await db.run(`INSERT INTO orders (id, publisher_id, publication_id, order_number, state, kind, idempotency_key, placed_at, ordered_on,
        product, product_name, term_months, is_gift, band, country, currency, product_price, amount, payment_type, sub_start_on, sub_end_on,
        title, first_name, last_name, email, billing, created_at, updated_at)
      SELECT n, 1, 1 + n % 3, ${orderNumber}, CASE WHEN n % 33 = 0 THEN 'refunded' WHEN n % 997 = 0 THEN 'reversed' ELSE 'paid' END,
        'subscription', 'k' || n, ${now}, ordered_on, product, product || ', ' || months || ' months', months, n % 17 = 0, 'UK', 'GB', currency,
        amount, amount, payment, ordered_on, ${isPostgres ? `CAST(ordered_on + months * interval '1 month' AS DATE) - 1` : `date(ordered_on, months || ' months', '-1 day')`},
        ${pick(['Mr', 'Mrs', 'Ms', ''], 'n % 4')}, ${pick(firsts, 'n % 13')}, (${pick(names, 'n % 11')}) || (n % 1009), 'r' || n || '@example.test',
        '{"addressOne":"1 Quay Street","addressTwo":"","town":"Whitby","county":"North Yorkshire","postcode":"YO21 1AA","country":"GB"}', ${now}, ${now}
      FROM (SELECT n, ${orderedOn} AS ordered_on, ${product} AS product, ${currency} AS currency, ${term} AS months,
        CASE WHEN n % 50 = 0 THEN 0 ELSE 999 + n % 7 * 500 + n % 3 END AS amount,
        CASE WHEN n % 50 = 0 THEN 'Free' ELSE ${pick(['Card', 'Card', 'PayPal', 'Direct Debit', 'Card'], 'n % 5')} END AS payment FROM ${numbers}) made`)
    await db.run(`INSERT INTO payments (order_id, provider, state, amount, currency, idempotency_key, created_at, updated_at)
      SELECT id, CASE payment_type WHEN 'PayPal' THEN 'paypal' WHEN 'Direct Debit' THEN 'stripe-bacs' WHEN 'Free' THEN 'free' ELSE 'stripe-card' END,
        'paid', amount, currency, idempotency_key, ${now}, ${now} FROM orders ORDER BY id`)
    const entry = 'publisher_id, publication_id, order_id, kind, cause, entered_on, currency, amount, vat, product'
    const vat = `CASE WHEN product = 'digital' THEN amount / 6 ELSE 0 END`
    const period = 'service_start_on, service_end_on, term_months'
    await db.run(`INSERT INTO ledger_entries (${entry}, ${period}, created_at)
      SELECT publisher_id, publication_id, id, 'sale', '', ordered_on, currency, amount, ${vat}, product, sub_start_on, sub_end_on, term_months, ${now}
      FROM orders ORDER BY ordered_on, id`)
    // Full refunds a month later, over the whole term, and disputes immediately.
    await db.run(`INSERT INTO ledger_entries (${entry}, ${period}, created_at)
      SELECT publisher_id, publication_id, id, 'refund', 'refund:' || id, ${after('ordered_on', '1 month')}, currency, -amount, -(${vat}), product,
        sub_start_on, sub_end_on, term_months, ${now} FROM orders WHERE state = 'refunded' AND amount > 0 ORDER BY id`)
    await db.run(`INSERT INTO ledger_entries (${entry}, ${period}, created_at)
      SELECT publisher_id, publication_id, id, 'dispute', 'dispute:' || id, ${after('ordered_on', '2 months')}, currency, -amount, -(${vat}), product,
        sub_start_on, sub_end_on, term_months, ${now} FROM orders WHERE state = 'reversed' AND amount > 0 ORDER BY id`)
  })
  if (readers > 0) await fillReaders(db)
  // Outside of any transaction, as PostgreSQL requires.
  if (isPostgres) await db.sequelize.query('VACUUM ANALYZE')
}

/** Readers of the three titles, two thirds with a running term, a third with an earlier one, and the views of their storefronts. */
async function fillReaders(db: Running['db']): Promise<void> {
  const isPostgres = db.dialect === 'postgres'
  const day = (text: string, days: string) =>
    isPostgres ? `(DATE '${text}' + CAST(${days} AS INTEGER))` : `date('${text}', (${days}) || ' days')`
  const now = `'2026-11-23 09:00:00.000 +00:00'`
  const numbers = isPostgres
    ? `generate_series(1, ${readers}) AS s (n)`
    : `(WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${readers}) SELECT n FROM s) s`
  const [yes, no] = isPostgres ? ['TRUE', 'FALSE'] : ['1', '0']
  const offers = ['pub', 'partner'].flatMap((whose) =>
    ['', '_post', '_tel', '_sms'].map((by) => `${whose}_offers${by}`),
  )
  await db.transaction(async () => {
    await db.run(`INSERT INTO readers (id, publication_id, unique_reference, title, first_name, last_name, full_name, email, address_one, city, post_code,
        country, ${offers.join(', ')}, sub_start_on, sub_end_on, sub_renew_on, sub_type, sub_paid, sub_currency, key_name, key_surname,
        key_post_code, key_address, key_email, key_company, mail_sort, post_code_state, address_state, origin, is_deleted, created_at, updated_at)
      SELECT n, 1 + n % 3, 'R' || n, 'Mr', 'Ann', 'Adams' || (n % 9973), 'Ann Adams' || (n % 9973), 'r' || n || '@example.test', '1 Quay Street', 'Whitby',
        'YO21 ' || (n % 997), CASE n % 20 WHEN 0 THEN 'FR' WHEN 1 THEN 'US' WHEN 2 THEN 'DE' WHEN 3 THEN '' ELSE 'GB' END,
        ${offers.map((_, index) => (index % 3 === 0 ? yes : no)).join(', ')}, start_on, end_on, end_on,
        CASE n % 7 WHEN 0 THEN 'digital' WHEN 1 THEN 'bundle' WHEN 2 THEN '' ELSE 'print' END, CASE WHEN n % 4 > 0 THEN 999 + n % 7 * 500 END,
        CASE n % 5 WHEN 0 THEN 'EUR' WHEN 1 THEN 'USD' ELSE 'GBP' END, 'annadams' || (n % 9973), 'adams' || (n % 9973), 'YO21' || (n % 997),
        '1quaystreet', 'r' || n || '@example.test', '', 'YO21' || (n % 997), 'ok', 'ok', 'file', ${isPostgres ? 'n % 50 = 0' : '(n % 50 = 0)'}, ${now}, ${now}
      FROM (SELECT n, start_on, CASE WHEN n % 40 = 0 THEN ${day('2100-01-01', '0')}
          ELSE ${isPostgres ? `start_on + CAST(365 * (1 + n % 2) AS INTEGER)` : `date(start_on, (365 * (1 + n % 2)) || ' days')`} END AS end_on
        FROM (SELECT n, ${day('2024-08-01', `(CAST(n AS BIGINT) * 7919) % 850`)} AS start_on FROM ${numbers}) begun) made`)
    const terms =
      'publication_id, reader_id, known_on, product, amount, currency, country, starts_on, ends_on, active_from, active_until'
    await db.run(`INSERT INTO circulation_terms (${terms})
      SELECT publication_id, id, sub_start_on, sub_type, sub_paid, sub_currency, country, sub_start_on, sub_end_on, sub_start_on, sub_end_on
      FROM readers WHERE sub_type <> '' AND NOT is_deleted ORDER BY publication_id, id`)
    await db.run(`INSERT INTO circulation_terms (${terms}, ended_on, ended_why)
      SELECT publication_id, id, ${day('2023-01-01', '0')}, sub_type, sub_paid, sub_currency, country, ${day('2023-01-01', '0')}, ${day('2023-12-31', '0')},
        ${day('2023-01-01', '0')}, ${day('2023-12-31', '0')}, ${day('2024-01-01', '0')}, 'changed'
      FROM readers WHERE sub_type <> '' AND NOT is_deleted AND id % 3 = 0 ORDER BY publication_id, id`)
    await db.run(`INSERT INTO page_views (publication_id, viewed_on, visitor_hash, views)
      SELECT 1 + n % 3, ${day('2025-11-24', 'n % 365')}, 'visitor' || n, 1 + n % 4 FROM ${numbers} WHERE n <= 300000`)
  })
}

const numberFactor = 7_919_000_003

/** The letters and digits of the number of the n-th order. */
function numberOf(n: number): string {
  const value = BigInt(n) * BigInt(numberFactor)
  const letter = (place: number) => orderNumberLetters[Number((value / 30n ** BigInt(place)) % 30n)]
  return [6, 5, 4, 3, 2, 1, 0].map(letter).join('')
}

/** For each kind of filter, one that matches many orders and one that matches few or none. */
const choices: [string, Record<string, unknown>][] = [
  ['payment card', { payment: 'stripe-card' }],
  ['payment cash, none', { payment: 'cash' }],
  ['product digital', { product: 'digital' }],
  ['back issues, none', { product: 'back-issues' }],
  ['state paid', { state: 'paid' }],
  ['state refunded', { state: 'refunded' }],
  ['state part-refunded, none', { state: 'part-refunded' }],
  ['state unpaid, none', { state: 'unpaid' }],
  ['gifts', { source: 'gift' }],
  ['renewals, none', { source: 'renewal' }],
  ['by phone, none', { channel: 'phone' }],
]

const pages: [string, Record<string, unknown>][] = [
  ['page 1, newest first', {}],
  ['page 50,000 of 100,000', { page: 50_000 }],
  ['a title', { publicationId: 2 }],
  ['a month', { from: '2025-03-01', until: '2025-03-31' }],
  ['a year by last name', { from: '2024-01-01', until: '2024-12-31', sort: 'lastName' }],
  ['all of them, by amount', { sort: '-amount' }],
  ['all, by last name', { sort: 'lastName' }],
  ['all, by first name, page 50,000', { sort: 'firstName', page: 50_000 }],
  ['all, by payment', { sort: 'paymentType' }],
  ['all, by publication', { sort: 'publicationName' }],
  ['all, by product', { sort: '-productName' }],
  ['all, by end of term', { sort: '-subEndOn' }],
  ['all, by net', { sort: 'net' }],
  ['all, by liability', { sort: '-liability' }],
  ['a month by liability', { from: '2026-10-01', until: '2026-10-31', sort: '-liability' }],
  ['entered in a month', { from: '2025-03-01', until: '2025-03-31', by: 'entered' }],
  ['a rare name', { q: 'adams512' }],
  ['an order number', { q: `OD-${numberOf(orders >> 1)}` }],
  ['the middle of an order number', { q: numberOf(orders >> 1).slice(1, 6) }],
  ['a frequent name by amount', { q: 'adams', sort: '-amount' }],
  ['a title by its name', { q: 'harbour' }],
  ['two words', { q: 'ann print' }],
  ['nobody', { q: 'nobodyatall' }],
  ['a short word', { q: 'zz' }],
  ['a frequent name, the last page', { q: 'adams', page: 9_000 }],
  ['a rare name by liability', { q: 'adams512', sort: '-liability' }],
  ['entered in a year', { from: '2022-01-01', until: '2022-12-31', by: 'entered' }],
  ['entered in a year by amount', { from: '2024-01-01', until: '2024-12-31', by: 'entered', sort: 'amount' }],
  ['entered in four years', { from: '2022-01-01', until: '2025-12-31', by: 'entered' }],
  [
    'entered in four years by liability',
    { from: '2022-01-01', until: '2025-12-31', by: 'entered', sort: '-liability' },
  ],
  ['sold in a year', { from: '2022-01-01', until: '2022-12-31', by: 'sold' }],
  ...choices.map(([name, chosen]): [string, Record<string, unknown>] => [name, chosen]),
  ...choices.map(([name, chosen]): [string, Record<string, unknown>] => [
    `${name}, by last name`,
    { ...chosen, sort: 'lastName' },
  ]),
  ['digital by liability', { product: 'digital', sort: '-liability' }],
]

/** The ledger at the end of a year: its pages and totals without stored sums of that day. */
const asOf = '2025-12-31'
const past: [string, Record<string, unknown>][] = [
  ['newest first', {}],
  ['page 10,000', { page: 10_000 }],
  ['a month', { from: '2025-03-01', until: '2025-03-31' }],
  ['a year', { from: '2025-01-01', until: '2025-12-31' }],
  ['entered in a year', { from: '2025-01-01', until: '2025-12-31', by: 'entered' }],
  ['a year by last name', { from: '2025-01-01', until: '2025-12-31', sort: 'lastName' }],
  ['by liability', { sort: '-liability' }],
  ['a year by liability', { from: '2025-01-01', until: '2025-12-31', sort: '-liability' }],
  ['a frequent name', { q: 'adams' }],
  ['product digital', { product: 'digital' }],
  ['payment card', { payment: 'stripe-card' }],
  ['state paid', { state: 'paid' }],
  ['state refunded', { state: 'refunded' }],
]

async function run(name: string, databaseUrl: string): Promise<void> {
  const env = { DATA_DIR: folder, DATABASE_URL: databaseUrl, SEED: 'none', APP_SECRET: 'bench-'.repeat(8) }
  const services = await makeServices(readEnv({ ...process.env, ...env, LOG_LEVEL: 'warn' }))
  try {
    await migrate(services.db)
    // The totals of the day on which the pages are requested: those of a later day would not be used.
    const now = () => new Date(`${today}T10:00:00Z`)
    const operator: AppContext = { ...contextFor(services, { kind: 'operator' }, { entryPoint: 'test' }), now }
    const [{ n } = { n: 0 }] = await services.db.query<{ n: number }>('SELECT COUNT(*) AS n FROM orders')
    const started = performance.now()
    if (Number(n) === 0) {
      await fill(services)
      say(`\nFilled in ${Math.round((performance.now() - started) / 1000)} s`)
    }
    say(`\n| ${name} | median ms | fastest ms | first ms | CPU ms |\n|---|---|---|---|---|`)
    await measure('ledger verify --repair, every total rebuilt', () => verifyLedger(operator, { repair: true }), 1)
    // What autovacuum, or on SQLite a daily job, does in an installation.
    if (services.db.dialect === 'sqlite')
      await measure('statistics of all indexes', () => analyseIndexes(operator, {}), 1)
    else if (Number(n) === 0) await services.db.sequelize.query('VACUUM ANALYZE')
    const staff: Actor = {
      kind: 'staff',
      userId: 1,
      userType: 'publisher',
      publisherId: 1,
      email: 'bench@example.test',
    }
    const ctx: AppContext = { ...contextFor(services, staff, { entryPoint: 'test' }), now }
    for (const [what, input] of pages) await measure(`page: ${what}`, () => listOrders(ctx, input))
    for (const [what, input] of past)
      await measure(`as of a past day, ${what}`, () => listOrders(ctx, { ...input, asOf }))
    for (const [what, input] of past)
      await measure(`totals as of a past day, ${what}`, () => ledgerTotals(ctx, { ...input, asOf }))
    await measure('totals', () => ledgerTotals(ctx, {}))
    await measure('totals a year ago', () => ledgerTotals(ctx, { asOf: '2025-11-23' }))
    await measure('totals of a title', () => ledgerTotals(ctx, { publicationId: 2 }))
    await measure('totals of a month', () => ledgerTotals(ctx, { from: '2025-03-01', until: '2025-03-31' }))
    await measure('totals of a year', () => ledgerTotals(ctx, { from: '2024-01-01', until: '2024-12-31' }))
    await measure('totals of what was entered in a month', () =>
      ledgerTotals(ctx, { from: '2025-03-01', until: '2025-03-31', by: 'entered' }),
    )
    await measure('totals of a rare name', () => ledgerTotals(ctx, { q: 'adams512' }))
    await measure('totals of a frequent name', () => ledgerTotals(ctx, { q: 'adams' }))
    await measure('totals of what was entered in a year', () =>
      ledgerTotals(ctx, { from: '2024-01-01', until: '2024-12-31', by: 'entered' }),
    )
    await measure('totals of what was entered in four years', () =>
      ledgerTotals(ctx, { from: '2022-01-01', until: '2025-12-31', by: 'entered' }),
    )
    for (const [what, chosen] of choices) await measure(`totals: ${what}`, () => ledgerTotals(ctx, chosen))
    await measure('schedule of a month', () => ledgerSchedule(ctx, { from: '2026-10', until: '2026-10' }))
    await measure('schedule of a year', () => ledgerSchedule(ctx, {}))
    await measure('journal of a month', () => makeJournal(ctx, { month: '2026-10', layout: 'plain' }))
    for (const part of growthPartNames) await measure(`growth: ${part}`, () => growthPart(ctx, { part }))
    await measure('growth: the whole page', () => Promise.all(growthPartNames.map((part) => growthPart(ctx, { part }))))
    await measure('dashboard: revenue', () => revenue(ctx, {}))
    await measure('dashboard: top bar', () => topBarFigures(ctx, {}))
    // The memory cache belongs to a database object: another object for the same database has none.
    const cold = () => ({ ...ctx, db: { ...ctx.db } })
    await measure('dashboard: readers, cold', () => subscriberFigures(cold(), {}))
    await measure('dashboard: storefront views, cold', () => storefrontViews(cold(), {}))
    await measure('dashboard: the whole page, cold', () => {
      const first = cold()
      return Promise.all([
        subscriberFigures(first, {}),
        storefrontViews(first, {}),
        revenue(first, {}),
        topBarFigures(first, {}),
      ])
    })
    await measure('dashboard: the whole page, again', () =>
      Promise.all([subscriberFigures(ctx, {}), storefrontViews(ctx, {}), revenue(ctx, {}), topBarFigures(ctx, {})]),
    )
    await measure('circulation of a past day', () => circulation(ctx, { on: '2026-03-31' }))
    await measure('circulation of a past day and what changed since', () =>
      circulation(ctx, { on: '2026-03-31', since: '2026-02-28' }),
    )
    await measureDownload(ctx, databaseUrl)
  } finally {
    await services.db.close()
  }
}

/** The file, compared with an export of the same columns, and of the total of each order's entries, by the database's own program. */
async function measureDownload(ctx: AppContext, databaseUrl: string): Promise<void> {
  const read = async () => {
    const { chunks } = await exportOrders(ctx, {})
    let bytes = 0
    let peak = 0
    for await (const chunk of chunks) {
      bytes += chunk.length
      peak = Math.max(peak, process.memoryUsage().rss)
    }
    say(`| (${Math.round(bytes / 1e6)} MB of CSV, at most ${Math.round(peak / 1e6)} MB of memory) | | | | |`)
  }
  await measure('download of all orders', read, 2)
  const sql = `SELECT o.ordered_on, o.order_number, o.title, o.first_name, o.last_name, p.publication_name, o.product_name, o.payment_type, o.amount,
    o.currency, o.sub_start_on, o.sub_end_on, o.is_gift, m.net FROM orders o JOIN publications p ON p.id = o.publication_id
    LEFT JOIN (SELECT order_id, SUM(amount) AS net FROM ledger_entries GROUP BY order_id) m ON m.order_id = o.id
    WHERE o.publisher_id = 1 ORDER BY o.ordered_on DESC, o.id DESC`
  const exec = promisify(execFile)
  const tool = databaseUrl.startsWith('postgres')
    ? () =>
        exec('sh', [
          '-c',
          `psql "$0" -c "$1" > /dev/null`,
          databaseUrl,
          `\\copy (${sql.replaceAll(/\s+/g, ' ')}) to stdout with (format csv)`,
        ])
    : () => exec('sh', ['-c', `sqlite3 -csv "$0" "$1" > /dev/null`, join(folder, 'masthead.db'), sql])
  await measure("the database's own export", tool, 2).catch((error: Error) =>
    say(`| no tool: ${error.message.slice(0, 80)} | | | | |`),
  )
}

say(`### Sales ledger, ${orders.toLocaleString('en-GB')} orders over five years, ${today}`)
say(`\n${cpus().length} × ${cpus()[0]?.model}, load ${loadAverages()}`)
try {
  if (given.databases.includes('sqlite')) await run('SQLite', '')
  if (given.databases.includes('postgres'))
    await onPostgres('ledger', (url) => run('PostgreSQL', url), given.keep !== undefined)
  say(`\nLoad at the end ${loadAverages()}`)
} finally {
  if (!given.keep) rmSync(folder, { recursive: true, force: true })
}
