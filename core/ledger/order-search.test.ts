import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { type Actor, visitor } from '#core/access/actor.ts'
import { parseMinorUnits } from '#core/kernel/money.ts'
import { listOrders } from '#core/orders/list-orders.query.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { actorOf, operator } from '#tests/support/factories.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { type LedgerRow, ledgerRows, ledgerSorts } from './ledger-rows.ts'
import { ledgerTotals } from './ledger-totals.query.ts'
import { orderFilter, sumFilter } from './order-filter.ts'
import { maxListedIds, orderSearchCondition } from './order-search.query.ts'
import { verifyLedger } from './verify-ledger.ts'

// Words are looked up in the stored texts, and find all orders that contain them.

let services: TestServices
let publisher: Actor
let rows: LedgerRow[]

beforeAll(async () => {
  services = await openTestServices()
  const shop = await makeShop(services, { publicationName: 'Harbour Été', digitalIsFree: true })
  const otherShop = await makeShop(services, { publicationName: 'Harbour Views' })
  publisher = await actorOf(services, 'publisher', shop.publisherId)
  const people = [
    ['Ann', 'Zebedee', '1PN29.99'],
    ['Zeb', 'van der Berg', '1BN39.99'],
    ['Ann Berta', "O'Neill", '1BN39.99'],
    ['', 'Müller-Adams', 'FDN'],
    ['Berg', '29.99 print', 'FDN'],
    ['HÉLÈNE', 'Ångström-Élan', 'FDN'],
    ['Hélène', 'Øster', 'FDN'],
  ] as const
  for (const [firstName, lastName, plan] of people) {
    const form = orderForm(shop, { firstName: firstName || 'Bo', lastName, ...(plan === '1PN29.99' ? {} : { plan }) })
    await placeOrder(services.as(visitor), form)
  }
  await placeOrder(services.as(visitor), orderForm(otherShop, { firstName: 'Ann', lastName: 'Berg' }))
  rows = (await listOrders(services.as(publisher), { size: 100 })).rows
  expect(rows).toHaveLength(people.length)
})

/** Whether a row contains the text, checked without the database. */
function containsWords(row: LedgerRow, q: string): boolean {
  const texts = [row.firstName, row.lastName, row.productName, row.publicationName]
  return q
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every(
      (word) =>
        texts.some((text) => text.toLowerCase().includes(word)) ||
        parseMinorUnits(word) === row.amount ||
        isInNumber(word, row.orderNumber.toLowerCase()),
    )
}

/** A word without digits must match the start of the number. */
function isInNumber(word: string, orderNumber: string): boolean {
  if (word.length < 3 || !orderNumber.includes(word)) return false
  return /\d/.test(word) || orderNumber.replace('od-', '').startsWith(word.replace(/^(o?d)?-/, ''))
}

async function findIds(q: string, limits?: { orders: number; texts: number }): Promise<number[]> {
  const ctx = services.as(publisher)
  const { where, values } = orderFilter(ctx, { q }, { search: await orderSearchCondition(ctx, q, limits) })
  const orders = await ctx.db.query<{ id: number }>(`SELECT o.id FROM orders o WHERE ${where} ORDER BY o.id`, values)
  return orders.map(({ id }) => id)
}

/** The ids of the orders found by running each part of the condition separately. */
async function findIdsByParts(q: string, limits: { orders: number; texts: number }): Promise<number[]> {
  const ctx = services.as(publisher)
  const { parts } = await orderSearchCondition(ctx, q, limits)
  const ids: number[] = []
  for (const search of parts) {
    const { where, values } = orderFilter(ctx, { q }, { search })
    const orders = await ctx.db.query<{ id: number }>(`SELECT o.id FROM orders o WHERE ${where}`, values)
    ids.push(...orders.map(({ id }) => id))
  }
  return ids.sort((a, b) => a - b)
}

const expected = (q: string) =>
  rows
    .filter((row) => containsWords(row, q))
    .map(({ id }) => id)
    .sort((a, b) => a - b)

const rowFragment = () =>
  fc
    .record({
      row: fc.nat(6),
      column: fc.constantFrom('orderNumber', 'firstName', 'lastName', 'productName', 'publicationName' as const),
      from: fc.nat(12),
      length: fc.integer({ min: 1, max: 8 }),
      isUpperCase: fc.boolean(),
    })
    .map(({ row, column, from, length, isUpperCase }) => {
      const text = String(rows[row]?.[column as 'orderNumber']).slice(from, from + length)
      return isUpperCase ? text.toUpperCase() : text
    })
