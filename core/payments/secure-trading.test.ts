import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { ledgerTotals } from '#core/ledger/ledger-totals.query.ts'
import { verifyLedger } from '#core/ledger/verify-ledger.ts'
import { cancelOrder } from '#core/orders/cancel-order.ts'
import { confirmOrder } from '#core/orders/confirm-order.ts'
import { listCredits } from '#core/orders/credits.query.ts'
import { getOrder } from '#core/orders/get-order.query.ts'
import type { PlacedOrder } from '#core/orders/order-once.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { refreshOrderPayment } from '#core/orders/refresh-order-payment.ts'
import { refundOrder } from '#core/orders/refund-order.ts'
import { settlePendingOrders } from '#core/orders/settle-pending-orders.ts'
import { settleRefunds } from '#core/orders/settle-refunds.ts'
import { connectPayee } from '#tests/support/connect-payee.ts'
import { actorOf, operator, system } from '#tests/support/factories.ts'
import {
  type SecureTradingServer,
  secureTradingCards,
  startSecureTradingServer,
} from '#tests/support/secure-trading-server.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { gatewayPayment } from '../orders/gateway-payment.ts'

let services: TestServices
let provider: SecureTradingServer
beforeAll(async () => {
  provider = await startSecureTradingServer()
  services = await openTestServices({ SECURE_TRADING_BASE: provider.url, SECURE_TRADING_PAGES_BASE: provider.url })
})
beforeEach(() => {
  provider.clearFaults()
  provider.requests.length = 0
})

const buy = (form: object) => placeOrder(services.as(visitor), form)
const confirm = (placed: PlacedOrder) => confirmOrder(services.as(visitor), placed)
const sweep = () => settlePendingOrders(services.as(system), {})
async function order(keys: Partial<SecureTradingServer['keys']> = provider.keys) {
  const shop = await makeShop(services)
  await connectPayee(services, shop.publisherId, 'secureTradingDets', keys as Record<string, string>)
  const form = orderForm(shop, { payment: { provider: 'secure-trading' } })
  const placed = await buy(form)
  if (placed.next?.kind !== 'post') throw new Error('The buyer is sent to the hosted page by a form')
  return { shop, form, placed, page: placed.next }
}

const stateOf = async (shop: { id: number }) => (await rowsOf(services, 'orders', shop.id)).map(({ state }) => state)

