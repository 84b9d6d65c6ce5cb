import { expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { settleOrder } from '#core/orders/settle-order.ts'
import type { PaymentGateway } from '#core/ports/payment-gateway.ts'
import { system } from '#tests/support/factories.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { runWorker } from '#tests/support/worker.ts'

const services = await openTestServices()

const emailsTo = async (address: string) =>
  ((await services.mail.devMailbox?.list(100)) ?? []).filter(({ to }) => to === address)

const shipping = {
  title: 'Mr',
  firstName: 'Jack',
  lastName: 'Tar',
  addressOne: '3 Rope Walk',
  city: 'Falmouth',
  postCode: 'TR11 3JT',
}
const gift = { isGift: true, isDeliveredToBilling: false, shipping }

it('the recipient of a gift is notified once, and not at all if the order has no email for them', async () => {
  const shop = await makeShop(services, { publicationName: 'Harbour Light' })
  await placeOrder(
    services.as(visitor),
    orderForm(shop, { ...gift, giftEmail: 'jack@example.test', giftMessage: 'Happy birthday!\n<b>Ahoy</b>' }),
  )
  const withoutGiftEmail = orderForm(shop, { ...gift, email: 'quiet@example.test' })
  await placeOrder(services.as(visitor), withoutGiftEmail)
  await runWorker(services)
  const [notice, ...more] = await emailsTo('jack@example.test')
  expect(more).toEqual([])
  expect(notice).toMatchObject({
    subject: "Mrs Ann O'Brien has given you Harbour Light",
    replyTo: 'enquiries@example.test',
  })
  expect(notice?.text).toContain('Dear Mr Jack Tar,')
  expect(notice?.text).toContain('Happy birthday!')
  expect(notice?.html).toContain('&lt;b&gt;Ahoy&lt;/b&gt;')
  expect(notice?.text).toContain('3 Rope Walk')
  expect(notice?.text).not.toContain('29.99')
  expect((await emailsTo('quiet@example.test')).map(({ subject }) => subject)).toEqual([
    expect.stringContaining('Your order'),
  ])
})

it('the notice of a gift that renews does not tell its recipient so, who pays nothing', async () => {
  const shop = await makeShop(services)
  const renewing = { ...gift, plan: '1PR25.00', giftEmail: 'renewed@example.test' }
  await placeOrder(services.as(visitor), orderForm(shop, renewing))
  await runWorker(services)
  const [notice] = await emailsTo('renewed@example.test')
  expect(notice?.text).toContain('Subscription: Print, one year\n')
  expect(notice?.text).not.toContain('renews')
})

it('the receipt of a gift does not tell its giver to start reading, which only the recipient can', async () => {
  const shop = await makeShop(services, { digitalEditionLink: 'https://editions.example/read' })
  const bundle = { plan: '1BN39.99' }
  await placeOrder(services.as(visitor), orderForm(shop, { ...bundle, ...gift, email: 'giver@example.test' }))
  await placeOrder(services.as(visitor), orderForm(shop, { ...bundle, email: 'own@example.test' }))
  await runWorker(services)
  const [giversReceipt] = await emailsTo('giver@example.test')
  const [ownReceipt] = await emailsTo('own@example.test')
  expect(ownReceipt?.text).toContain('https://editions.example/read')
  expect(giversReceipt?.text).not.toContain('https://editions.example/read')
})

it('a direct debit is announced with its day and account, and its receipt does not say that it is paid', async () => {
  const shop = await makeShop(services)
  const begin: PaymentGateway['begin'] = async () => ({
    state: 'requires-action',
    reference: 'pi_debit',
    step: { kind: 'confirm', clientSecret: 'secret', publishableKey: 'pk_test_1', isDirectDebit: true },
  })
  const { demo } = services.payments
  if (!demo) throw new Error('The tests run with demo payments')
  const ctx = { ...services.as(visitor), payments: { ...services.payments, demo: { ...demo, begin } } }
  const { orderId, orderNumber } = await placeOrder(ctx, orderForm(shop, { email: 'debit@example.test' }))
  await services.db.run(`UPDATE payments SET provider = 'stripe-bacs' WHERE order_id = :orderId`, { orderId })
  const result = {
    state: 'accepted',
    reference: 'pi_debit',
    money: { amount: 2999, currency: 'GBP' },
    facts: { mandateReference: 'HLQ7XK2M', accountLastFour: '4321', chargedOn: '2026-11-27' },
  } as const
  expect(await settleOrder(services.as(system), { orderId, result })).toBe('paid')
  await runWorker(services)
  const emails = await emailsTo('debit@example.test')
  const notice = emails.find(({ subject }) => subject.startsWith('Your direct debit'))
  const receipt = emails.find(({ subject }) => subject.startsWith('Your order'))
  expect(emails).toHaveLength(2)
  for (const words of [orderNumber, '£29.99\u00A0GBP', 'on 27/11/2026', '4321', 'HLQ7XK2M', 'Direct Debit Guarantee']) {
    expect(notice?.text).toContain(words)
  }
  expect(receipt?.text).toContain('Total: £29.99\u00A0GBP')
  expect(receipt?.text).not.toContain('Total paid')
})
