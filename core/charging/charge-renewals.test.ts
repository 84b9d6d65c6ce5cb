import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { getOwnReceipt } from '#core/buyers/get-own-receipt.query.ts'
import { addDays } from '#core/kernel/calendar.ts'
import { Orders } from '#core/orders/orders.rows.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import { ownAgreements } from '#core/renewals/own-agreements.query.ts'
import { announceRenewals } from '#tests/support/announce-renewals.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { chargeDueRenewals } from './charge-renewals.ts'
import { lapseRenewals } from './lapse-renewals.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

/** A year of print that renews, bought on 22/11/2026 with this card. */
async function makeSubscription(cardNumber: string = demoCards.paid, fields: Record<string, unknown> = {}) {
  services.clock.set('2026-11-22T10:00:00Z')
  const shop = await makeShop(services)
  const form = orderForm(shop, { plan: '1PR25.00', payment: { details: { cardNumber } }, ...fields })
  expect(await placeOrder(services.as(visitor), form)).toMatchObject({ state: 'paid' })
  // Its notice is sent in time.
  services.clock.set('2027-10-23T05:00:00Z')
  await announceRenewals(system(), '2027-10-23')
  return shop
}

const system = () => services.as({ kind: 'system' })

async function runDay(day: string, { id }: { id: number }) {
  services.clock.set(`${day}T05:00:00Z`)
  await announceRenewals(system(), day)
  return chargeDueRenewals(system(), day, { publicationId: id })
}

describe('a renewal', () => {
  it('is charged once on its day, at the agreed price, and the next term follows the last', async () => {
    const shop = await makeSubscription()
    expect(await runDay('2027-11-21', shop)).toMatchObject({ charged: 0 })
    expect(await runDay('2027-11-22', shop)).toMatchObject({ charged: 1, paid: 1 })
    expect(await runDay('2027-11-22', shop)).toMatchObject({ charged: 0 })
    const [, renewed] = await rowsOf(services, 'orders', shop.id)
    expect(renewed).toMatchObject({ state: 'paid', amount: 2500, sub_start_on: '2027-11-23', sub_end_on: '2028-11-22' })
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toMatchObject([
      { kind: 'sale', amount: 2500 },
      { kind: 'sale', amount: 2500, service_start_on: '2027-11-23', service_end_on: '2028-11-22' },
    ])
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ sub_end_on: '2028-11-22' }])
    expect(await rowsOf(services, 'payment_agreements', shop.id)).toMatchObject([
      { state: 'active', renews_on: '2028-11-22', price: 2500 },
    ])
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([{ state: 'paid', attempts: 1 }])
  })

  it('of a gift shows its giver the address that the giver entered, not where the recipient lives now', async () => {
    const typed = { firstName: 'Tom', lastName: 'Reed', addressOne: '9 Lane', city: 'Bath', postCode: 'BA1 1AA' }
    const shop = await makeSubscription(demoCards.paid, {
      isGift: true,
      isDeliveredToBilling: false,
      shipping: typed,
    })
    const moved = { address_one: '3 Secret Street', last_name: 'Newname', city: 'Truro' }
    await services.db.run(
      `UPDATE readers SET address_one = :address_one, last_name = :last_name, city = :city WHERE publication_id = :id`,
      { ...moved, id: shop.id },
    )
    expect(await runDay('2027-11-22', shop)).toMatchObject({ charged: 1, paid: 1 })
    const [first, renewed] = await Orders.rows(
      services,
      `SELECT ${Orders.columns()} FROM orders WHERE publication_id = :id ORDER BY id`,
      { id: shop.id },
    )
    expect(renewed?.shipping).toMatchObject(typed)
    expect(renewed?.shipping).toEqual(first?.shipping)
    // Copies go to the recipient's own record.
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ ...moved, sub_end_on: '2028-11-22' }])
    const giver = { kind: 'buyer', buyerId: Number(renewed?.buyerId), publicationId: shop.id } as const
    const { delivery } = await getOwnReceipt(services.as(giver), { orderNumber: renewed?.orderNumber })
    expect(delivery).toMatchObject(typed)
  })

  it('that is declined is retried, and once paid within the grace period continues from the old end', async () => {
    const shop = await makeSubscription(demoCards.declinedLater)
    expect(await runDay('2027-11-22', shop)).toMatchObject({ charged: 1, paid: 0 })
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([
      { state: 'retrying', attempts: 1, next_try_on: '2027-11-23', decline_code: 'insufficient_funds' },
    ])
    // The account shows the agreed price, whatever the plan's current price.
    await services.db.run(`UPDATE publication_prices SET amount = 9900 WHERE publication_id = :id`, { id: shop.id })
    const [agreement] = await rowsOf(services, 'payment_agreements', shop.id)
    const reader = services.as({ kind: 'buyer', buyerId: Number(agreement?.buyer_id), publicationId: shop.id })
    expect(await ownAgreements(reader, {})).toMatchObject([
      { isFailed: true, chargeOn: '2027-11-23', renewsOn: '2027-11-22', price: { amount: 2500, currency: 'GBP' } },
    ])
    await services.db.run(`UPDATE payment_agreements SET method_reference = :method WHERE publication_id = :id`, {
      method: `demo_card_${demoCards.paid}`,
      id: shop.id,
    })
    expect(await runDay('2027-11-25', shop)).toMatchObject({ charged: 1, paid: 1 })
    const [, declined, paid] = await rowsOf(services, 'orders', shop.id)
    expect(declined).toMatchObject({ state: 'declined' })
    expect(paid).toMatchObject({ state: 'paid', sub_start_on: '2027-11-23', sub_end_on: '2028-11-22' })
  })

  it('on a card reported lost is not retried', async () => {
    const shop = await makeSubscription(demoCards.lostLater)
    await runDay('2027-11-22', shop)
    expect(await runDay('2027-11-30', shop)).toMatchObject({ charged: 0 })
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([
      { state: 'waiting', attempts: 1, next_try_on: null, decline_code: 'lost_card' },
    ])
  })

  it.each([
    ['title that was removed', 'publications', 'removed_at', `'2027-11-01T00:00:00Z'`, 'NULL', 'id'],
    ['publisher who is deactivated', 'users', 'is_active', 'FALSE', 'TRUE', 'publisherId'],
  ] as const)(
    'of a %s is charged as soon as the title is back within the grace period, and lapses after it',
    async (_, table, column, off, on, key) => {
      const restored = await makeSubscription()
      const notRestored = await makeSubscription()
      const set = (shop: typeof restored, value: string) =>
        services.db.run(`UPDATE ${table} SET ${column} = ${value} WHERE id = :id`, { id: shop[key] })
      for (const shop of [restored, notRestored]) {
        await set(shop, off)
        expect(await runDay('2027-11-22', shop)).toMatchObject({ charged: 0 })
      }
      await set(restored, on)
      expect(await runDay('2027-11-25', restored)).toMatchObject({ charged: 1, paid: 1 })
      expect(await rowsOf(services, 'readers', restored.id)).toMatchObject([{ sub_end_on: '2028-11-22' }])
      services.clock.set('2027-12-14T05:00:00Z')
      expect(await lapseRenewals(system(), '2027-12-14', { publicationId: notRestored.id })).toMatchObject({
        lapsed: 1,
      })
      expect(await rowsOf(services, 'payment_agreements', notRestored.id)).toMatchObject([
        { state: 'ended', end_reason: 'lapsed' },
      ])
    },
  )
})

