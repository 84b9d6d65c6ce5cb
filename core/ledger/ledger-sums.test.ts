import { beforeAll, expect, it } from 'vitest'
import type { Actor } from '#core/access/actor.ts'
import { revenue } from '#core/analytics/revenue.query.ts'
import type { SqlValues } from '#core/database.ts'
import { currencies, parseMinorUnits } from '#core/kernel/money.ts'
import { getOrder } from '#core/orders/get-order.query.ts'
import { listOrders } from '#core/orders/list-orders.query.ts'
import { makeRandomLedger } from '#tests/support/random-ledger.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { textOf } from '#tests/support/text-of.ts'
import { exportOrders } from './export-orders.ts'
import { enteredOrders } from './ledger-rows.ts'
import { ledgerTotals } from './ledger-totals.query.ts'
import { orderFilter, sumFilter } from './order-filter.ts'

/** A ledger of random orders, refunds and disputes: its rows, cards and file agree on every day and with every filter. */

let services: TestServices
let staff: Actor
const last = '2027-03-31'
const parts = ['amount', 'refunded', 'net', 'fulfilled', 'liability'] as const

beforeAll(async () => {
  services = await openTestServices()
  staff = await makeRandomLedger(services, { first: '2026-01-31', last, orders: 14, seed: 19 })
})

const ctx = () => services.as(staff)

