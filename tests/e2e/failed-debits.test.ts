import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { contextFor } from '#core/context.ts'
import { confirmOrder } from '#core/orders/confirm-order.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { faultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { connectPayee } from '#tests/support/connect-payee.ts'
import { makeUser } from '#tests/support/factories.ts'
import { mainText } from '#tests/support/page-facts.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { stripeAccounts } from '#tests/support/stripe-cards.ts'
import { type StripeServer, startStripeServer } from '#tests/support/stripe-server.ts'
import { openVisits } from '#tests/support/visits.ts'

let stripe: StripeServer
beforeAll(async () => {
  stripe = await startStripeServer()
})
const { server, asUser } = openVisits({ worker: true, env: () => ({ STRIPE_API_BASE: stripe.url }) })

const publisherEmail = 'publisher@tide-table.test'
let order: { orderId: number; orderNumber: string }

/** Orders a year by direct debit, which the bank returns afterwards: Stripe reports it to the webhook of this installation. */
beforeAll(async () => {
  const { services } = server
  const publisher = await makeUser(services, { email: publisherEmail })
  const shop = await makeShop(services, { publicationName: 'The Tide Table', publisherId: publisher.id })
  const { publishableKey, secretKey, webhookSecret } = stripe
  await connectPayee(services, publisher.id, 'stripeDets', { publishableKey, secretKey, webhookSecret })
  await services.db.run(`UPDATE accounts SET direct_debit_option = 'stripe' WHERE user_id = :id`, { id: publisher.id })
  const ctx = () => contextFor(services, visitor, { entryPoint: 'test' })
  const placed = await placeOrder(ctx(), orderForm(shop, { payment: { provider: 'stripe-bacs' } }))
  order = placed
  const intent = String(stripe.payments().at(-1)?.id)
  stripe.pay(intent, stripeAccounts.right)
  await confirmOrder(ctx(), placed)
  stripe.finishDebit(intent, 'failed')
  const message = stripe.message({ about: intent, type: 'payment_intent.payment_failed' })
  const response = await fetch(`${server.url}/api/webhooks/stripe/${publisher.id}`, { method: 'POST', ...message })
  expect(response.status).toBe(200)
  await server.jobsDone()
})

describe('an order whose debit failed', () => {
  it('shows on its page what happened to the payment, and when', () =>
    asUser(
      publisherEmail,
      async ({ page }) => {
        await page.goto(`/orderDetails/${order.orderId}`)
        await page.getByRole('heading', { name: `Order ${order.orderNumber} Reversed` }).waitFor()
        const text = await mainText(page)
        expect(text).toContain('Failed: the bank did not pay after all')
        expect(text).toContain('Direct debit, ending 2345')
        expect(text).toContain('The customer has notified their bank that this payment was unauthorised.')
        expect(text).toMatch(/Liability\s+£0\.00/)
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await takeScreenshot(page, 'taken-back-order')

        await page.goto('/payments')
        await expect.poll(() => mainText(page)).toContain('Reversed')
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await takeScreenshot(page, 'taken-back-ledger')
      },
      { width: 360 },
    ))

  it('was reported to the buyer and to the publication', async () => {
    const emails = (await server.services.mail.devMailbox?.list(1000)) ?? []
    const aboutOrder = emails.filter(({ subject }) => subject.includes(order.orderNumber))
    expect(aboutOrder.map(({ subject }) => subject).sort()).toEqual(
      expect.arrayContaining([
        `An order was reversed: its payment failed: ${order.orderNumber}`,
        `Your payment could not be taken: ${order.orderNumber}`,
      ]),
    )
  })
})