describe('a renewal is charged once', () => {
  it('by two workers at once, after missed days, and when the clock is set back', async () => {
    const shop = await makeSubscription()
    // No worker ran on the due day and the two days after it.
    services.clock.set('2027-11-25T05:00:00Z')
    const charge = (day: string) => chargeDueRenewals(system(), day, { publicationId: shop.id })
    const paid = (await Promise.all([charge('2027-11-25'), charge('2027-11-25')])).map((run) => run.paid)
    expect(paid.toSorted()).toEqual([0, 1])
    expect(await runDay('2027-11-22', shop)).toMatchObject({ charged: 0 })
    expect(await runDay('2027-11-25', shop)).toMatchObject({ charged: 0 })
    const [, renewed, ...more] = await rowsOf(services, 'orders', shop.id)
    expect(renewed).toMatchObject({ state: 'paid', sub_start_on: '2027-11-23', sub_end_on: '2028-11-22' })
    expect(more).toEqual([])
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toHaveLength(2)
  })

  it.each([
    ['the 31st', 1, 31, ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']],
    ['29 February', 12, 29, ['2028-02-29', '2029-02-28', '2030-02-28']],
    ['the day the clocks go forward', 12, 28, ['2027-03-28', '2028-03-28']],
    ['the day the clocks go back', 12, 31, ['2027-10-31', '2028-10-31']],
  ] as const)('for each term from %s, without drift', async (_, months, anchor, ends) => {
    const shop = await makeSubscription()
    const [firstEnd] = ends
    await services.db.run(`DELETE FROM renewals WHERE publication_id = :id`, { id: shop.id })
    await services.db.run(
      `UPDATE payment_agreements SET term_months = :months, renews_on = :first, contract_on = :first WHERE publication_id = :id`,
      { months, first: firstEnd, id: shop.id },
    )
    await services.db.run(
      `UPDATE readers SET sub_end_on = :first, sub_anchor_day = :anchor WHERE publication_id = :id`,
      { first: firstEnd, anchor, id: shop.id },
    )
    for (const [cycle, end] of ends.slice(1).entries()) {
      const due = ends[cycle] as string
      for (const day of [addDays(due, -30), addDays(due, -1)]) {
        expect(await runDay(day, shop)).toMatchObject({ charged: 0 })
      }
      // Shortly after the beginning of the day, and before its end with and without summer time.
      for (const [time, charged] of [
        ['00:01', 1],
        ['22:00', 0],
        ['22:59', 0],
      ] as const) {
        services.clock.set(`${due}T${time}:00Z`)
        expect(await chargeDueRenewals(system(), due, { publicationId: shop.id })).toMatchObject({ charged })
      }
      expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ sub_end_on: end }])
    }
    expect(await rowsOf(services, 'orders', shop.id)).toHaveLength(ends.length)
  })
})
