import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import type { ChargeResult } from '#core/ports/payment-gateway.ts'
import { actorOf, system } from '#tests/support/factories.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { getConfirmation } from './get-confirmation.query.ts'
import { heldPayments } from './held-payments.query.ts'
import { placeOrder } from './place-order.ts'
import { settleOrder } from './settle-order.ts'
import { settlePendingOrders } from './settle-pending-orders.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

/** A checkout whose gateway fails: before it has charged, or after, so that only the response is lost. */
async function buyWithBrokenGateway(form: object, when: 'before' | 'after') {
  const ctx = services.as(visitor)
  const { demo } = ctx.payments
  if (!demo) throw new Error('The tests run with demo payments')
  const begin: typeof demo.begin = async (request) => {
    if (when === 'after') await demo.begin(request)
    throw new Error('Connection lost')
  }
  return placeOrder({ ...ctx, payments: { demo: { ...demo, begin } } }, form)
}

const sweep = () => settlePendingOrders(services.as(system), {})

describe('an order whose response was lost', () => {
  it('is pending for the buyer, not polled for ten minutes, then settled by the sweep, once', async () => {
    const shop = await makeShop(services)
    const placed = await buyWithBrokenGateway(orderForm(shop), 'after')
    expect(placed.state).toBe('pending')
    await expect(getConfirmation(services.as(visitor), placed)).resolves.toMatchObject({ status: 'being-confirmed' })
    services.clock.advance({ minutes: 9 })
    expect(await sweep()).toEqual({ polled: 0, failed: 0 })
    services.clock.advance({ minutes: 2 })
    expect(await sweep()).toEqual({ polled: 1, failed: 0 })
    expect(await sweep()).toEqual({ polled: 0, failed: 0 })
    await expect(getConfirmation(services.as(visitor), placed)).resolves.toMatchObject({
      status: 'confirmed',
      subEndOn: '2027-11-21',
    })
    expect(await rowsOf(services, 'readers', shop.id)).toHaveLength(1)
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toHaveLength(1)
  })

  it('is paid at once when the buyer sends the same form again', async () => {
    const shop = await makeShop(services)
    const form = orderForm(shop)
    await buyWithBrokenGateway(form, 'after')
    await expect(placeOrder(services.as(visitor), form)).resolves.toMatchObject({ state: 'paid' })
    expect(await rowsOf(services, 'orders', shop.id)).toHaveLength(1)
  })

  it('is cancelled when no charge was made, releases its promo use, and still counts when a payment arrives later', async () => {
    const shop = await makeShop(services)
    const promoId = await makePromo(shop.id)
    const form = orderForm(shop, { promoCode: 'quay10' })
    const placed = await buyWithBrokenGateway(form, 'before')
    expect(await used(promoId)).toBe(1)
    services.clock.advance({ minutes: 11 })
    await sweep()
    expect(await used(promoId)).toBe(0)
    await expect(getConfirmation(services.as(visitor), placed)).resolves.toMatchObject({ status: 'not-confirmed' })
    await expect(placeOrder(services.as(visitor), form)).rejects.toMatchObject({ kind: 'conflict' })

    const result: ChargeResult = {
      state: 'paid',
      reference: `late_${placed.orderId}`,
      money: { amount: 2699, currency: 'GBP' },
    }
    expect(await settleOrder(services.as(system), { orderId: placed.orderId, result })).toBe('paid')
    expect(await used(promoId)).toBe(1)
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toMatchObject([{ amount: 2699 }])
  })
})

describe('responses in any order', () => {
  it('settle an order once: a decline after the payment changes nothing, nor do ten payments at once', async () => {
    const shop = await makeShop(services)
    const placed = await buyWithBrokenGateway(orderForm(shop), 'before')
    const paid: ChargeResult = {
      state: 'paid',
      reference: `ref_${placed.orderId}`,
      money: { amount: 2999, currency: 'GBP' },
    }
    const settle = (result: ChargeResult) => settleOrder(services.as(system), { orderId: placed.orderId, result })
    expect(await Promise.all(Array.from({ length: 10 }, () => settle(paid)))).toEqual(Array(10).fill('paid'))
    expect(await settle({ state: 'declined', reference: 'x', reason: 'late' })).toBe('paid')
    expect(await settle({ state: 'unknown' })).toBe('paid')
    expect(await rowsOf(services, 'readers', shop.id)).toHaveLength(1)
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toHaveLength(1)
  })

  it('do not settle an order with the wrong amount or currency: nothing is fulfilled, and the mismatch is recorded once', async () => {
    const shop = await makeShop(services)
    const placed = await buyWithBrokenGateway(orderForm(shop), 'before')
    for (const money of [
      { amount: 1, currency: 'GBP' as const },
      { amount: 2999, currency: 'USD' as const },
    ]) {
      const result: ChargeResult = { state: 'paid', reference: `ref_${placed.orderId}`, money }
      expect(await settleOrder(services.as(system), { orderId: placed.orderId, result })).toBe('pending')
    }
    services.clock.advance({ minutes: 90 })
    expect(await sweep()).toEqual({ polled: 0, failed: 0 })
    const mismatches = `SELECT subject_id FROM audit_log WHERE action = 'payment-mismatch' AND subject_id = :id`
    expect(await services.db.query(mismatches, { id: placed.orderId })).toHaveLength(1)
    expect(await rowsOf(services, 'orders', shop.id)).toMatchObject([{ state: 'pending' }])
    expect(await rowsOf(services, 'buyers', shop.id)).toEqual([])
    // Staff of the publisher see what was paid, and nobody else does.
    const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
    const held = {
      orderId: placed.orderId,
      orderNumber: placed.orderNumber,
      due: { amount: 2999, currency: 'GBP' },
      paid: { amount: 1, currency: 'GBP' },
      reference: `ref_${placed.orderId}`,
    }
    expect(await heldPayments(staff, {})).toMatchObject([held])
    expect(await heldPayments(staff, { orderId: placed.orderId })).toMatchObject([held])
    const other = await makeShop(services)
    const stranger = services.as(await actorOf(services, 'publisher', other.publisherId))
    expect(await heldPayments(stranger, {})).toEqual([])
    expect(await heldPayments(stranger, { orderId: placed.orderId })).toEqual([])
    // Its money was returned at the provider.
    const returned = { reference: 're_1', idempotencyKey: null, amount: 1, state: 'succeeded' as const, reason: '' }
    const money = { amount: 1, currency: 'GBP' as const }
    const result: ChargeResult = { state: 'paid', reference: `ref_${placed.orderId}`, money, refunds: [returned] }
    expect(await settleOrder(services.as(system), { orderId: placed.orderId, result })).toBe('declined')
    expect(await heldPayments(staff, {})).toEqual([])
  })
})

