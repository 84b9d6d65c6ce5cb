import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { cancelOrder } from '#core/orders/cancel-order.ts'
import { confirmOrder } from '#core/orders/confirm-order.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { loggedError } from '#core/platform/logged-error.ts'
import { connectPayee } from '#tests/support/connect-payee.ts'
import { makePromo } from '#tests/support/factories.ts'
import { orderForm, rowsOf } from '#tests/support/shop.ts'
import { stripeCards } from '#tests/support/stripe-cards.ts'
import { type StripeServer, startStripeServer } from '#tests/support/stripe-server.ts'
import { stripeShops } from '#tests/support/stripe-shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

let services: TestServices
let stripe: StripeServer
beforeAll(async () => {
  stripe = await startStripeServer()
  services = await openTestServices({ STRIPE_API_BASE: stripe.url })
})
const { open, order, sweep, stateOf, intentOf } = stripeShops(
  () => services,
  () => stripe,
)
const confirm = (placed: object) => confirmOrder(services.as(visitor), placed)
const cancel = (placed: object) => cancelOrder(services.as(visitor), placed)
const paymentsOf = (orderNumber: string) =>
  stripe.payments().filter(({ metadata }) => (metadata as { orderNumber?: string }).orderNumber === orderNumber)

describe('an order by card', () => {
  it('is pending with the server’s own amount at Stripe, and paid only by Stripe’s response, once', async () => {
    const { shop, placed, intent } = await order()
    expect(placed).toMatchObject({
      state: 'pending',
      next: { kind: 'confirm', publishableKey: stripe.publishableKey, isDirectDebit: false },
    })
    expect(stripe.objects.get(intent)).toMatchObject({
      amount: 2999,
      currency: 'gbp',
      payment_method_types: ['card'],
      customer: null,
      setup_future_usage: null,
      metadata: { orderNumber: placed.orderNumber, publication: String(shop.id) },
    })
    expect(await confirm(placed)).toEqual({ state: 'pending', isProcessing: false })
    expect(await rowsOf(services, 'readers', shop.id)).toEqual([])

    stripe.setPayment(intent, { status: 'processing' })
    expect(await confirm(placed)).toEqual({ state: 'pending', isProcessing: true })
    stripe.setPayment(intent, { status: 'requires_payment_method' })
    stripe.pay(intent)
    expect(await Promise.all(Array.from({ length: 4 }, () => confirm(placed)))).toMatchObject(
      Array(4).fill({ state: 'paid' }),
    )
    expect(await rowsOf(services, 'readers', shop.id)).toHaveLength(1)
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toMatchObject([{ kind: 'sale', amount: 2999 }])
    const [payment] = await services.db.query(`SELECT * FROM payments WHERE order_id = :id`, { id: placed.orderId })
    expect(payment).toMatchObject({ state: 'paid', provider_reference: intent, account_last_four: '4242' })
  })

  it('stores the customer and the card of a renewing plan for next time', async () => {
    const shop = await open()
    const { placed, intent } = await order({ plan: '1PR25.00' }, 'stripe-card', shop)
    expect(stripe.objects.get(intent)).toMatchObject({ setup_future_usage: 'off_session' })
    stripe.pay(intent)
    await confirm(placed)
    const paid = stripe.objects.get(intent)
    expect(await rowsOf(services, 'payment_agreements', shop.id)).toMatchObject([
      { provider: 'stripe-card', customer_reference: paid?.customer, method_reference: paid?.payment_method },
    ])
    expect(paid?.customer).toMatch(/^cus_/)
  })

  it('begun twice, even at once, is one payment with one client secret', async () => {
    const { form, placed } = await order()
    const repeats = await Promise.all([placeOrder(services.as(visitor), form), placeOrder(services.as(visitor), form)])
    expect(repeats.map(({ next }) => next)).toEqual([placed.next, placed.next])
    expect(paymentsOf(placed.orderNumber)).toHaveLength(1)
  })

  it('begun again after it was paid is the paid order, and needs nothing more', async () => {
    const { form, placed, intent } = await order()
    stripe.pay(intent)
    expect(await placeOrder(services.as(visitor), form)).toMatchObject({
      orderNumber: placed.orderNumber,
      state: 'paid',
      next: null,
    })
  })

  it('whose first response was lost is begun with the same key, and is one payment', async () => {
    const shop = await open()
    // The library retries automatically: both responses are lost.
    stripe.dropNextResponse('/v1/payment_intents')
    stripe.dropNextResponse('/v1/payment_intents')
    const email = 'lost-answer@example.test'
    const idempotencyKey = 'lost-answer-0123456789'
    const fields = { email, confirmEmail: email, idempotencyKey }
    await expect(order(fields, 'stripe-card', shop)).rejects.toMatchObject({ kind: 'upstream' })
    const { placed } = await order(fields, 'stripe-card', shop)
    expect(placed.next).toMatchObject({ kind: 'confirm' })
    expect(paymentsOf(placed.orderNumber)).toHaveLength(1)
    expect(await rowsOf(services, 'orders', shop.id)).toHaveLength(1)
  })

  it('tells the buyer that Stripe is unavailable, and leaves the order for another attempt', async () => {
    const shop = await open()
    stripe.failNext('/v1/payment_intents', 500, 2)
    const fields = { idempotencyKey: 'stripe-is-down-0123456789', email: 'down@example.test' }
    const failed = order({ ...fields, confirmEmail: fields.email }, 'stripe-card', shop)
    await expect(failed).rejects.toMatchObject({ kind: 'upstream', message: expect.stringContaining('No money') })
    expect(await rowsOf(services, 'orders', shop.id)).toMatchObject([{ state: 'pending' }])
    const { placed } = await order({ ...fields, confirmEmail: fields.email }, 'stripe-card', shop)
    expect(placed.next).toMatchObject({ kind: 'confirm' })
  })

  it('stays pending while Stripe does not respond, and is paid by the next request', async () => {
    const { placed, intent } = await order()
    stripe.pay(intent)
    stripe.failNext(`/v1/payment_intents/${intent}`, 503, 2)
    expect(await confirm(placed)).toMatchObject({ state: 'pending' })
    expect(await confirm(placed)).toMatchObject({ state: 'paid' })
  })

  it('of a different amount from the order’s is never fulfilled, and is held for staff to check', async () => {
    const { shop, placed, intent } = await order()
    stripe.pay(intent)
    stripe.setPayment(intent, { amount_received: 1 })
    expect(await confirm(placed)).toMatchObject({ state: 'pending' })
    expect(await stateOf(placed.orderId)).toEqual({ order: 'pending', payment: 'mismatch' })
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toEqual([])
  })

  it('that was declined can be paid by another card with the same form', async () => {
    const { placed, intent } = await order()
    expect(() => stripe.pay(intent, stripeCards.declined)).toThrow('declined')
    expect(await confirm(placed)).toMatchObject({ state: 'pending' })
    stripe.pay(intent)
    expect(await confirm(placed)).toMatchObject({ state: 'paid' })
  })

  it('below Stripe’s minimum is refused with a message for the buyer', async () => {
    const shop = await open()
    await services.db.run(`UPDATE publication_prices SET amount = 29 WHERE publication_id = :id`, { id: shop.id })
    await makePromo(services, shop.id, 'LAST-ONE', { uses: 1 })
    const fields = { plan: '1PN0.29', promoCode: 'LAST-ONE', idempotencyKey: 'too-small-0123456789' }
    const form = orderForm(shop, fields)
    const buyBy = (payment: object) => placeOrder(services.as(visitor), { ...form, payment })
    await expect(buyBy({ provider: 'stripe-card' })).rejects.toMatchObject({
      kind: 'invalid',
      fields: { payment: expect.stringContaining('too small for this payment method') },
    })
    expect(await rowsOf(services, 'orders', shop.id)).toMatchObject([{ state: 'cancelled' }])
    expect(await rowsOf(services, 'promo_codes', shop.id)).toMatchObject([{ used: 0 }])
    // The same payment method is refused; another one makes a new order, with the code.
    await expect(buyBy({ provider: 'stripe-card' })).rejects.toMatchObject({ kind: 'conflict' })
    const byDemoCard = { provider: 'demo', details: { cardNumber: '4242 4242 4242 4242' } }
    const placed = await buyBy(byDemoCard)
    expect(placed).toMatchObject({ state: 'paid' })
    expect(await buyBy(byDemoCard)).toMatchObject({ orderId: placed.orderId })
    expect(await rowsOf(services, 'promo_codes', shop.id)).toMatchObject([{ used: 1 }])
  })
})

