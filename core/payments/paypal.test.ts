import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { cancelOrder } from '#core/orders/cancel-order.ts'
import { confirmOrder } from '#core/orders/confirm-order.ts'
import { disputesOf } from '#core/orders/disputes.rows.ts'
import { getOrder } from '#core/orders/get-order.query.ts'
import type { PlacedOrder } from '#core/orders/order-once.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { refreshOrderPayment } from '#core/orders/refresh-order-payment.ts'
import { refundOrder } from '#core/orders/refund-order.ts'
import { settlePendingOrders } from '#core/orders/settle-pending-orders.ts'
import { settleRefunds } from '#core/orders/settle-refunds.ts'
import { connectPayee } from '#tests/support/connect-payee.ts'
import { actorOf, makePromo, system } from '#tests/support/factories.ts'
import { type PayPalServer, startPayPalServer } from '#tests/support/paypal-server.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { gatewayPayment } from '../orders/gateway-payment.ts'
import { receivePaymentEvent } from './receive-payment-event.ts'

let services: TestServices
let paypal: PayPalServer
beforeAll(async () => {
  paypal = await startPayPalServer()
  services = await openTestServices({ PAYPAL_API_BASE: paypal.url })
})
beforeEach(() => {
  paypal.clearFaults()
  paypal.captureAs('COMPLETED')
  paypal.captureAmount(null)
  paypal.requests.length = 0
})

async function payPalShop() {
  const shop = await makeShop(services)
  await connectPayee(services, shop.publisherId, 'payPalDets', paypal.keys)
  return shop
}

const byPayPal = { payment: { provider: 'paypal' } }
const buy = (form: object) => placeOrder(services.as(visitor), form)
const confirm = (placed: PlacedOrder) => confirmOrder(services.as(visitor), placed)
const sweep = () => settlePendingOrders(services.as(system), {})
const captures = () => paypal.requests.filter((request) => request.endsWith('/capture')).length

async function order(fields: object = {}) {
  const shop = await payPalShop()
  const form = orderForm(shop, { ...byPayPal, ...fields })
  return { shop, form, placed: await buy(form) }
}

