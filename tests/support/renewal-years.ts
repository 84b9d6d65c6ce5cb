import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { visitor } from '#core/access/actor.ts'
import { changeCard } from '#core/agreements/payment-agreements.rows.ts'
import { chargeAgainOn } from '#core/agreements/renewals.rows.ts'
import { chargeRenewals } from '#core/charging/charge-renewals.ts'
import { type AppContext, contextFor } from '#core/context.ts'
import { addDays } from '#core/kernel/calendar.ts'
import type { Day } from '#core/kernel/dates.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { settlePendingOrders } from '#core/orders/settle-pending-orders.ts'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import type { Running } from '#core/platform/make-services.ts'
import { startEmbeddedWorker } from '#core/platform/queue/embedded-worker.ts'
import { planRenewals } from '#core/renewals/plan-renewals.ts'
import { handlers } from '#worker/handlers/index.ts'
import { columnsOf } from './database-checksum.ts'
import { makeShop, orderForm } from './shop.ts'
import type { TestServices } from './test-services.ts'

/** The first simulated day. Readers have ordered in the year before it. */
export const firstDay: Day = '2027-01-04'
const soldFrom: Day = '2026-01-05'

/** Of twenty readers thirteen pay, three are declined and enter another card or none, two have a lost card, two do not confirm. */
const cards = [
  ...Array<string>(13).fill(demoCards.paid),
  ...Array<string>(3).fill(demoCards.declinedLater),
  ...Array<string>(2).fill(demoCards.lostLater),
  ...Array<string>(2).fill(demoCards.confirmedLater),
]