describe('an order by Secure Trading', () => {
  it('posts a signed form to the hosted page, and is paid when the web services confirm it', async () => {
    const { shop, placed, page } = await order()
    expect(placed.state).toBe('pending')
    const valuesOf = (name: string) => page.fields.filter((field) => field.name === name).map(({ value }) => value)
    expect(page.url).toBe(`${provider.url}/process/payments/choice`)
    expect(valuesOf('mainamount')).toEqual(['29.99'])
    expect(valuesOf('orderreference')).toEqual([placed.orderNumber])
    expect(valuesOf('ruleidentifier')).toEqual(['STR-6', 'STR-7', 'STR-10'])
    expect(valuesOf('allurlnotification')[0]).toMatch(new RegExp(`/api/webhooks/secure-trading/${shop.publisherId}$`))
    expect(valuesOf('sitesecuritytimestamp')).toEqual(['2026-11-21 10:00:00'])
    expect(JSON.stringify(page)).not.toMatch(/agreed on|standin pass/)

    expect(await confirm(placed)).toMatchObject({ state: 'pending' })
    const returnUrl = new URL(await provider.pay(page.fields))
    expect([returnUrl.pathname, returnUrl.searchParams.get('orderNumber')]).toEqual([
      '/ordersuccess',
      placed.orderNumber,
    ])
    expect(await stateOf(shop)).toEqual(['pending'])
    expect(await Promise.all([confirm(placed), confirm(placed)])).toMatchObject([{ state: 'paid' }, { state: 'paid' }])
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toMatchObject([{ amount: 2999 }])
    expect(await rowsOf(services, 'orders', shop.id)).toMatchObject([{ payment_type: 'Card (Secure Trading)' }])
  })

  it('whose form was changed in the browser is refused by the page', async () => {
    const { page } = await order()
    for (const name of [
      'mainamount',
      'currencyiso3a',
      'successfulurlredirect',
      'allurlnotification',
      'ruleidentifier',
    ]) {
      const changed = page.fields.map((field) => (field.name === name ? { name, value: '0.01' } : field))
      await expect(provider.pay(changed)).rejects.toThrow('sitesecurity')
    }
  })

  it('of another amount or currency is held and never fulfilled, even for publishers without a hash', async () => {
    const { user, pass, ref } = provider.keys
    for (const change of [{ baseamount: '1' }, { currencyiso3a: 'USD' }, { currencyiso3a: 'AUD' }]) {
      const { shop, placed, page } = await order({ user, pass, ref })
      expect(page.fields.some(({ name }) => name === 'sitesecurity')).toBe(false)
      await provider.pay((await order()).page.fields)
      Object.assign(provider.transactions.at(-1) ?? {}, { orderreference: placed.orderNumber, ...change })
      expect(await confirm(placed)).toMatchObject({ state: 'pending' })
      expect(await rowsOf(services, 'ledger_entries', shop.id)).toEqual([])
      const mismatches = `SELECT subject_id FROM audit_log WHERE action = 'payment-mismatch' AND subject_id = :id`
      expect(await services.db.query(mismatches, { id: placed.orderId })).toHaveLength(1)
    }
  })

  it('is declined with its card, unless another payment succeeded, in whatever order the two are listed', async () => {
    const first = await order()
    await provider.pay(first.page.fields, secureTradingCards.declined)
    expect(await confirm(first.placed)).toMatchObject({ state: 'declined' })
    await provider.pay(first.page.fields)
    services.clock.advance({ minutes: 200 })
    await sweep()
    expect(await stateOf(first.shop)).toEqual(['paid'])

    const { paid, declined } = secureTradingCards
    for (const cards of [
      [paid, declined],
      [declined, paid],
    ]) {
      const both = await order()
      for (const card of cards) await provider.pay(both.page.fields, card)
      expect(await confirm(both.placed)).toMatchObject({ state: 'paid' })
    }
  })

  it('waits while its payment is suspended, and shows the outcome', async () => {
    const { placed, page, shop } = await order()
    await provider.pay(page.fields, secureTradingCards.suspended)
    services.clock.advance({ minutes: 90 })
    await sweep()
    expect(await stateOf(shop)).toEqual(['pending'])
    Object.assign(provider.transactions.at(-1) ?? {}, { settlestatus: '3' })
    expect(await confirm(placed)).toMatchObject({ state: 'declined' })
  })

  it('shows no form again to a buyer who has paid and goes back', async () => {
    const { form, page } = await order()
    expect(await buy(form)).toMatchObject({ state: 'pending', next: { kind: 'post' } })
    await provider.pay(page.fields)
    provider.failNext('/json/', 503, 2)
    expect(await buy(form)).toMatchObject({ state: 'pending', next: null })
    expect(await buy(form)).toMatchObject({ state: 'paid', next: null })
  })

  it('paid after it was cancelled becomes paid once its page is closed, even without a notification', async () => {
    const { shop, placed, page } = await order()
    expect(await cancelOrder(services.as(visitor), placed)).toMatchObject({ state: 'cancelled' })
    services.clock.advance({ minutes: 120 })
    await provider.pay(page.fields)
    await sweep()
    expect(await stateOf(shop)).toEqual(['cancelled'])
    services.clock.advance({ minutes: 61 })
    provider.failNext('/json/', 503, 100)
    await sweep()
    expect(await stateOf(shop)).toEqual(['cancelled'])
    provider.clearFaults()
    await sweep()
    expect(await stateOf(shop)).toEqual(['paid'])
  })

  it('paid after it was cancelled is polled once its page is closed, however many were polled before', async () => {
    const { shop, placed, page } = await order()
    await cancelOrder(services.as(visitor), placed)
    await provider.pay(page.fields)
    services.clock.advance({ minutes: -240 })
    const earlier = await order()
    await cancelOrder(services.as(visitor), earlier.placed)
    services.clock.advance({ minutes: 200 })
    const { id: _, ...columns } = (await rowsOf(services, 'orders', earlier.shop.id))[0] ?? {}
    const names = Object.keys(columns).filter((name) => name !== 'order_number' && name !== 'idempotency_key')
    await services.db.run(
      `INSERT INTO orders (order_number, idempotency_key, ${names.join(', ')})
       WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 250)
       SELECT 'OD-POLLED-' || s.n, 'polled-' || s.n, ${names.map((name) => `o.${name}`).join(', ')} FROM orders o CROSS JOIN s WHERE o.id = :id`,
      { id: earlier.placed.orderId },
    )
    await services.db.run(
      `INSERT INTO payments (order_id, idempotency_key, provider, state, amount, currency, created_at, updated_at)
       SELECT o.id, o.order_number, y.provider, y.state, y.amount, y.currency, y.created_at, :now FROM orders o JOIN payments y ON y.order_id = :id
       WHERE o.order_number LIKE 'OD-POLLED-%'`,
      { id: earlier.placed.orderId, now: services.clock.now },
    )
    services.clock.advance({ minutes: 240 })
    await sweep()
    expect(await stateOf(shop)).toEqual(['paid'])
  })

  it('that nobody paid is cancelled after an hour, checked once more, and then left alone', async () => {
    const { shop } = await order()
    services.clock.advance({ minutes: 61 })
    await sweep()
    expect(await stateOf(shop)).toEqual(['cancelled'])
    services.clock.advance({ minutes: 150 })
    await sweep()
    provider.requests.length = 0
    await sweep()
    expect(provider.requests).toEqual([])
  })

  it('stays pending when the web services do not respond, and their refusal reveals no keys', async () => {
    const { placed, page } = await order()
    await provider.pay(page.fields)
    provider.failNext('/json/', 500, 2)
    expect(await confirm(placed)).toMatchObject({ state: 'pending' })
    provider.dropNextResponse('/json/')
    expect(await confirm(placed)).toMatchObject({ state: 'paid' })
    const { payment, gateway } = await gatewayPayment(services.as(system), placed.orderId)
    const refused = await gateway
      ?.lookUp({ ...payment, payee: { ...payment.payee, ref: 'test_another' } })
      .catch((error) => error)
    expect(refused).toMatchObject({ kind: 'upstream', detail: { errorcode: '30000' } })
  })
})

