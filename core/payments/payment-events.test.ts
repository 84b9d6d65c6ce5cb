import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { cancelOrder } from '#core/orders/cancel-order.ts'
import { confirmOrder } from '#core/orders/confirm-order.ts'
import { rowsOf } from '#tests/support/shop.ts'
import { type StripeServer, startStripeServer } from '#tests/support/stripe-server.ts'
import { stripeShops } from '#tests/support/stripe-shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { receivePaymentEvent } from './receive-payment-event.ts'

let services: TestServices
let stripe: StripeServer
beforeAll(async () => {
  stripe = await startStripeServer()
  services = await openTestServices({ STRIPE_API_BASE: stripe.url })
})
const { open, order, runSettling, stateOf } = stripeShops(
  () => services,
  () => stripe,
)

type Message = Parameters<StripeServer['message']>[0]
const send = (publisherId: number, message: Message, change: object = {}) =>
  receivePaymentEvent(services.as(visitor), {
    sender: 'stripe',
    publisherId,
    ...stripe.message({ at: services.clock.now, ...message }),
    ...change,
  })
const eventsOf = (publisherId: number) =>
  services.db.query(`SELECT * FROM payment_events WHERE publisher_id = :publisherId ORDER BY id`, { publisherId })
const refused = { kind: 'malformed', message: expect.stringContaining('signature') }

describe('a webhook message from Stripe', () => {
  it('that comes before the browser returns pays the order; the browser finds it paid', async () => {
    const { shop, placed, intent } = await order()
    stripe.pay(intent)
    expect(await send(shop.publisherId, { about: intent })).toEqual({ received: true })
    expect(await stateOf(placed.orderId)).toEqual({ order: 'pending', payment: 'pending' })
    expect(await runSettling()).toBe(1)
    expect(await stateOf(placed.orderId)).toEqual({ order: 'paid', payment: 'paid' })
    expect(await confirmOrder(services.as(visitor), placed)).toMatchObject({ state: 'paid' })
    expect(await eventsOf(shop.publisherId)).toMatchObject([
      { provider: 'stripe', order_id: placed.orderId, handled_at: expect.anything() },
    ])
    expect(await rowsOf(services, 'readers', shop.id)).toHaveLength(1)
  })

  it('that comes after the browser returns changes nothing more, however many come', async () => {
    const { shop, placed, intent } = await order()
    stripe.pay(intent)
    await confirmOrder(services.as(visitor), placed)
    for (const type of ['payment_intent.created', 'payment_intent.succeeded', 'charge.succeeded'])
      await send(shop.publisherId, { about: intent, type })
    expect(await runSettling()).toBe(3)
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toHaveLength(1)
    expect(await rowsOf(services, 'readers', shop.id)).toHaveLength(1)
  })

  it('that comes twice, even at once, is stored once and queues one job', async () => {
    const { shop, intent } = await order()
    stripe.pay(intent)
    const message = { about: intent, id: 'evt_twice' }
    const sent = await Promise.all(Array.from({ length: 4 }, () => send(shop.publisherId, message)))
    expect(sent).toEqual(Array(4).fill({ received: true }))
    expect(await eventsOf(shop.publisherId)).toHaveLength(1)
    expect(await runSettling()).toBe(1)
    await send(shop.publisherId, message)
    expect(await runSettling()).toBe(0)
  })

  it('is verified at Stripe: a payment that Stripe does not confirm is not paid', async () => {
    const { shop, placed, intent } = await order()
    const message = stripe.message({ about: intent, at: services.clock.now })
    const forged = {
      ...JSON.parse(message.body),
      data: { object: { object: 'payment_intent', id: intent, status: 'succeeded' } },
    }
    await expect(send(shop.publisherId, { about: intent }, { body: JSON.stringify(forged) })).rejects.toMatchObject(
      refused,
    )
    await send(shop.publisherId, { about: intent })
    await runSettling()
    expect(await stateOf(placed.orderId)).toEqual({ order: 'pending', payment: 'pending' })
  })

  it('with a wrong signature, none, or one of five minutes ago is refused and leaves nothing', async () => {
    const { shop, intent } = await order()
    stripe.pay(intent)
    const old = new Date(services.clock.now.getTime() - 301_000)
    const recent = new Date(services.clock.now.getTime() - 299_000)
    const { publisherId } = shop
    await expect(send(publisherId, { about: intent, secret: 'whsec_other' })).rejects.toMatchObject(refused)
    await expect(send(publisherId, { about: intent, at: old })).rejects.toMatchObject(refused)
    await expect(send(publisherId, { about: intent }, { headers: {} })).rejects.toMatchObject(refused)
    await expect(send(publisherId, { about: intent }, { body: '{}' })).rejects.toMatchObject(refused)
    await expect(send(publisherId, { about: intent }, { body: '' })).rejects.toMatchObject(refused)
    expect(await eventsOf(publisherId)).toEqual([])
    expect(await runSettling()).toBe(0)
    expect(await send(publisherId, { about: intent, at: recent })).toEqual({ received: true })
    expect(await runSettling()).toBe(1)
  })

  it('to a publisher without a signing secret, or an unknown one, is refused', async () => {
    const { shop, intent } = await order()
    await services.db.run(`UPDATE accounts SET stripe_webhook_secret = NULL WHERE user_id = :id`, {
      id: shop.publisherId,
    })
    await expect(send(shop.publisherId, { about: intent })).rejects.toMatchObject(refused)
    await expect(send(987_654, { about: intent })).rejects.toMatchObject(refused)
  })

  it('about another publisher’s order never touches it, validly signed or not', async () => {
    const mine = await open()
    const theirs = await order()
    stripe.pay(theirs.intent)
    // The same account at Stripe serves both: the signature is valid, the order belongs to the other publisher.
    expect(await send(mine.publisherId, { about: theirs.intent })).toEqual({ received: true })
    expect(await eventsOf(mine.publisherId)).toMatchObject([{ order_id: null }])
    expect(await runSettling()).toBe(0)
    expect(await stateOf(theirs.placed.orderId)).toEqual({ order: 'pending', payment: 'pending' })
  })

  it('that two publishers with one account receive applies to the one whose order it is', async () => {
    const other = await open()
    const { shop, placed, intent } = await order()
    stripe.pay(intent)
    await send(other.publisherId, { about: intent, id: 'evt_shared' })
    await send(shop.publisherId, { about: intent, id: 'evt_shared' })
    expect(await runSettling()).toBe(1)
    expect(await stateOf(placed.orderId)).toEqual({ order: 'paid', payment: 'paid' })
  })

  it('about a cancelled order that was paid after all makes it a paid order', async () => {
    const { shop, placed, intent } = await order()
    await cancelOrder(services.as(visitor), placed)
    stripe.setPayment(intent, { status: 'succeeded', amount_received: 2999 })
    services.clock.advance({ minutes: 1 })
    await send(shop.publisherId, { about: intent })
    await runSettling()
    expect(await stateOf(placed.orderId)).toEqual({ order: 'paid', payment: 'paid' })
  })
})