const searchText = () =>
  fc
    .array(
      fc.oneof({ weight: 6, arbitrary: rowFragment() }, fc.constantFrom('39.99', '29.99', '0', 'zz', '%', '_', 'od-')),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    .map((words) => words.join(' '))

it('the words of a search find the orders that contain all of them, with few or many orders and texts', async () => {
  await fc.assert(
    fc.asyncProperty(
      searchText(),
      fc.constantFrom(0, 1, 2, 100),
      fc.constantFrom(0, 2, 100),
      async (q, orders, texts) => {
        expect(await findIds(q, { orders, texts }), q).toEqual(expected(q))
        expect(await findIdsByParts(q, { orders, texts }), q).toEqual(expected(q))
      },
    ),
    { numRuns: 150 },
  )
})

it('a search finds the same orders in the list, in any sort order, and in the stored totals', async () => {
  const ctx = services.as(publisher)
  for (const q of [
    'ann',
    'berg',
    'harbour',
    'print berg',
    '39.99',
    'od-',
    'nobody',
    ...rows.map((row) => row.lastName),
  ]) {
    for (const sort of ['-orderedOn', 'lastName', 'liability', 'publicationName']) {
      const list = await listOrders(ctx, { q, sort, size: 100 })
      expect(
        list.rows.map(({ id }) => id).sort((a, b) => a - b),
        `${q} by ${sort}`,
      ).toEqual(expected(q))
      expect(list.total).toBe(expected(q).length)
    }
    for (const areMany of [false, true]) {
      const { where, values } = sumFilter(ctx, {}, { search: await orderSearchCondition(ctx, q), areMany })
      const sums = await ctx.db.query<{ id: number }>(
        `SELECT m.order_id AS id FROM order_sums m WHERE ${where} ORDER BY m.order_id`,
        values,
      )
      expect(
        sums.map(({ id }) => id),
        q,
      ).toEqual(expected(q))
    }
  }
})

it('the orders of a search are paged from either end: each page is that slice of the full list', async () => {
  const ctx = services.as(publisher)
  const { where, values } = orderFilter(ctx, { q: 'a' }, { search: await orderSearchCondition(ctx, 'a') })
  const asOf = '2026-12-31'
  for (const by of Object.values(ledgerSorts)) {
    for (const isDescending of [false, true]) {
      const chosen = { where, values, asOf, sort: { by, isDescending } }
      const allIds = (await ledgerRows(ctx, chosen)).map(({ id }) => id)
      expect(allIds).toHaveLength(expected('a').length)
      for (let offset = 0; offset < allIds.length + 2; offset++) {
        const rows = await ledgerRows(ctx, { ...chosen, limit: { size: 2, offset, total: allIds.length } })
        expect(
          rows.map(({ id }) => id),
          `${by} from ${offset}`,
        ).toEqual(allIds.slice(offset, offset + 2))
      }
    }
  }
})

it('a search finds accented names and titles in any case', async () => {
  for (const [q, count] of [
    ['hélène', 2],
    ['HÉLÈNE', 2],
    ['Øst', 1],
    ['ångström élan', 1],
    ['ÅNGSTRÖM-élan', 1],
    ['é', 7],
  ] as const) {
    expect(expected(q), q).toHaveLength(count)
    for (const limit of [0, 100]) expect(await findIds(q, { orders: limit, texts: limit }), q).toEqual(expected(q))
  }
})

it('a search finds orders of all publishers for users who may see them', async () => {
  const ctx = services.as(operator)
  expect((await listOrders(ctx, { q: 'berg' })).total).toBe(expected('berg').length + 1)
})

it('a missing text is reported, and repaired', async () => {
  const { db } = services
  await db.run(`DELETE FROM order_texts WHERE text = 'zebedee'`)
  expect(await findIds('zebedee')).toEqual([])
  const verify = (repair: boolean) => verifyLedger(services.as(operator), { repair })
  expect(await verify(false)).toMatchObject({ texts: 1, different: 1, isRepaired: false })
  expect(await verify(true)).toMatchObject({ texts: 1, isRepaired: true })
  expect(await findIds('zebedee')).toEqual(expected('zebedee'))
  expect(await verify(false)).toMatchObject({ texts: 0, different: 0 })
})

it('too many orders to list by id are counted and added up in parts, each order once', async () => {
  const orderCount = maxListedIds * 2
  const largeShop = await makeShop(services, {})
  const names = Array.from({ length: orderCount }, (_, n) => [n % 2 ? 'Ann' : 'Bo', n % 3 ? 'Annis' : 'Cole'] as const)
  for (let from = 0; from < orderCount; from += 400) {
    const orders = names.slice(from, from + 400).map(([firstName, lastName], index) => {
      const number = `X${String(from + index).padStart(7, '0')}`
      return `(:publisherId, :id, '${number}', 'paid', 'subscription', '${number}', :now, '2026-01-31', 'Print', '${firstName}', '${lastName}', 'UK', 'GB', 'GBP', 100, 100, 'Card', '{}', :now, :now)`
    })
    await services.db.run(
      `INSERT INTO orders (publisher_id, publication_id, order_number, state, kind, idempotency_key, placed_at, ordered_on, product_name, first_name,
         last_name, band, country, currency, product_price, amount, payment_type, billing, created_at, updated_at) VALUES ${orders.join(',')}`,
      { publisherId: largeShop.publisherId, id: largeShop.id, now: services.now() },
    )
  }
  await services.db.run(
    `INSERT INTO ledger_entries (publisher_id, publication_id, order_id, kind, cause, entered_on, currency, amount, created_at)
     SELECT publisher_id, publication_id, id, 'sale', '', ordered_on, currency, amount, :now FROM orders WHERE publication_id = :id`,
    { id: largeShop.id, now: services.now() },
  )
  await verifyLedger(services.as(operator), { repair: true })
  const ctx = services.as(await actorOf(services, 'publisher', largeShop.publisherId))
  expect((await orderSearchCondition(ctx, 'ann')).parts).toHaveLength(2)
  for (const q of ['ann', 'ann print', 'print ann', 'ann cole', 'annis bo', 'print']) {
    const matching = names.filter((name) =>
      q.split(' ').every((word) => `${name.join(' ')} Print`.toLowerCase().includes(word)),
    )
    expect((await listOrders(ctx, { q })).total, q).toBe(matching.length)
    expect((await ledgerTotals(ctx, { q })).GBP, q).toMatchObject({
      orders: matching.length,
      amount: 100 * matching.length,
      net: 100 * matching.length,
    })
  }
})