describe('an order that was paid twice on its page', () => {
  const refresh = (placed: PlacedOrder) => refreshOrderPayment(services.as(system), { orderId: placed.orderId })
  const auditOf = async (placed: PlacedOrder) =>
    (
      await services.db.query<{ action: string }>(
        `SELECT action FROM audit_log WHERE subject_type = 'order' AND subject_id = :id AND action LIKE 'payment-%' ORDER BY id`,
        { id: placed.orderId },
      )
    ).map(({ action }) => action)
  const paymentsOf = (placed: PlacedOrder) =>
    provider.transactions.filter(({ orderreference }) => orderreference === placed.orderNumber)
  const refundAtProvider = (payment: Record<string, string> | undefined, change: Record<string, string> = {}) =>
    provider.transactions.push({
      ...payment,
      requesttypedescription: 'REFUND',
      transactionreference: `2-R-${payment?.transactionreference}`,
      parenttransactionreference: payment?.transactionreference ?? '',
      settlestatus: '100',
      ...change,
    })

  async function paidTwice() {
    const { shop, placed, page } = await order()
    await provider.pay(page.fields)
    await confirm(placed)
    await provider.pay(page.fields)
    await refresh(placed)
    const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
    const [first, second] = paymentsOf(placed)
    return { shop, placed, staff, first, second }
  }

  it('is reported to staff once', async () => {
    const { placed, staff, second } = await paidTwice()
    await refresh(placed)
    expect(await auditOf(placed)).toEqual(['payment-twice'])
    const reports = (await getOrder(staff, { id: placed.orderId })).timeline.filter(({ what }) =>
      what.includes('second'),
    )
    expect(reports).toMatchObject([{ detail: expect.stringContaining(second?.transactionreference ?? '-') }])
  })

  it('is reported even if both payments were made before the first was noticed', async () => {
    const { placed, page, shop } = await order()
    await provider.pay(page.fields)
    await provider.pay(page.fields)
    await confirm(placed)
    expect(await stateOf(shop)).toEqual(['paid'])
    expect(await auditOf(placed)).toEqual(['payment-twice'])
  })

  it('is paid by the payment that remains, where the other was refunded at the provider before either was noticed', async () => {
    for (const refunded of [0, 1]) {
      const { shop, placed, page } = await order()
      await provider.pay(page.fields)
      await provider.pay(page.fields)
      refundAtProvider(paymentsOf(placed)[refunded])
      expect(await confirm(placed)).toMatchObject({ state: 'paid' })
      const { payment } = await gatewayPayment(services.as(system), placed.orderId)
      expect(payment.reference).toBe(paymentsOf(placed)[1 - refunded]?.transactionreference)
      // Staff have nothing left to refund.
      expect(await auditOf(placed)).toEqual([])
      await refresh(placed)
      expect(await stateOf(shop)).toEqual(['paid'])
      expect(await rowsOf(services, 'ledger_entries', shop.id)).toMatchObject([{ amount: 2999 }])
    }
  })

  it('is paid by the second payment if the order was declined because the first was refunded at the provider', async () => {
    const { shop, placed, page } = await order()
    await provider.pay(page.fields)
    refundAtProvider(paymentsOf(placed)[0])
    expect(await confirm(placed)).toMatchObject({ state: 'declined' })
    await provider.pay(page.fields)
    services.clock.advance({ minutes: 181 })
    await sweep()
    expect(await stateOf(shop)).toEqual(['paid'])
    expect(await auditOf(placed)).toEqual([])
  })

  it('stays paid when the second payment is refunded at the provider', async () => {
    const { shop, placed, second } = await paidTwice()
    refundAtProvider(second)
    await refresh(placed)
    expect(await stateOf(shop)).toEqual(['paid'])
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toMatchObject([{ amount: 2999 }])
  })

  it('is reversed when the payment that it was paid by is refunded at the provider, in whatever order they are listed', async () => {
    const changes: Record<string, string>[] = [{}, { parenttransactionreference: '' }]
    for (const change of changes) {
      const { shop, placed, first } = await paidTwice()
      provider.transactions.reverse()
      refundAtProvider(first, change)
      await refresh(placed)
      expect(await stateOf(shop)).toEqual(['refunded'])
    }
  })

  it('is refunded by the payment that it was paid by, in whatever order they are listed', async () => {
    const { placed, staff, first, second } = await paidTwice()
    for (const payment of [first, second]) Object.assign(payment ?? {}, { settlestatus: '100' })
    provider.transactions.reverse()
    expect(await refundOrder(staff, { id: placed.orderId, scope: 'whole' })).toMatchObject({ state: 'pending' })
    const refunds = provider.transactions.filter(({ requesttypedescription }) => requesttypedescription === 'REFUND')
    expect(refunds.at(-1)).toMatchObject({ parenttransactionreference: first?.transactionreference })
  })
})

