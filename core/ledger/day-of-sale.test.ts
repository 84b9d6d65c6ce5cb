import { describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { listOrders } from '#core/orders/list-orders.query.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { actorOf } from '#tests/support/factories.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { ledgerTotals } from './ledger-totals.query.ts'
import { ledgerSchedule } from './schedule.query.ts'

/** The day of a sale is in the publisher's time zone, not in UTC. */
describe.each([
  // Half past midnight in London in summer time: already the next day, month and quarter.
  ['Europe/London', '2026-06-30T23:30:00Z', '2026-07-01', '2026-07'],
  ['Europe/London', '2026-12-31T23:30:00Z', '2026-12-31', '2026-12'],
  ['America/New_York', '2027-01-01T04:30:00Z', '2026-12-31', '2026-12'],
  ['Pacific/Auckland', '2026-12-31T11:30:00Z', '2027-01-01', '2027-01'],
])('a sale in %s at %s', (timeZone, moment, day, month) => {
  it(`appears in the ledger, its totals, the schedule and the VAT of ${day}`, async () => {
    const services = await openTestServices({ TIME_ZONE: timeZone })
    services.clock.now = new Date('2026-01-15T12:00:00Z')
    const shop = await makeShop(services)
    services.clock.now = new Date(moment)
    await placeOrder(services.as(visitor), orderForm(shop))
    const ctx = services.as(await actorOf(services, 'publisher', shop.publisherId))

    const { rows } = await listOrders(ctx, { from: day, until: day })
    expect(rows.map(({ orderedOn }) => orderedOn)).toEqual([day])
    expect((await ledgerTotals(ctx, { from: day, until: day, by: 'entered' })).GBP).toMatchObject({
      orders: 1,
      amount: 2999,
    })
    const { rows: months } = await ledgerSchedule(ctx, { from: month, until: month })
    expect(months.map(({ month, opening, sold }) => ({ month, opening, sold }))).toEqual([
      { month, opening: 0, sold: 2999 },
    ])
    const lines = await services.db.query<{ tax_point: string }>(`SELECT tax_point FROM vat_lines`)
    expect(lines.map(({ tax_point }) => tax_point)).toEqual([day])
  })
})
