import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { type Actor, visitor } from '#core/access/actor.ts'
import { revenue } from '#core/analytics/revenue.query.ts'
import { addDays } from '#core/kernel/calendar.ts'
import { currencies, parseMinorUnits } from '#core/kernel/money.ts'
import { getOrder } from '#core/orders/get-order.query.ts'
import { listOrders } from '#core/orders/list-orders.query.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { refundOrder } from '#core/orders/refund-order.ts'
import { actorOf } from '#tests/support/factories.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { exportOrders } from './export-orders.ts'
import { enterFee, enterTakenBack } from './ledger-entries.rows.ts'
import { ledgerTotals } from './ledger-totals.query.ts'

/** A ledger of random orders, refunds and disputes: its rows, cards and file say the same on every day and of every part of it. */

let services: TestServices
let staff: Actor
const last = '2027-03-31'
const parts = ['amount', 'refunded', 'net', 'fulfilled', 'liability'] as const

beforeAll(async () => {
  services = await openTestServices()
  services.clock.now = new Date('2026-01-31T10:00:00Z')
  const shop = await makeShop(services, { publicationName: 'Harbour Light', digitalIsFree: true })
  const second = await makeShop(services, { publicationName: 'Removed' })
  await services.db.run(`UPDATE publications SET publisher_id = :to WHERE id = :id`, {
    to: shop.publisherId,
    id: second.id,
  })
  staff = await actorOf(services, 'publisher', shop.publisherId)
  const at = (day: string) => {
    services.clock.now = new Date(`${day}T10:00:00Z`)
  }
  const choices = fc.record({
    shop: fc.constantFrom(shop, second),
    plan: fc.constantFrom(
      { plan: '1PN29.99' },
      { plan: '1PN39.99', country: 'DE' },
      { plan: '1BN39.99' },
      { plan: 'FDN' },
    ),
    days: fc.nat(90),
    outcome: fc.constantFrom('nothing', 'amount', 'months', 'whole', 'dispute'),
    after: fc.nat(200),
    share: fc.integer({ min: 1, max: 100 }),
  })
  for (const one of fc.sample(choices, { numRuns: 14, seed: 19 })) {
    const bought = addDays('2026-01-31', one.days)
    at(bought)
    const from = one.plan.plan === 'FDN' ? shop : one.shop
    const { orderId: id, amount } = await placeOrder(services.as(visitor), orderForm(from, one.plan))
    const today = addDays(bought, one.after)
    at(today)
    if (amount === 0 || one.outcome === 'nothing') continue
    if (one.outcome === 'dispute') {
      await services.db.transaction(async () => {
        await enterTakenBack(services.as(staff), { orderId: id, kind: 'dispute', cause: 'dispute:1', amount, today })
        await enterFee(services.as(staff), { orderId: id, cause: 'dispute:1', amount: 2000, currency: 'USD', today })
      })
    } else {
      const asked = one.outcome === 'amount' ? { amount: (Math.ceil((amount * one.share) / 100) / 100).toFixed(2) } : {}
      await refundOrder(services.as(staff), { id, scope: one.outcome, ...asked })
    }
  }
  await services.db.run(`UPDATE publications SET removed_at = :now WHERE id = :id`, {
    now: services.now(),
    id: second.id,
  })
  at(last)
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
])('rows, cards and file add up to the same: %o', async (filter) => {
  const { rows, total } = await listOrders(ctx(), { ...filter, size: 100 })
  expect(rows).toHaveLength(total)
  const totals = await ledgerTotals(ctx(), filter)
  const { chunks } = await exportOrders(ctx(), filter)
  let text = ''
  for await (const piece of chunks) text += piece
  const [head = '', ...lines] = text.trimEnd().split('\r\n').slice(0)
  const heads = head.replace('\ufeff', '').split(',')
  // Names of products hold a comma, and are quoted.
  const cells = lines.map((line) => line.replaceAll(/"[^"]*"/g, 'x').split(','))
  expect(cells).toHaveLength(total)
  for (const currency of currencies) {
    const own = rows.filter((row) => row.currency === currency)
    for (const part of parts) {
      const sum = own.reduce((all, row) => all + (row[part] ?? 0), 0)
      expect(totals[currency][part], `${currency} ${part}`).toBe(sum)
      const place = heads.indexOf(part === 'amount' ? 'Amount' : `${part[0]?.toUpperCase()}${part.slice(1)}`)
      const printed = cells
        .filter((line) => line[heads.indexOf('Currency')] === currency)
        .reduce((all, line) => all + (line[place] ? (parseMinorUnits(line[place] as string) ?? Number.NaN) : 0), 0)
      expect(printed, `${currency} ${part} in the file`).toBe(sum)
    }
    expect(totals[currency].fulfilled + totals[currency].liability).toBe(totals[currency].net)
    expect(totals[currency].amount - totals[currency].refunded).toBe(totals[currency].net)
  }
})

it('an order’s own page says what its row says, and All Data of the dashboard what the cards say', async () => {
  const { rows } = await listOrders(ctx(), { size: 100 })
  for (const row of rows) {
    const order = await getOrder(ctx(), { id: row.id })
    for (const part of parts) expect(order[part], `${row.orderNumber} ${part}`).toBe(row[part])
  }
  const totals = await ledgerTotals(ctx(), {})
  for (const { amount, currency } of (await revenue(ctx(), {})).overall) expect(amount).toBe(totals[currency].net)
})