describe('a notification of Secure Trading', () => {
  it('is authenticated only by its hash, and names its order', async () => {
    const { placed, page, shop } = await order()
    await provider.pay(page.fields)
    const { payment, gateway } = await gatewayPayment(services.as(system), placed.orderId)
    const read = (body: string, payee = payment.payee) =>
      gateway?.readEvent?.({ payee, body, headers: {}, now: services.now() })
    const body = provider.notification(placed.orderNumber)
    expect(await read(body)).toMatchObject({
      id: expect.stringMatching(/^1-A/),
      subject: { orderNumber: placed.orderNumber },
    })
    expect(await read(body.replace(placed.orderNumber, 'OD-2222222'))).toBeNull()
    expect(await read(body.replace(/responsesitesecurity=\w+/, 'responsesitesecurity='))).toBeNull()
    expect(await read(body, { ...payment.payee, sitePass: 'other words' })).toBeNull()
    expect(await read(body, { ...payment.payee, sitePass: null })).toBeNull()
    expect(await read(body, { ...payment.payee, ref: 'test_another' })).toBeNull()
    expect(await stateOf(shop)).toEqual(['pending'])
  })
})

describe('a refund by Secure Trading', () => {
  async function makePaidOrder() {
    const { shop, placed, page } = await order()
    await provider.pay(page.fields)
    await confirm(placed)
    const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
    const transactionsOf = (type: string) =>
      provider.transactions.filter(
        (transaction) =>
          transaction.orderreference === placed.orderNumber && transaction.requesttypedescription === type,
      )
    const settle = (settlestatus = '100') => Object.assign(transactionsOf('AUTH')[0] ?? {}, { settlestatus })
    return { shop, staff, id: placed.orderId, settle, refunds: () => transactionsOf('REFUND') }
  }

  it('waits until the payment is settled, and says so', async () => {
    const { staff, id, settle } = await makePaidOrder()
    expect(await refundOrder(staff, { id, scope: 'whole' })).toMatchObject({
      state: 'failed',
      problem: 'Secure Trading: Parent transaction not settled',
    })
    settle()
    expect(await refundOrder(staff, { id, scope: 'whole' })).toMatchObject({ state: 'pending' })
    expect(await getOrder(staff, { id })).toMatchObject({ state: 'refunded', net: 0 })
  })

  it('whose response was lost is found by its amount, and not made twice', async () => {
    const { staff, id, settle, refunds } = await makePaidOrder()
    settle()
    await refundOrder(staff, { id, scope: 'amount', amount: '5.00' })
    // The query before the refund gets a response; the refund itself is made, but its response is lost.
    provider.dropRefundResponse()
    expect(await refundOrder(staff, { id, scope: 'amount', amount: '5.00' })).toMatchObject({ state: 'planned' })
    services.clock.advance({ minutes: 6 })
    await settleRefunds(services.as(system), {})
    expect(refunds()).toHaveLength(2)
    expect((await getOrder(staff, { id })).refunds).toMatchObject([{ state: 'pending' }, { state: 'pending' }])
    expect(await getOrder(staff, { id })).toMatchObject({ refunded: 1000, net: 1999 })
  })

  it.each(['hand', 'credit'])(
    'of a part as %s leaves only the rest to reverse when the payment is stopped',
    async (method) => {
      const { shop, staff, id, settle } = await makePaidOrder()
      await refundOrder(staff, { id, scope: 'amount', amount: '10.00', method })
      settle('3')
      await refreshOrderPayment(services.as(system), { orderId: id })
      await refreshOrderPayment(services.as(system), { orderId: id })
      expect(await getOrder(staff, { id })).toMatchObject({
        state: 'reversed',
        net: 0,
        refunded: 2999,
        fulfilled: 0,
        liability: 0,
      })
      expect((await ledgerTotals(staff, {})).GBP).toMatchObject({ net: 0, liability: 0 })
      expect((await listCredits(staff, {})).rows).toEqual([])
      expect(await verifyLedger(services.as(operator), { publisherId: shop.publisherId })).toMatchObject({
        different: 0,
      })
    },
  )

  it('of the whole amount as credit cannot be used once the payment is stopped', async () => {
    const { staff, id, settle } = await makePaidOrder()
    await refundOrder(staff, { id, scope: 'whole', method: 'credit' })
    expect((await listCredits(staff, {})).rows).toMatchObject([{ left: 2999 }])
    settle('3')
    await refreshOrderPayment(services.as(system), { orderId: id })
    expect((await listCredits(staff, {})).rows).toEqual([])
    expect(await getOrder(staff, { id })).toMatchObject({ state: 'reversed', net: 0, liability: 0 })
  })
})
