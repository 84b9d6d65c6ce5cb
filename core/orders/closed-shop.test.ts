import { expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { checkPromo } from '#core/promos/check-promo.ts'
import { deactivateUser } from '#core/users/deactivate-user.ts'
import { operator } from '#tests/support/factories.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { placeOrder } from './place-order.ts'
import { settlePendingOrders } from './settle-pending-orders.ts'

const services = await openTestServices()
const buy = (form: object) => placeOrder(services.as(visitor), form)

it('sells nothing while its publisher is deactivated, and stores no order', async () => {
  const shop = await makeShop(services)
  await deactivateUser(services.as(operator), { id: shop.publisherId })
  const closed = { kind: 'gone', message: 'This shop is closed at the moment' }
  await expect(buy(orderForm(shop))).rejects.toMatchObject(closed)
  await expect(
    checkPromo(services.as(visitor), { urlKey: shop.urlKey, plan: '1PN29.99', promoCode: 'X' }),
  ).rejects.toMatchObject(closed)
  expect(await rowsOf(services, 'orders', shop.id)).toEqual([])
})

it('still settles orders placed before: the form of a paid one returns it again, a pending one is left to the sweep', async () => {
  const shop = await makeShop(services)
  const paidForm = orderForm(shop)
  const placed = await buy(paidForm)
  const unansweredForm = orderForm(shop)
  const ctx = services.as(visitor)
  const { demo } = ctx.payments
  if (!demo) throw new Error('The tests run with demo payments')
  // Charged, but the response is lost.
  const begin: typeof demo.begin = async (request) => {
    await demo.begin(request)
    throw new Error('Connection lost')
  }
  await placeOrder({ ...ctx, payments: { demo: { ...demo, begin } } }, unansweredForm)
  await deactivateUser(services.as(operator), { id: shop.publisherId })
  expect(await buy(paidForm)).toMatchObject({ orderNumber: placed.orderNumber, state: 'paid' })
  expect(await buy(unansweredForm)).toMatchObject({ state: 'pending' })
  services.clock.advance({ hours: 1 })
  await settlePendingOrders(services.as({ kind: 'system' }), {})
  expect(await buy(unansweredForm)).toMatchObject({ state: 'paid' })
})