describe('a promo code', () => {
  it('takes its percentage off, whatever the case of the code, and is counted', async () => {
    const shop = await makeShop(services)
    const promoId = await makePromo(shop.id)
    const placed = await placeOrder(services.as(visitor), orderForm(shop, { promoCode: ' Quay10 ' }))
    expect(placed.amount).toBe(2699)
    expect(await rowsOf(services, 'orders', shop.id)).toMatchObject([
      { product_price: 2999, discount: 300, amount: 2699, promo_code: 'QUAY10' },
    ])
    expect(await used(promoId)).toBe(1)
  })

  it('with ten uses is used by ten of fifty concurrent buyers', async () => {
    const shop = await makeShop(services)
    const promoId = await makePromo(shop.id, 10)
    const tries = await Promise.allSettled(
      Array.from({ length: 50 }, () => placeOrder(services.as(visitor), orderForm(shop, { promoCode: 'QUAY10' }))),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    for (const attempt of tries) {
      if (attempt.status === 'rejected')
        expect(attempt.reason).toMatchObject({ fields: { promoCode: 'Promo code invalid or expired' } })
    }
    expect(await used(promoId)).toBe(10)
    expect(await rowsOf(services, 'orders', shop.id)).toHaveLength(10)
  })

  it('is released by a decline, once', async () => {
    const shop = await makeShop(services)
    const promoId = await makePromo(shop.id, 1)
    const declined = orderForm(shop, { promoCode: 'QUAY10', payment: { details: { cardNumber: '4000000000000002' } } })
    for (let n = 0; n < 2; n++)
      await expect(placeOrder(services.as(visitor), declined)).rejects.toMatchObject({ kind: 'declined' })
    expect(await used(promoId)).toBe(0)
    await placeOrder(services.as(visitor), orderForm(shop, { promoCode: 'QUAY10' }))
    expect(await used(promoId)).toBe(1)
  })

  it('of another publication is unknown here, and one for other products is explained', async () => {
    const here = await makeShop(services)
    const there = await makeShop(services)
    await makePromo(there.id)
    await makePromo(here.id, 0, 'DIGI')
    await services.db.run(`UPDATE promo_codes SET applicable_products = :json WHERE publication_id = :id`, {
      id: here.id,
      json: JSON.stringify({ digital: { priceOneYear: true } }),
    })
    const buy = (promoCode: string) => placeOrder(services.as(visitor), orderForm(here, { promoCode }))
    await expect(buy('QUAY10')).rejects.toMatchObject({ fields: { promoCode: 'Promo code invalid or expired' } })
    await expect(buy('DIGI')).rejects.toMatchObject({
      fields: { promoCode: 'This promo code is not for the product selected' },
    })
  })

  it('of 100% leaves nothing to charge', async () => {
    const shop = await makeShop(services)
    await makePromo(shop.id, 0, 'ALL', 100)
    const placed = await placeOrder(services.as(visitor), orderForm(shop, { promoCode: 'ALL', payment: {} }))
    expect(placed).toMatchObject({ state: 'paid', amount: 0 })
  })
})

describe('the confirmation', () => {
  it('opens only with its own key', async () => {
    const [first, second] = await Promise.all(
      [0, 1].map(async () => placeOrder(services.as(visitor), orderForm(await makeShop(services)))),
    )
    const open = (key: string | undefined) =>
      getConfirmation(services.as(visitor), { orderNumber: first?.orderNumber, key })
    await expect(open(first?.key)).resolves.toMatchObject({ status: 'confirmed', productName: 'Print, one year' })
    for (const key of [second?.key, '', undefined]) await expect(open(key)).rejects.toMatchObject({ kind: 'notFound' })
  })
})

async function makePromo(publicationId: number, uses = 0, code = 'QUAY10', percent = 10): Promise<number> {
  const everything = { priceOneYear: true, priceSixMonths: true, priceThreeMonths: true }
  const [row] = await services.db.transaction(() =>
    services.db.query<{ id: number }>(
      `INSERT INTO promo_codes (publication_id, name, code, code_key, discount_percent, uses, used, applicable_products, created_at, updated_at)
       VALUES (:publicationId, 'Quay', :code, :code, :percent, :uses, 0, :products, :now, :now) RETURNING id`,
      {
        publicationId,
        code,
        percent,
        uses,
        products: JSON.stringify({ print: everything, digital: everything, bundle: everything }),
        now: services.now(),
      },
    ),
  )
  return row?.id ?? 0
}

async function used(promoId: number): Promise<number | undefined> {
  const [row] = await services.db.query<{ used: number }>(`SELECT used FROM promo_codes WHERE id = :promoId`, {
    promoId,
  })
  return row?.used
}