describe('an order by PayPal', () => {
  it('goes to PayPal with the server’s own amount, is approved there, and is paid when the buyer comes back, once', async () => {
    const { shop, placed } = await order()
    expect(placed).toMatchObject({ state: 'pending', next: { kind: 'go' } })
    const { unit, returnUrl, cancelUrl, id } = paypal.orderOf(placed.orderNumber)
    expect(unit).toMatchObject({
      custom_id: placed.orderNumber,
      invoice_id: placed.orderNumber,
      amount: { currency_code: 'GBP', value: '29.99' },
    })
    expect(placed.next).toEqual({ kind: 'go', url: `${paypal.url}/checkoutnow?token=${id}` })
    expect(new URL(returnUrl).pathname).toBe('/ordersuccess')
    expect(new URL(cancelUrl).pathname).toBe('/ordercancel')
    expect(await rowsOf(services, 'buyers', shop.id)).toEqual([])

    paypal.approve(placed.orderNumber)
    expect(await Promise.all(Array.from({ length: 4 }, () => confirm(placed)))).toMatchObject(
      Array(4).fill({ state: 'paid' }),
    )
    expect(await confirm(placed)).toMatchObject({ state: 'paid' })
    expect(paypal.orderOf(placed.orderNumber).captures).toHaveLength(1)
    expect(await rowsOf(services, 'readers', shop.id)).toHaveLength(1)
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toMatchObject([{ amount: 2999 }])
    expect(await rowsOf(services, 'orders', shop.id)).toMatchObject([{ state: 'paid', payment_type: 'PayPal' }])
  })

  it('is not paid by returning without approval', async () => {
    const { placed } = await order()
    expect(await confirm(placed)).toMatchObject({ state: 'pending' })
    expect(captures()).toBe(0)
  })

  it('sent again is the same order at PayPal, even when the first response was lost', async () => {
    const shop = await payPalShop()
    const form = orderForm(shop, byPayPal)
    paypal.dropNextResponse('/v2/checkout/orders', 2)
    await expect(buy(form)).rejects.toMatchObject({ kind: 'upstream', message: expect.stringMatching(/No money was/) })
    const first = await buy(form)
    const second = await buy(form)
    expect(second.next).toEqual(first.next)
    expect([...paypal.orders.values()].filter(({ unit }) => unit.custom_id === first.orderNumber)).toHaveLength(1)
    paypal.approve(first.orderNumber)
    // The buyer went back to the form after agreeing, and pressed its button again.
    expect(await buy(form)).toMatchObject({ state: 'paid', next: null })
  })

  it('whose buyer closed the browser after approving is captured by the sweep', async () => {
    const { shop, placed } = await order()
    paypal.approve(placed.orderNumber)
    services.clock.advance({ minutes: 11 })
    await sweep()
    expect(await rowsOf(services, 'orders', shop.id)).toMatchObject([{ state: 'paid' }])
  })

  it('whose capture succeeded without a response is found by the next request', async () => {
    const { shop, placed } = await order()
    paypal.approve(placed.orderNumber)
    paypal.dropNextResponse('/capture', 2)
    expect(await confirm(placed)).toMatchObject({ state: 'pending' })
    expect(paypal.orderOf(placed.orderNumber).captures).toHaveLength(1)
    services.clock.advance({ minutes: 11 })
    await sweep()
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toHaveLength(1)
    expect(paypal.orderOf(placed.orderNumber).captures).toHaveLength(1)
  })

  it('that nobody approved is cancelled after an hour; a later approval takes no money', async () => {
    const { shop, placed } = await order()
    services.clock.advance({ minutes: 61 })
    await sweep()
    expect(await rowsOf(services, 'orders', shop.id)).toMatchObject([{ state: 'cancelled' }])
    paypal.approve(placed.orderNumber)
    expect(await confirm(placed)).toMatchObject({ state: 'cancelled' })
    // PayPal's message about the approval does not change that.
    await refreshOrderPayment(services.as(system), { orderId: placed.orderId })
    expect(await confirm(placed)).toMatchObject({ state: 'cancelled' })
    expect(captures()).toBe(0)
  })

  it('is cancelled by its buyer, but not when it was paid meanwhile', async () => {
    const { placed } = await order()
    expect(await cancelOrder(services.as(visitor), placed)).toMatchObject({ state: 'cancelled' })
    const paid = await order()
    paypal.approve(paid.placed.orderNumber)
    await confirm(paid.placed)
    expect(await cancelOrder(services.as(visitor), paid.placed)).toMatchObject({ state: 'paid' })
  })

  it('whose funding source is declined is declined, and the form asks for another payment method', async () => {
    const { shop, form, placed } = await order()
    paypal.approve(placed.orderNumber)
    paypal.captureAs('INSTRUMENT_DECLINED')
    expect(await confirm(placed)).toMatchObject({ state: 'declined' })
    await expect(buy(form)).rejects.toMatchObject({ kind: 'declined' })
    expect(await rowsOf(services, 'buyers', shop.id)).toEqual([])
  })

  it.each([
    ['paid', 'COMPLETED'],
    ['declined', 'DECLINED'],
  ])('that PayPal is reviewing waits, even past the hour, and is then %s', async (state, status) => {
    const { shop, placed } = await order()
    paypal.approve(placed.orderNumber)
    paypal.captureAs('PENDING')
    expect(await confirm(placed)).toEqual({ state: 'pending', isProcessing: true })
    services.clock.advance({ minutes: 90 })
    await sweep()
    expect(await rowsOf(services, 'orders', shop.id)).toMatchObject([{ state: 'pending' }])
    const [capture] = paypal.orderOf(placed.orderNumber).captures
    if (capture) capture.status = status
    expect(await confirm(placed)).toMatchObject({ state })
  })

  it('of a different amount from the order’s is not captured, and one captured at another amount is held', async () => {
    const agreed = await order()
    paypal.approve(agreed.placed.orderNumber)
    paypal.orderOf(agreed.placed.orderNumber).unit.amount.value = '0.01'
    expect(await confirm(agreed.placed)).toMatchObject({ state: 'pending' })
    expect(captures()).toBe(0)

    const captured = await order()
    paypal.approve(captured.placed.orderNumber)
    paypal.captureAmount('0.01')
    expect(await confirm(captured.placed)).toMatchObject({ state: 'pending' })
    expect(await rowsOf(services, 'orders', captured.shop.id)).toMatchObject([{ state: 'pending' }])
    expect(await rowsOf(services, 'ledger_entries', captured.shop.id)).toEqual([])
    const mismatches = `SELECT subject_id FROM audit_log WHERE action = 'payment-mismatch' AND subject_id = :id`
    expect(await services.db.query(mismatches, { id: captured.placed.orderId })).toHaveLength(1)
  })

  it('held for its amount is closed, and its promo use is free, once everything is refunded at PayPal', async () => {
    const shop = await payPalShop()
    await makePromo(services, shop.id, 'SPRING', { uses: 1, discountPercent: 50 })
    const placed = await buy(orderForm(shop, { ...byPayPal, promoCode: 'SPRING' }))
    paypal.approve(placed.orderNumber)
    paypal.captureAmount('19.99')
    await confirm(placed)
    paypal.refund(placed.orderNumber, '9.99')
    await refreshOrderPayment(services.as(system), { orderId: placed.orderId })
    expect(await rowsOf(services, 'orders', shop.id)).toMatchObject([{ state: 'pending' }])
    expect(await rowsOf(services, 'promo_codes', shop.id)).toMatchObject([{ used: 1 }])
    paypal.refund(placed.orderNumber, '10.00')
    await refreshOrderPayment(services.as(system), { orderId: placed.orderId })
    expect(await rowsOf(services, 'orders', shop.id)).toMatchObject([{ state: 'declined' }])
    expect(await rowsOf(services, 'promo_codes', shop.id)).toMatchObject([{ used: 0 }])
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toEqual([])
  })

  it('is not offered for renewing plans, and a zero amount never reaches PayPal', async () => {
    const shop = await payPalShop()
    await expect(buy(orderForm(shop, { ...byPayPal, plan: '1PR25.00' }))).rejects.toMatchObject({
      fields: { payment: 'Choose how to pay' },
    })
    await services.db.run(`UPDATE publications SET digital_is_free = :yes WHERE id = :id`, { yes: true, id: shop.id })
    await expect(buy(orderForm(shop, { ...byPayPal, plan: 'FDN' }))).resolves.toMatchObject({ state: 'paid' })
    expect(paypal.requests).toEqual([])
  })

  it('fails with a plain message when PayPal is down or refuses the keys, without showing them', async () => {
    const shop = await payPalShop()
    paypal.failNext('/v2/checkout/orders', 503, 2)
    const failed = buy(orderForm(shop, byPayPal))
    await expect(failed).rejects.toMatchObject({ kind: 'upstream' })
    await connectPayee(services, shop.publisherId, 'payPalDets', { secret: 'EF-another-secret-0002' })
    const refused = await buy(orderForm(shop, byPayPal)).catch((error: unknown) => error)
    expect(refused).toMatchObject({ kind: 'upstream' })
    expect(JSON.stringify([refused, (refused as Error).cause])).not.toMatch(/EF-another|AZ-/)
  })

  it('requests an access token once, and again when PayPal revokes it', async () => {
    // The token of an earlier test has expired by then.
    services.clock.advance({ hours: 9 })
    const { placed } = await order()
    await confirm(placed)
    expect(paypal.requests.filter((request) => request.includes('oauth2'))).toHaveLength(1)
    paypal.failNext('/v2/checkout/orders', 401)
    expect(await confirm(placed)).toMatchObject({ state: 'pending' })
    expect(paypal.requests.slice(-2)).toEqual(['POST /v1/oauth2/token', expect.stringMatching(/^GET .*orders/)])
  })
})

