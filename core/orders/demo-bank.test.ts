import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { cancelOrder } from '#core/orders/cancel-order.ts'
import { confirmOrder } from '#core/orders/confirm-order.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { settlePendingOrders } from '#core/orders/settle-pending-orders.ts'
import { system } from '#tests/support/factories.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { demoCards } from '../payment-methods/demo-cards.rules.ts'
import { answerDemoBank } from './answer-demo-bank.ts'
import { demoBankQuestion } from './demo-bank.query.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

async function order() {
  const shop = await makeShop(services)
  const form = orderForm(shop, { payment: { details: { cardNumber: demoCards.needsAction } } })
  return { shop, form, placed: await placeOrder(services.as(visitor), form) }
}
const ctx = () => services.as(visitor)

describe('an order by a demo card that requires authentication', () => {
  it('leads to the bank’s page, and is paid once the buyer has agreed there', async () => {
    const { shop, form, placed } = await order()
    expect(placed.state).toBe('pending')
    if (placed.next?.kind !== 'go') throw new Error('The buyer is sent to the bank')
    const page = new URL(placed.next.url)
    expect([page.pathname, page.searchParams.get('orderNumber')]).toEqual(['/demo-bank', placed.orderNumber])
    expect(await demoBankQuestion(ctx(), Object.fromEntries(page.searchParams))).toMatchObject({
      isOpen: true,
      money: { amount: 2999, currency: 'GBP' },
    })
    expect((await placeOrder(ctx(), form)).next).toEqual(placed.next)
    expect(await confirmOrder(ctx(), placed)).toMatchObject({ state: 'pending' })
    await answerDemoBank(ctx(), { ...placed, answer: 'approve' })
    await answerDemoBank(ctx(), { ...placed, answer: 'refuse' })
    expect(await confirmOrder(ctx(), placed)).toMatchObject({ state: 'paid' })
    expect(await demoBankQuestion(ctx(), placed)).toMatchObject({ isOpen: false })
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toHaveLength(1)
  })

  it('is declined when the buyer refuses, and cannot be paid after it was cancelled', async () => {
    const refused = await order()
    await answerDemoBank(ctx(), { ...refused.placed, answer: 'refuse' })
    expect(await confirmOrder(ctx(), refused.placed)).toMatchObject({ state: 'declined' })

    const cancelled = await order()
    expect(await cancelOrder(ctx(), cancelled.placed)).toMatchObject({ state: 'cancelled' })
    await answerDemoBank(ctx(), { ...cancelled.placed, answer: 'approve' })
    expect(await cancelOrder(ctx(), cancelled.placed)).toMatchObject({ state: 'cancelled' })
    expect(await rowsOf(services, 'buyers', cancelled.shop.id)).toEqual([])
  })

  it('that is never confirmed is cancelled after an hour', async () => {
    const { shop } = await order()
    services.clock.advance({ minutes: 61 })
    await settlePendingOrders(services.as(system), {})
    expect(await rowsOf(services, 'orders', shop.id)).toMatchObject([{ state: 'cancelled' }])
  })

  it('cannot be confirmed without the key, nor when there are no demo payments', async () => {
    const { placed } = await order()
    for (const request of [{ ...placed, key: 'x' }, { orderNumber: placed.orderNumber }]) {
      await expect(demoBankQuestion(ctx(), request)).rejects.toMatchObject({ kind: 'notFound' })
      await expect(answerDemoBank(ctx(), { ...request, answer: 'approve' })).rejects.toMatchObject({ kind: 'notFound' })
    }
    const production = { ...ctx(), payments: {} }
    await expect(demoBankQuestion(production, placed)).rejects.toMatchObject({ kind: 'notFound' })
    await expect(answerDemoBank(production, { ...placed, answer: 'approve' })).rejects.toMatchObject({
      kind: 'notFound',
    })
    expect(await confirmOrder(ctx(), placed)).toMatchObject({ state: 'pending' })
  })
})