it.each([
  [{}],
  [{ asOf: '2026-04-30' }],
  [{ asOf: '2026-08-31' }],
  [{ q: 'harbour' }],
  [{ from: '2026-03-01', until: '2026-03-31' }],
  [{ from: '2026-05-01', until: '2026-07-31', by: 'entered' }],
  [{ from: '2026-05-01', until: '2026-07-31', by: 'sold' }],
  // More days than PostgreSQL looks up individually, and some ranges with an open end.
  [{ from: '2026-03-01', until: '2027-01-31', by: 'entered' }],
  [{ from: '2026-03-01', until: '2027-01-31', by: 'sold' }],
  [{ from: '2026-06-15', by: 'entered' }],
  [{ asOf: '2026-08-31', from: '2026-03-01', until: '2026-07-31' }],
  [{ asOf: '2026-08-31', from: '2026-03-01', until: '2026-12-31', by: 'entered' }],
  [{ asOf: '2026-08-31', from: '2026-07-01', by: 'sold' }],
  [{ asOf: '2026-08-31', q: 'harbour', sort: '-liability' }],
  [{ asOf: '2026-08-31', product: 'print', sort: 'net' }],
  [{ asOf: '2026-08-31', state: 'refunded' }],
  [{ asOf: '2026-08-31', state: 'paid' }],
])('rows, cards and file have the same totals: %o', async (filter) => {
  const { rows, total } = await listOrders(ctx(), { ...filter, size: 100 })
  expect(rows).toHaveLength(total)
  const totals = await ledgerTotals(ctx(), filter)
  const { chunks } = await exportOrders(ctx(), filter)
  const text = await textOf(chunks)
  const [headerLine = '', ...lines] = text.trimEnd().split('\r\n')
  const header = headerLine.replace('\ufeff', '').split(',')
  // Names of products contain a comma, and are quoted.
  const cells = lines.map((line) => line.replaceAll(/"[^"]*"/g, 'x').split(','))
  expect(cells).toHaveLength(total)
  for (const currency of currencies) {
    const ofCurrency = rows.filter((row) => row.currency === currency)
    for (const part of parts) {
      const sum = ofCurrency.reduce((total, row) => total + (row[part] ?? 0), 0)
      expect(totals[currency][part], `${currency} ${part}`).toBe(sum)
      const index = header.indexOf(part === 'amount' ? 'Amount' : `${part[0]?.toUpperCase()}${part.slice(1)}`)
      const printed = cells
        .filter((line) => line[header.indexOf('Currency')] === currency)
        .reduce((total, line) => total + (line[index] ? (parseMinorUnits(line[index] as string) ?? Number.NaN) : 0), 0)
      expect(printed, `${currency} ${part} in the file`).toBe(sum)
    }
    expect(totals[currency].fulfilled + totals[currency].liability).toBe(totals[currency].net)
    expect(totals[currency].amount - totals[currency].refunded).toBe(totals[currency].net)
  }
})

it('as of a past day lists what had been sold by then, in any sort order, and as of today or later lists everything', async () => {
  const sales = await services.db.query<{ order_id: number; entered_on: string }>(
    `SELECT order_id, entered_on FROM ledger_entries WHERE kind = 'sale' ORDER BY order_id`,
  )
  for (const asOf of ['2026-02-28', '2026-08-31', last, '2099-12-31']) {
    const sold = sales.filter(({ entered_on }) => entered_on <= asOf).map(({ order_id }) => order_id)
    for (const sort of ['-orderedOn', 'publicationName', 'lastName', 'liability', '-net', 'subEndOn']) {
      const { rows, total } = await listOrders(ctx(), { asOf, sort, size: 100 })
      expect([total, rows.map(({ id }) => id).sort((a, b) => a - b)], `${asOf} ${sort}`).toEqual([sold.length, sold])
    }
  }
})

it('an order’s page shows what its row shows, and the dashboard’s All Data what the cards show', async () => {
  const { rows } = await listOrders(ctx(), { size: 100 })
  for (const row of rows) {
    const order = await getOrder(ctx(), { id: row.id })
    for (const part of parts) expect(order[part], `${row.orderNumber} ${part}`).toBe(row[part])
  }
  const totals = await ledgerTotals(ctx(), {})
  for (const { amount, currency } of (await revenue(ctx(), {})).overall) expect(amount).toBe(totals[currency].net)
})

it.each([
  ['2026-06-01', '2026-06-30'],
  ['2026-03-01', '2026-12-31'],
])('filtering by entered or sold from %s until %s finds the orders of those entries', async (from, until) => {
  for (const by of ['entered', 'sold'] as const) {
    const entries = await services.db.query<{ id: number }>(
      `SELECT DISTINCT order_id AS id FROM ledger_entries WHERE entered_on >= :from AND entered_on <= :until AND order_id IS NOT NULL
       ${by === 'sold' ? `AND kind = 'sale'` : ''} ORDER BY order_id`,
      { from, until },
    )
    const { rows } = await listOrders(ctx(), { from, until, by, size: 100 })
    expect(rows.map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual(entries.map(({ id }) => Number(id)))
  }
})

it('filters find the same orders, as rows, in totals and in counts, however many are expected', async () => {
  const [{ id: publicationId = 0 } = {}] = await services.db.query<{ id: number }>(
    'SELECT MAX(id) AS id FROM publications',
  )
  for (const days of [{ from: '2026-04-20', until: '2026-12-31' }, { from: '2026-06-10' }, { until: '2026-05-05' }])
    for (const title of [{}, { publicationId }])
      for (const by of ['entered', 'sold'] as const) {
        const filter = { ...days, ...title, by }
        const expected = (await listOrders(ctx(), { ...filter, size: 100 })).rows
          .map(({ id }) => id)
          .sort((a, b) => a - b)
        const idsOf = async (sql: string, values: SqlValues) =>
          (await services.db.query<{ id: number }>(sql, values)).map(({ id }) => id).sort((a, b) => a - b)
        for (const areMany of [true, false]) {
          const orders = orderFilter(ctx(), filter, { areMany })
          expect(await idsOf(`SELECT o.id FROM orders o WHERE ${orders.where}`, orders.values)).toEqual(expected)
          const sums = sumFilter(ctx(), filter, { areMany })
          expect(await idsOf(`SELECT m.order_id AS id FROM order_sums m WHERE ${sums.where}`, sums.values)).toEqual(
            expected,
          )
        }
        expect((await enteredOrders(ctx(), filter)).total).toBe(expected.length)
      }
})

it.each(['firstName', '-firstName', 'lastName', '-lastName'])(
  'the pages sorted by %s are consecutive',
  async (sort) => {
    const wholeList = await listOrders(ctx(), { sort, size: 100 })
    const pages = await Promise.all([1, 2].map((page) => listOrders(ctx(), { sort, size: 10, page })))
    expect(pages.flatMap(({ rows }) => rows)).toEqual(wholeList.rows.slice(0, 20))
    const names = wholeList.rows.map((row) => row[sort.endsWith('firstName') ? 'firstName' : 'lastName'].toLowerCase())
    expect(names).toEqual(sort.startsWith('-') ? names.toSorted().reverse() : names.toSorted())
  },
)