describe('a refund by PayPal', () => {
  async function makePaidOrder() {
    const { shop, placed } = await order()
    paypal.approve(placed.orderNumber)
    await confirm(placed)
    const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
    return { shop, placed, staff, id: placed.orderId, atPayPal: () => paypal.orderOf(placed.orderNumber).refunds }
  }
  const refundRows = (orderId: number) =>
    services.db.query(`SELECT state, method, amount FROM refunds WHERE order_id = :orderId ORDER BY id`, { orderId })
  const netOf = async (staff: Parameters<typeof getOrder>[0], id: number) => (await getOrder(staff, { id })).net

  it('is made of the stored capture, once, even after a lost response', async () => {
    const { staff, id, atPayPal } = await makePaidOrder()
    expect(await refundOrder(staff, { id, scope: 'amount', amount: '5.00' })).toMatchObject({ state: 'succeeded' })
    expect(paypal.requests.at(-1)).toMatch(/^POST \/v2\/payments\/captures\/C-\w+\/refund$/)
    paypal.dropNextResponse('/refund', 2)
    expect(await refundOrder(staff, { id, scope: 'whole' })).toMatchObject({ state: 'planned', amount: 2499 })
    services.clock.advance({ minutes: 6 })
    await settleRefunds(services.as(system), {})
    expect(atPayPal().map(({ amount }) => amount.value)).toEqual(['5.00', '24.99'])
    expect(await refundRows(id)).toMatchObject([{ state: 'succeeded' }, { state: 'succeeded' }])
    expect(await getOrder(staff, { id })).toMatchObject({ state: 'refunded', net: 0 })
  })

  it('sends texts cut to what PayPal accepts, never within a character', async () => {
    const shop = await payPalShop()
    await services.db.run(`UPDATE publications SET publication_name = :name WHERE id = :id`, {
      name: `${'x'.repeat(126)}\u{1f4f0}`,
      id: shop.id,
    })
    const placed = await buy(orderForm(shop, byPayPal))
    expect(paypal.orderOf(placed.orderNumber).unit.description).toBe('x'.repeat(126))
    paypal.approve(placed.orderNumber)
    await confirm(placed)
    const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
    const reason = `${'y'.repeat(254)}\u{1f4f0}`
    await refundOrder(staff, { id: placed.orderId, scope: 'whole', reason })
    expect(paypal.orderOf(placed.orderNumber).refunds[0]?.note_to_payer).toBe('y'.repeat(254))
  })

  it('of an older payment without a stored capture finds its capture', async () => {
    const { staff, id } = await makePaidOrder()
    await services.db.run(`UPDATE payments SET charge_reference = NULL WHERE order_id = :id`, { id })
    expect(await refundOrder(staff, { id, scope: 'amount', amount: '1.00' })).toMatchObject({ state: 'succeeded' })
  })

  it('that was made in part at PayPal is recorded by its webhook, alongside our own, once', async () => {
    const { shop, placed, staff, id } = await makePaidOrder()
    await refundOrder(staff, { id, scope: 'amount', amount: '5.00' })
    paypal.refund(placed.orderNumber, '4.00')
    for (let n = 0; n < 2; n++) {
      const message = paypal.event('PAYMENT.CAPTURE.REFUNDED', placed.orderNumber)
      const about = { sender: 'paypal', publisherId: shop.publisherId }
      await receivePaymentEvent(services.as(visitor), { ...about, ...message })
      await refreshOrderPayment(services.as(system), { orderId: id })
    }
    expect(await refundRows(id)).toMatchObject([
      { method: 'provider', amount: 500 },
      { method: 'reported', amount: 400 },
    ])
    expect(await netOf(staff, id)).toBe(2099)
  })

  it('that PayPal refuses is recorded as failed', async () => {
    const { placed, staff, id } = await makePaidOrder()
    paypal.refund(placed.orderNumber, '20.00')
    expect(await refundOrder(staff, { id, scope: 'whole' })).toMatchObject({
      state: 'failed',
      problem: 'PayPal: refund amount exceeded',
    })
  })
})

