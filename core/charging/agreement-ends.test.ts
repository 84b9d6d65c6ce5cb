import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { refundOrder } from '#core/orders/refund-order.ts'
import { settleOrder } from '#core/orders/settle-order.ts'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import { planDay } from '#core/renewals/plan-renewals.ts'
import { actorOf } from '#tests/support/factories.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { chargeDay } from './charge-renewals.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const system = () => services.as({ kind: 'system' })

async function runDay(day: string, { id }: { id: number }) {
  services.clock.now = new Date(`${day}T05:00:00Z`)
  await planDay(system(), day)
  return chargeDay(system(), day, { publicationId: id })
}

/** A year that renews, bought on 22/11/2026, and renewed once where it is asked for; the next cycle is planned or due. */
async function subscribed({ isRenewed = false, cardNumber = demoCards.paid as string } = {}) {
  services.clock.now = new Date('2026-11-22T10:00:00Z')
  const shop = await makeShop(services)
  const form = orderForm(shop, { plan: '1PR25.00', payment: { details: { cardNumber } } })
  expect(await placeOrder(services.as(visitor), form)).toMatchObject({ state: 'paid' })
  await runDay('2027-11-01', shop)
  if (isRenewed) {
    expect(await runDay('2027-11-22', shop)).toMatchObject({ paid: 1 })
    await runDay('2028-11-01', shop)
  }
  const orders = await rowsOf(services, 'orders', shop.id)
  return { shop, orders: orders.map(({ id }) => Number(id)) }
}

const refund = async (shop: { publisherId: number }, id: number | undefined) =>
  refundOrder(services.as(await actorOf(services, 'publisher', shop.publisherId)), {
    id,
    scope: 'whole',
    way: 'hand',
    reason: 'Changed her mind',
  })

/** What the bank tells of a payment: that its customer disputes it. */
async function dispute(id: number | undefined, state: 'open' | 'lost') {
  const [payment] = await services.db.query<{ provider_reference: string; amount: number; currency: 'GBP' }>(
    `SELECT provider_reference, amount, currency FROM payments WHERE order_id = :id`,
    { id: Number(id) },
  )
  if (!payment) throw new Error('no payment')
  const { provider_reference: reference, amount, currency } = payment
  const told = { reference: `dp_${id}`, amount, state, reason: 'fraudulent', fee: null }
  const money = { amount, currency }
  await settleOrder(system(), { orderId: Number(id), answer: { state: 'paid', reference, money, disputes: [told] } })
}

const agreements = ({ id }: { id: number }) => rowsOf(services, 'payment_agreements', id)
const openRenewals = async ({ id }: { id: number }) =>
  (await rowsOf(services, 'renewals', id)).filter(
    ({ state }) => !['paid', 'cancelled', 'lapsed'].includes(String(state)),
  )

describe('an agreement whose money went back', () => {
  it('ends with the refund of its first order, and nothing of it is charged any more', async () => {
    const { shop, orders } = await subscribed()
    expect(await openRenewals(shop)).toHaveLength(1)
    await refund(shop, orders[0])
    expect(await agreements(shop)).toMatchObject([{ state: 'ended', end_reason: 'taken-back' }])
    expect(await rowsOf(services, 'renewals', shop.id)).toMatchObject([
      { state: 'cancelled', reason: 'A payment of it was taken back', next_try_on: null },
    ])
    expect(await runDay('2027-11-22', shop)).toMatchObject({ charged: 0 })
  })

  it('ends with the refund of its last renewal', async () => {
    const { shop, orders } = await subscribed({ isRenewed: true })
    await refund(shop, orders[1])
    expect(await agreements(shop)).toMatchObject([{ state: 'ended', end_reason: 'taken-back' }])
    expect(await openRenewals(shop)).toEqual([])
  })

  it('goes on after the refund of an order that it has gone on from', async () => {
    const { shop, orders } = await subscribed({ isRenewed: true })
    await refund(shop, orders[0])
    expect(await agreements(shop)).toMatchObject([{ state: 'active' }])
    expect(await openRenewals(shop)).toHaveLength(1)
  })

  it.each(['open', 'lost'] as const)('ends with any of its payments whose dispute is %s', async (state) => {
    const { shop, orders } = await subscribed({ isRenewed: true })
    await dispute(orders[state === 'open' ? 0 : 1], state)
    expect(await agreements(shop)).toMatchObject([{ state: 'ended', end_reason: 'taken-back' }])
    expect(await openRenewals(shop)).toEqual([])
  })
})
