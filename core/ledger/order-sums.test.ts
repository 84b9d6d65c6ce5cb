import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import type { Actor } from '#core/access/actor.ts'
import { addDays } from '#core/kernel/calendar.ts'
import { formatMinorUnits } from '#core/kernel/money.ts'
import { listOrders } from '#core/orders/list-orders.query.ts'
import { earning } from '#tests/support/earnings.ts'
import { operator } from '#tests/support/factories.ts'
import { addOldPublication, addOldRow } from '#tests/support/old-rows.ts'
import { makeRandomLedger } from '#tests/support/random-ledger.ts'
import { openMigratedServices, openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { asOfValues, nextChangeSql } from './earned-sql.ts'
import { exportOrders } from './export-orders.ts'
import { dayAmounts } from './ledger-days.rules.ts'
import { entriesOf } from './ledger-entries.rows.ts'
import { ledgerTotals } from './ledger-totals.query.ts'
import { verifyLedger } from './verify-ledger.ts'

/** Compares the stored sums of each order with the entries themselves. */

let services: TestServices
let staff: Actor
const first = '2026-01-31'
const last = '2026-09-30'
const parts = ['net', 'refunded', 'fulfilled', 'liability'] as const

beforeAll(async () => {
  services = await openTestServices()
  staff = await makeRandomLedger(services, { first, last, orders: 25, seed: 55 })
})

const verify = (repair = false) => verifyLedger(services.as(operator), { repair })

type LedgerEntry = Awaited<ReturnType<typeof entriesOf>>[number]

/** The entries of each order: the passing of days does not change them. */
async function allEntries(): Promise<Map<number, LedgerEntry[]>> {
  const { rows } = await listOrders(services.as(staff), { size: 100 })
  const found = rows.map(async ({ id }) => [id, await entriesOf(services, id)] as const)
  return new Map(await Promise.all(found))
}

/** The ids of the orders, sorted by the sums of their entries. */
function sortedIds(
  entries: ReadonlyMap<number, readonly LedgerEntry[]>,
  part: (typeof parts)[number],
  isDescending: boolean,
  asOf: string,
): number[] {
  const orders = [...entries].map(([id, ownEntries]) => {
    const sums = { net: 0, refunded: 0, fulfilled: 0, liability: 0 }
    for (const entry of ownEntries) {
      for (const [day, { sold, refunded, earned }] of dayAmounts(entry)) {
        if (day > asOf) continue
        sums.net += sold - refunded
        sums.refunded += refunded
        sums.fulfilled += earned
      }
    }
    return { id, amount: part === 'liability' ? sums.net - sums.fulfilled : sums[part] }
  })
  orders.sort((a, b) => a.amount - b.amount || a.id - b.id)
  if (isDescending) orders.reverse()
  return orders.map(({ id }) => id)
}

/** The sums in the file by order number; blank for a free order. */
async function printedSums(atFirstChunk: () => Promise<unknown> = async () => {}): Promise<Map<string, string[]>> {
  const { chunks } = await exportOrders(services.as(staff), {})
  let text = ''
  for await (const piece of chunks) {
    if (text === '') await atFirstChunk()
    text += piece
  }
  const [header = [], ...lines] = text
    .slice(1)
    .trimEnd()
    .split('\r\n')
    // Names of products contain a comma, and are quoted.
    .map((line) => line.replaceAll(/"[^"]*"/g, 'x').split(','))
  const indexes = ['Order number', ...parts.map((part) => `${part[0]?.toUpperCase()}${part.slice(1)}`)].map((heading) =>
    header.indexOf(heading),
  )
  return new Map(
    lines.map((line) => {
      const [number = '', ...sums] = indexes.map((index) => line[index] as string)
      return [number, sums]
    }),
  )
}

/** The sums in the list, which adds up the entries of its rows. */
async function listedSums(): Promise<Map<string, string[]>> {
  const { rows } = await listOrders(services.as(staff), { size: 100 })
  const printed = (sum: number | null) => (sum === null ? '' : formatMinorUnits(sum))
  return new Map(rows.map((row) => [row.orderNumber, parts.map((part) => printed(row[part]))]))
}

it('stored order totals sort the ledger and its file as the entries do, on every day that passes', async () => {
  const entries = await allEntries()
  for (let day = last; day < '2027-10-31'; day = addDays(day, day < '2026-11-05' ? 1 : 17)) {
    services.clock.setDay(day)
    for (const part of parts) {
      for (const isDescending of [false, true]) {
        const { rows } = await listOrders(services.as(staff), { size: 100, sort: `${isDescending ? '-' : ''}${part}` })
        expect(
          rows.map(({ id }) => id),
          `${day} ${part}`,
        ).toEqual(sortedIds(entries, part, isDescending, day))
      }
    }
    expect(await printedSums(), day).toEqual(await listedSums())
  }
  expect(await verify()).toMatchObject({ different: 0, orders: [] })
})

it('stored order totals under a filter add up to the entries of the same orders', async () => {
  for (const filter of [{ q: 'harbour' }, { from: '2026-02-01', until: '2026-03-31' }, { q: 'print', from: first }]) {
    const { rows } = await listOrders(services.as(staff), { ...filter, size: 100, sort: '-liability' })
    const totals = await ledgerTotals(services.as(staff), filter)
    for (const part of parts) {
      const ofRows = rows.reduce((sum, row) => sum + (row[part] ?? 0), 0)
      expect(Object.values(totals).reduce((sum, ofCurrency) => sum + ofCurrency[part], 0)).toBe(ofRows)
    }
    expect(Object.values(totals).reduce((sum, ofCurrency) => sum + ofCurrency.orders, 0)).toBe(rows.length)
  }
})

it('stored order totals that are missing or of another day are not used in the file, even if they change during the export', async () => {
  const expected = await listedSums()
  const today = services.now().toISOString().slice(0, 10)
  const makeWrong = (assignments: string) => () => services.db.run(`UPDATE order_sums SET net = net + 1 ${assignments}`)
  const repair = async () => {
    await services.db.run('UPDATE order_sums SET computed_for = :today', { today })
    await verify(true)
  }
  expect(await printedSums(makeWrong('')), 'stored totals of today are used').not.toEqual(expected)
  await repair()
  for (const assignments of [`, computed_for = '${addDays(today, 1)}'`, `, changes_on = '${today}'`]) {
    expect(await printedSums(makeWrong(assignments)), assignments).toEqual(expected)
    await repair()
  }
  expect(await printedSums(() => services.db.run('DELETE FROM order_sums'))).toEqual(expected)
  await repair()
  expect(await verify()).toMatchObject({ different: 0, orders: [] })
})

it('order totals of a past day are computed from its entries', async () => {
  const asOf = '2026-06-15'
  const { rows } = await listOrders(services.as(staff), { size: 100, sort: '-liability', asOf })
  const ids = rows.map(({ id }) => id)
  expect(ids).toEqual(sortedIds(await allEntries(), 'liability', true, asOf).filter((id) => ids.includes(id)))
})

it('stored order totals are reported when wrong, and rebuilt', async () => {
  const { db } = services
  const [row] = await db.query<{ id: number; net: number }>(
    'SELECT order_id AS id, net FROM order_sums WHERE net > 0 ORDER BY order_id LIMIT 1',
  )
  const { id = 0, net = 0 } = row ?? {}
  await db.run('UPDATE order_sums SET net = net + 1 WHERE order_id = :id', { id })
  const { different, orders, isRepaired } = await verify()
  expect({ different, isRepaired }).toEqual({ different: 1, isRepaired: false })
  expect(orders).toMatchObject([{ orderId: id, stored: { net: Number(net) + 1 }, recomputed: { net: Number(net) } }])
  await db.run('DELETE FROM order_sums WHERE order_id > :id', { id })
  await db.run('UPDATE order_sums SET changes_on = NULL, liability = 7 WHERE order_id = :id', { id })
  expect((await verify(true)).orders.find(({ stored }) => stored === null)).toMatchObject({ stored: null })
  expect(await verify()).toMatchObject({ different: 0, orders: [] })
})

it('stored order totals of another publisher are not checked', async () => {
  const stranger = { ...staff, publisherId: 999_999 } as Actor
  await services.db.run('UPDATE order_sums SET net = net + 1')
  expect(await verifyLedger(services.as(stranger), { repair: true })).toMatchObject({ different: 0 })
  expect((await verify(true)).different).toBeGreaterThan(10)
})

it('stored order totals change on the day that the rule gives', async () => {
  const type = services.db.dialect === 'postgres' ? 'DATE' : 'TEXT'
  await fc.assert(
    fc.asyncProperty(earning, fc.integer({ min: -40, max: 430 }), async (sample, days) => {
      const asOf = addDays(sample.serviceStartOn ?? '2024-01-01', days)
      const [row] = await services.db.query<{ day: string | null }>(
        `SELECT ${nextChangeSql(services.db.dialect, 'one')} AS day FROM (SELECT CAST(:amount AS BIGINT) AS amount,
           CAST(:startOn AS ${type}) AS service_start_on, CAST(:endOn AS ${type}) AS service_end_on,
           CAST(:termMonths AS INTEGER) AS term_months, CAST(:anchorDay AS INTEGER) AS anchor_day) one`,
        {
          amount: sample.amount,
          startOn: sample.serviceStartOn,
          endOn: sample.serviceEndOn,
          termMonths: sample.termMonths,
          anchorDay: sample.anchorDay ?? null,
          ...asOfValues(asOf),
        },
      )
      const entry = { ...sample, kind: 'sale' as const, enteredOn: '1900-01-01' }
      const changes = [...dayAmounts(entry).keys()].filter((day) => day > asOf).sort()
      expect(row?.day ?? null).toBe(sample.amount === 0 ? null : (changes[0] ?? null))
    }),
    { numRuns: 250 },
  )
})

it('stored order totals are computed for entries from before the migration', async () => {
  const oldServices = await openMigratedServices('055-order-sums', async (db) => {
    const publicationId = await addOldPublication(db)
    const [row] = await db.query<{ id: number }>('SELECT publisher_id AS id FROM publications')
    const owner = { publisher_id: row?.id ?? 0, publication_id: publicationId, currency: 'GBP' }
    for (const [index, sample] of fc.sample(earning, { numRuns: 60, seed: 3 }).entries()) {
      const orderId = await addOldRow(db, 'orders', {
        ...owner,
        order_number: `OD-${index}`,
        idempotency_key: `${index}`,
        billing: '{}',
        state: 'paid',
        amount: sample.amount,
        country: 'GB',
      })
      for (const kind of index % 3 === 0 ? ['sale', 'refund', 'fee'] : ['sale']) {
        await addOldRow(db, 'ledger_entries', {
          ...owner,
          order_id: orderId,
          kind,
          cause: kind,
          entered_on: sample.serviceStartOn ?? '2026-01-01',
          amount: kind === 'sale' ? sample.amount : -Math.trunc(sample.amount / 3),
          product: 'print',
          service_start_on: sample.serviceStartOn,
          service_end_on: sample.serviceEndOn,
          term_months: sample.termMonths,
          monthly_amount: kind === 'sale' ? (sample.monthlyAmount ?? null) : null,
          anchor_day: sample.anchorDay ?? null,
        })
      }
    }
  })
  // The migration computes them for a day by the database's own clock.
  oldServices.clock.now = new Date()
  const [{ n } = { n: 0 }] = await oldServices.db.query<{ n: number }>('SELECT COUNT(*) AS n FROM order_sums')
  expect(Number(n)).toBe(60)
  // Only the orders are compared: an earlier migration stored the totals of days, before these entries were made.
  expect((await verifyLedger(oldServices.as(operator), {})).orders).toEqual([])
})