describe('a webhook message from PayPal', () => {
  it('that comes before, during or after the buyer’s return, even twice, makes one paid order', async () => {
    const { shop, placed } = await order()
    paypal.approve(placed.orderNumber)
    const approved = paypal.event('CHECKOUT.ORDER.APPROVED', placed.orderNumber)
    const receive = (message: object, publisherId = shop.publisherId) =>
      receivePaymentEvent(services.as(visitor), { sender: 'paypal', publisherId, ...message })
    const waiting = `SELECT payload FROM jobs WHERE name = 'settle-order' AND publisher_id = :id`
    const jobs = () => services.db.query(waiting, { id: shop.publisherId })
    for (let n = 0; n < 2; n++) expect(await receive(approved)).toEqual({ received: true })
    expect(await jobs()).toHaveLength(1)
    await expect(receive({ ...approved, body: `${approved.body} ` })).rejects.toMatchObject({ kind: 'malformed' })
    const elsewhere = await payPalShop()
    await receive(approved, elsewhere.publisherId)
    expect(await services.db.query(waiting, { id: elsewhere.publisherId })).toEqual([])

    await Promise.all([refreshOrderPayment(services.as(system), { orderId: placed.orderId }), confirm(placed)])
    await receive(paypal.event('PAYMENT.CAPTURE.COMPLETED', placed.orderNumber))
    await refreshOrderPayment(services.as(system), { orderId: placed.orderId })
    expect(await rowsOf(services, 'orders', shop.id)).toMatchObject([{ state: 'paid' }])
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toHaveLength(1)
  })

  it('about a refund reverses the order', async () => {
    const { shop, placed } = await order()
    paypal.approve(placed.orderNumber)
    await confirm(placed)
    const [capture] = paypal.orderOf(placed.orderNumber).captures
    if (capture) capture.status = 'REFUNDED'
    await refreshOrderPayment(services.as(system), { orderId: placed.orderId })
    expect(await rowsOf(services, 'orders', shop.id)).toMatchObject([{ state: 'refunded' }])
  })

  it('about a dispute that takes the money back reverses the order, and about a won one restores it, once', async () => {
    const { shop, placed } = await order()
    paypal.approve(placed.orderNumber)
    await confirm(placed)
    const [before] = await rowsOf(services, 'readers', shop.id)
    const [capture] = paypal.orderOf(placed.orderNumber).captures
    if (!capture) throw new Error('Nothing was captured')
    const waiting = `SELECT payload FROM jobs WHERE name = 'settle-order' AND publisher_id = :id`
    const receive = async (message: object) => {
      const queued = (await services.db.query(waiting, { id: shop.publisherId })).length
      await receivePaymentEvent(services.as(visitor), { sender: 'paypal', publisherId: shop.publisherId, ...message })
      expect(await services.db.query(waiting, { id: shop.publisherId })).toHaveLength(queued + 1)
      await refreshOrderPayment(services.as(system), { orderId: placed.orderId })
    }
    capture.status = 'REVERSED'
    for (let n = 0; n < 2; n++) await receive(paypal.event('PAYMENT.CAPTURE.REVERSED', placed.orderNumber))
    expect(await rowsOf(services, 'orders', shop.id)).toMatchObject([{ state: 'reversed' }])
    const lost = [
      { kind: 'sale', amount: 2999 },
      { kind: 'dispute', amount: -2999 },
    ]
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toMatchObject(lost)
    capture.status = 'COMPLETED'
    for (let n = 0; n < 2; n++) await receive(paypal.disputeEvent('CUSTOMER.DISPUTE.RESOLVED', placed.orderNumber))
    expect(await rowsOf(services, 'orders', shop.id)).toMatchObject([{ state: 'paid' }])
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toMatchObject([
      ...lost,
      { kind: 'dispute-won', amount: 2999 },
    ])
    expect(await disputesOf(services, placed.orderId)).toMatchObject([{ state: 'won', amount: 2999 }])
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ sub_end_on: before?.sub_end_on }])
  })

  it('about money that was taken back before the order was paid closes it', async () => {
    const { shop, placed } = await order()
    paypal.captureAs('PENDING')
    paypal.approve(placed.orderNumber)
    await confirm(placed)
    paypal.captureAs('COMPLETED')
    const [capture] = paypal.orderOf(placed.orderNumber).captures
    if (capture) capture.status = 'REVERSED'
    await refreshOrderPayment(services.as(system), { orderId: placed.orderId })
    expect(await rowsOf(services, 'orders', shop.id)).toMatchObject([{ state: 'declined' }])
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toEqual([])
  })

  async function read(
    placed: PlacedOrder,
    type: string,
    change: (message: { body: string; headers: Record<string, string> }) => void = () => {},
  ) {
    const { payment, gateway } = await gatewayPayment(services.as(system), placed.orderId)
    const message = paypal.event(type, placed.orderNumber)
    change(message)
    return gateway?.readEvent?.({ payee: payment.payee, now: services.now(), ...message })
  }

  it('is verified by a call to PayPal, and names its order', async () => {
    const { placed } = await order()
    paypal.approve(placed.orderNumber)
    const subject = { orderNumber: placed.orderNumber }
    expect(await read(placed, 'CHECKOUT.ORDER.APPROVED')).toMatchObject({ type: 'CHECKOUT.ORDER.APPROVED', subject })
    await confirm(placed)
    expect(await read(placed, 'PAYMENT.CAPTURE.COMPLETED')).toMatchObject({
      id: expect.stringMatching(/^WH-/),
      subject,
    })
  })

  it('is ignored when changed, signed for another webhook, unsigned, or without a configured webhook', async () => {
    const { shop, placed } = await order()
    const type = 'CHECKOUT.ORDER.APPROVED'
    expect(
      await read(placed, type, (message) => {
        message.body = message.body.replace('APPROVED', 'REVERSED')
      }),
    ).toBeNull()
    expect(
      await read(placed, type, (message) => {
        message.body = 'no JSON'
      }),
    ).toBeNull()
    expect(
      await read(placed, type, ({ headers }) => {
        delete headers['paypal-transmission-sig']
      }),
    ).toBeNull()
    await connectPayee(services, shop.publisherId, 'payPalDets', { webhookId: 'WH0000000000OTHER' })
    expect(await read(placed, type)).toBeNull()
    await services.db.run(`UPDATE accounts SET paypal_webhook_id = NULL WHERE user_id = :id`, { id: shop.publisherId })
    expect(await read(placed, type)).toBeNull()
  })
})