describe('a buyer who cancels', () => {
  it('releases the promo use, and can never pay that order again', async () => {
    const shop = await open()
    await makePromo(services, shop.id, 'ONLY-ONE', { uses: 1 })
    const { placed, intent } = await order({ promoCode: 'ONLY-ONE' }, 'stripe-card', shop)
    expect(await cancel(placed)).toMatchObject({ state: 'cancelled' })
    expect(stripe.objects.get(intent)).toMatchObject({ status: 'canceled' })
    expect(() => stripe.pay(intent)).toThrow('cannot be confirmed')
    expect(await rowsOf(services, 'promo_codes', shop.id)).toMatchObject([{ used: 0 }])
    expect(await cancel(placed)).toMatchObject({ state: 'cancelled' })
  })

  it('just as the money is taken has a paid order', async () => {
    const { shop, placed, intent } = await order()
    // Stripe has reported the payment as "open"; before the cancel call arrives, the card is charged.
    const held = stripe.holdNextResponse(`/v1/payment_intents/${intent}`)
    const cancelling = cancel(placed)
    await held.reached
    stripe.pay(intent)
    held.release()
    expect(await cancelling).toMatchObject({ state: 'paid' })
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toHaveLength(1)
  })
})

describe('the sweep', () => {
  it('settles payments whose buyers never came back, and cancels orders unpaid after an hour', async () => {
    const paid = await order()
    const unpaid = await order()
    stripe.pay(paid.intent)
    services.clock.advance({ minutes: 11 })
    await sweep()
    expect(await stateOf(paid.placed.orderId)).toEqual({ order: 'paid', payment: 'paid' })
    expect(await stateOf(unpaid.placed.orderId)).toEqual({ order: 'pending', payment: 'pending' })
    services.clock.advance({ minutes: 50 })
    await sweep()
    expect(await stateOf(unpaid.placed.orderId)).toEqual({ order: 'cancelled', payment: 'cancelled' })
    expect(stripe.objects.get(unpaid.intent)).toMatchObject({ status: 'canceled' })
  })

  it('cancels an order whose payment was begun without a response', async () => {
    const shop = await open()
    stripe.dropNextResponse('/v1/payment_intents')
    stripe.dropNextResponse('/v1/payment_intents')
    await expect(order({}, 'stripe-card', shop)).rejects.toMatchObject({ kind: 'upstream' })
    const [before] = await rowsOf(services, 'orders', shop.id)
    expect(await intentOf(Number(before?.id))).toBe('')
    services.clock.advance({ minutes: 61 })
    await sweep()
    expect(await rowsOf(services, 'orders', shop.id)).toMatchObject([{ state: 'cancelled' }])
    expect(paymentsOf(String(before?.order_number))).toMatchObject([{ status: 'canceled' }])
  })

  it('is not delayed by orders for which Stripe does not respond', async () => {
    const lost = await order()
    const paid = await order()
    stripe.objects.delete(lost.intent)
    stripe.pay(paid.intent)
    services.clock.advance({ minutes: 11 })
    expect(await sweep()).toMatchObject({ failed: 1 })
    expect(await stateOf(lost.placed.orderId)).toEqual({ order: 'pending', payment: 'pending' })
    expect(await stateOf(paid.placed.orderId)).toEqual({ order: 'paid', payment: 'paid' })
  })
})

it('logs Stripe’s failures by their codes only, without a key or a text of Stripe', async () => {
  const { shop, placed } = await order()
  await connectPayee(services, shop.publisherId, 'stripeDets', { secretKey: 'sk_test_revoked' })
  const logged: object[] = []
  const log = { info: () => {}, warn: (fields: object) => logged.push(fields), error: () => {} }
  expect(await confirmOrder({ ...services.as(visitor), log }, placed)).toMatchObject({ state: 'pending' })
  const codes = { type: 'StripeAuthenticationError', statusCode: 401, requestId: expect.stringMatching(/^req_\d+$/) }
  expect(logged).toEqual([{ order: placed.orderId, error: expect.objectContaining({ kind: 'upstream' }) }])
  const [error] = logged.map((fields) => loggedError((fields as { error: unknown }).error))
  expect((error as { detail: unknown }).detail).toEqual(codes)
  expect(JSON.stringify(error)).not.toMatch(/sk_test|Invalid API Key/)
})