/** A title with this many readers; the renewing ones ordered throughout the year, the others have a term that ends. */
export async function makeTitle(
  services: TestServices,
  { readers, renewing }: { readers: number; renewing: number },
): Promise<{ id: number; publisherId: number }> {
  const shop = await makeShop(services, { urlKey: 'three-years' })
  for (let index = 0; index < renewing; index++) {
    services.clock.now = new Date(`${addDays(soldFrom, Math.floor((index * 360) / renewing))}T10:00:00Z`)
    const form = orderForm(shop, {
      plan: '1PR25.00',
      email: `reader-${index}@example.test`,
      idempotencyKey: `three-years-of-renewals-${index}`,
      payment: { details: { cardNumber: cards[(index * 7) % cards.length] } },
    })
    const { state } = await placeOrder(services.as(visitor), form)
    if (state !== 'paid') throw new Error(`The order ${index} is ${state}`)
  }
  const columns = ((await columnsOf(services.db)).get('readers') ?? []).filter((name) => name !== 'id')
  const values: Record<string, string> = { unique_reference: `'Y' || n`, buyer_id: 'NULL' }
  await services.db.run(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :more)
     INSERT INTO readers (${columns.join(', ')}) SELECT ${columns.map((name) => values[name] ?? name).join(', ')}
     FROM numbers CROSS JOIN (SELECT * FROM readers WHERE publication_id = :id ORDER BY id LIMIT 1) r WHERE n <= :more`,
    { more: readers - renewing, id: shop.id },
  )
  return shop
}

/** The maximum number of passes per day: the first does the work, the others what a killed pass did not complete. */
const passesPerDay = 8

/**
 * Runs day by day up to `until`: announces, charges, lapses and emails, as the jobs do, at the times that `clock` is set to.
 * Its progress is in a file of the folder: after a kill the next process continues two hours later on the same day.
 */
export async function runDays(
  services: Running,
  clock: { now: Date | null },
  { folder, until }: { folder: string; until: Day },
): Promise<void> {
  const file = join(folder, 'three-years.json')
  let { day, pass } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { day: firstDay, pass: -1 }
  const ctx = contextFor(services, { kind: 'system' }, { entryPoint: 'worker' })
  for (pass++; day <= until; ) {
    if (pass >= passesPerDay) throw new Error(`The work of ${day} took more than ${passesPerDay} passes`)
    writeFileSync(file, JSON.stringify({ day, pass }))
    clock.now = new Date(`${day}T${String(6 + 2 * pass).padStart(2, '0')}:00:00Z`)
    await settlePendingOrders(ctx, {})
    await planRenewals(ctx, {})
    await replaceDeclinedCards(ctx, day)
    await chargeRenewals(ctx, {})
    if (await hasRows(ctx, `SELECT id FROM jobs WHERE name = 'send-mail' AND state = 'waiting' LIMIT 1`)) {
      await sendEmails(services)
    }
    if (await hasRows(ctx, unfinished)) pass++
    else [day, pass] = [addDays(day, 1), 0]
  }
  writeFileSync(file, JSON.stringify({ day, pass: -1 }))
}

const unfinished = `SELECT id FROM jobs WHERE name = 'send-mail' AND state IN ('waiting', 'active')
  UNION ALL SELECT o.id FROM orders o JOIN renewals r ON r.id = o.renewal_id WHERE o.state = 'pending' AND r.state = 'charging' LIMIT 1`

async function hasRows({ db }: AppContext, sql: string): Promise<boolean> {
  return (await db.query(sql)).length > 0
}

/** Every second reader whose card is declined enters another one five days after the charge. */
async function replaceDeclinedCards(ctx: AppContext, on: Day): Promise<void> {
  const agreements = await ctx.db.query<{ id: number }>(
    `SELECT a.id FROM payment_agreements a JOIN renewals r ON r.agreement_id = a.id
     WHERE a.state = 'active' AND a.method_reference = :card AND r.state IN ('retrying', 'waiting') AND r.charge_on <= :charged
       AND a.id % 2 = 0 ORDER BY a.id`,
    { card: `demo_card_${demoCards.declinedLater}`, charged: addDays(on, -5) },
  )
  for (const { id } of agreements)
    await ctx.db.transaction(async () => {
      await changeCard(ctx, id, { method: `demo_card_${demoCards.paid}`, lastFour: null, expiresOn: null })
      await chargeAgainOn(ctx, id, on)
    })
}

/** The worker's mail jobs alone: no repeating job is created, their work is called above. */
async function sendEmails(services: Running): Promise<void> {
  const loop = startEmbeddedWorker({ ...services, jobs: { ...services.jobs, enqueue: async () => {} } }, handlers)
  await loop.idle()
  await loop.stop()
}

/**
 * The result of the years, by names that, unlike ids, do not depend on the kills. An attempt that was cancelled before the reader
 * was charged is not a sale and is left out.
 */
export async function outcomeOf(services: TestServices, publicationId: number): Promise<Record<string, string[]>> {
  const lines = async (sql: string) => {
    const rows = await services.db.query<Record<string, unknown>>(sql, { publicationId })
    return rows.map((row) => Object.values(row).join(' ')).sort()
  }
  const order = `COALESCE(CAST(r.agreement_id AS TEXT) || ':' || CAST(r.cycle_on AS TEXT), o.idempotency_key)`
  return {
    readers: await lines(
      `SELECT CASE WHEN buyer_id IS NULL THEN unique_reference ELSE email END AS name, sub_type, sub_start_on, sub_end_on, sub_paid FROM readers WHERE publication_id = :publicationId`,
    ),
    agreements: await lines(
      `SELECT id, state, renews_on, price, end_reason FROM payment_agreements WHERE publication_id = :publicationId`,
    ),
    renewals: await lines(
      `SELECT agreement_id, cycle_on, charge_on, state, amount, told_on FROM renewals WHERE publication_id = :publicationId`,
    ),
    orders: await lines(
      `SELECT ${order} AS key, o.state, o.ordered_on, o.amount, o.currency, o.sub_start_on, o.sub_end_on
       FROM orders o LEFT JOIN renewals r ON r.id = o.renewal_id
       WHERE o.publication_id = :publicationId AND o.state <> 'cancelled'`,
    ),
    ledger: await lines(
      `SELECT ${order} AS key, l.kind, l.cause, l.entered_on, l.amount, l.currency, l.service_start_on, l.service_end_on, l.vat
       FROM ledger_entries l JOIN orders o ON o.id = l.order_id LEFT JOIN renewals r ON r.id = o.renewal_id
       WHERE l.publication_id = :publicationId`,
    ),
    emails: await lines(
      `SELECT template, to_address, substr(CAST(created_at AS TEXT), 1, 10) AS sent_on, state FROM emails
       WHERE created_at >= '${firstDay}' AND (:publicationId > 0)`,
    ),
  }
}

/** The distinct Message-IDs of the sent emails, and how many emails there were. */
export function sentEmails(services: TestServices): { sent: number; ids: Set<string> } {
  const files = readdirSync(join(services.dataDir, 'mail')).filter((name) => name.endsWith('.json'))
  return { sent: files.length, ids: new Set(files.map((name) => name.replace(/^\d+-/, ''))) }
}

export function hashOf(lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)
}
