import { beforeAll, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import type { AppContext } from '#core/context.ts'
import { mailSender, queuedEmails } from '#tests/support/emails.ts'
import { actorOf, system } from '#tests/support/factories.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { getOrderBuyer } from './order-buyer.query.ts'
import { placeOrder } from './place-order.ts'
import { resendReceipt } from './resend-receipt.ts'

let services: TestServices
let staff: AppContext
let stranger: AppContext
let ids: number[]
beforeAll(async () => {
  services = await openTestServices()
  const shop = await makeShop(services)
  const other = await makeShop(services)
  staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
  stranger = services.as(await actorOf(services, 'publisher', other.publisherId))
  ids = []
  for (let count = 0; count < 2; count++) {
    const form = orderForm(shop, { email: 'ann@example.test' })
    ids.push((await placeOrder(services.as(visitor), form)).orderId)
  }
})

const receipts = async (orderId: number) =>
  (await queuedEmails(services, 'order-receipt')).filter(({ about }) => about.orderId === orderId && about.key)

it('sends a receipt again once per request, with a limit', async () => {
  const [id = 0] = ids
  const send = mailSender('order-receipt')
  expect(await send(services.as(system), { orderId: id })).toBe(true)
  const input = { id, key: 'press-of-a-button' }
  expect(await resendReceipt(staff, input)).toEqual({ to: 'ann@example.test' })
  await resendReceipt(staff, input)
  expect(await receipts(id)).toMatchObject([{ about: { orderId: id, key: input.key } }])
  expect(await send(services.as(system), { orderId: id, key: input.key })).toBe(true)
  const emails = (await services.mail.devMailbox?.list(10)) ?? []
  expect(emails.filter(({ to }) => to.includes('ann@example.test'))).toHaveLength(2)
  await resendReceipt(staff, { id, key: 'another-press' })
  await expect(resendReceipt(staff, { id, key: 'one-too-many' })).rejects.toMatchObject({ kind: 'tooMany' })
  expect(await receipts(id)).toHaveLength(2)
  const logged = await services.db.query(`SELECT id FROM audit_log WHERE action = 'resend-receipt'`)
  expect(logged).toHaveLength(3)
})

it('finds no order of another publisher, and does not let reader administrators send emails', async () => {
  const [, id = 0] = ids
  await expect(resendReceipt(stranger, { id, key: 'press-of-a-button' })).rejects.toMatchObject({ kind: 'notFound' })
  expect(await getOrderBuyer(stranger, { id })).toBeNull()
  const admin = services.as(await actorOf(services, 'admin'))
  await expect(resendReceipt(admin, { id, key: 'press-of-a-button' })).rejects.toMatchObject({ kind: 'denied' })
})

it('links the account of an order, its readers and its other orders', async () => {
  const [first = 0, second = 0] = ids
  expect(await getOrderBuyer(staff, { id: first })).toMatchObject({
    email: 'ann@example.test',
    readers: [{ name: "Mrs Ann O'Brien" }],
    otherOrders: [{ id: second }],
  })
})
