import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { logInBuyer } from '#core/buyers/log-in-buyer.ts'
import { chargeDueRenewals } from '#core/charging/charge-renewals.ts'
import { contextFor } from '#core/context.ts'
import { dayOf } from '#core/kernel/calendar.ts'
import { confirmOrder } from '#core/orders/confirm-order.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { renewKey } from '#core/renewals/renew-link.ts'
import { announceRenewals } from '#tests/support/announce-renewals.ts'
import { faultsOf, takeScreenshot, type WatchedPage } from '#tests/support/browser.ts'
import { connectPayee } from '#tests/support/connect-payee.ts'
import { mainText, pathOf } from '#tests/support/page-facts.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { stripeCards } from '#tests/support/stripe-cards.ts'
import { serveStripeJs } from '#tests/support/stripe-js.ts'
import { type StripeServer, startStripeServer } from '#tests/support/stripe-server.ts'
import { fillCard } from '#tests/support/stripe-visits.ts'
import { openVisits } from '#tests/support/visits.ts'

let stripe: StripeServer
beforeAll(async () => {
  stripe = await startStripeServer()
})
const { server, onPage } = openVisits({ env: () => ({ STRIPE_API_BASE: stripe.url }) })

let shop: Awaited<ReturnType<typeof makeShop>>
beforeAll(async () => {
  shop = await makeShop(server.services, { publicationName: 'The Tide Table', urlKey: 'tide-table' })
  const { publishableKey, secretKey } = stripe
  await connectPayee(server.services, shop.publisherId, 'stripeDets', { publishableKey, secretKey })
})

const visitorCtx = () => server.as(visitor)

/** Logs in a buyer whose yearly subscription renews by card. */
async function newSubscriber({ context }: WatchedPage, card: string = stripeCards.paid): Promise<string> {
  const form = orderForm(shop, { plan: '1PR25.00', payment: { provider: 'stripe-card' } })
  const placed = await placeOrder(visitorCtx(), form)
  stripe.pay(String(stripe.payments().at(-1)?.id), card)
  await confirmOrder(visitorCtx(), placed)
  const email = String(form.email)
  const session = await logInBuyer(visitorCtx(), { publicationId: shop.id, email, password: 'masthead' })
  await context.addCookies([{ name: `masthead-reader-${shop.id}`, value: session.sessionToken, url: server.url }])
  return placed.orderNumber
}

async function methodOf(orderNumber: string): Promise<string | undefined> {
  const [row] = await server.services.db.query<{ method_reference: string }>(
    `SELECT a.method_reference FROM payment_agreements a JOIN orders o ON o.id = a.order_id WHERE o.order_number = :orderNumber`,
    { orderNumber },
  )
  return row?.method_reference
}

/**
 * By keyboard: on a phone the button is scrolled to first, and Chromium sends a click that comes right after scrolling to the frame
 * that was there before.
 */
const saveByKeyboard = (page: Page) => page.getByRole('button', { name: 'Save this card' }).press('Enter')

it('a reader gives another card for a renewal: declined first, then with authentication, then stored', () =>
  onPage(
    async (visit) => {
      const { page } = visit
      await serveStripeJs(page, stripe.url)
      const orderNumber = await newSubscriber(visit)
      const oldMethod = await methodOf(orderNumber)
      // Loaded as a document: the link keeps the content security policy of this page, which lets Stripe's script run.
      await page.goto('/tide-table/account')
      await page.getByRole('link', { name: 'Change your card' }).click()
      await page.getByRole('heading', { name: 'Change your card', level: 1 }).waitFor()
      await page.frameLocator('iframe[title="Secure payment input frame"]').getByLabel('Card number').waitFor()
      expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
      await takeScreenshot(page, 'change-card')

      await fillCard(page, stripeCards.declined)
      await saveByKeyboard(page)
      await page.getByText('This card was declined. Please try another one.').waitFor()
      expect(await methodOf(orderNumber)).toBe(oldMethod)

      // A lost connection is not reported as a card problem.
      await fillCard(page, stripeCards.paid)
      await page.route('**/v1/setup_intents/*/confirm', (route) => route.abort())
      await saveByKeyboard(page)
      await page.getByText('The payment provider cannot be reached. No money was taken.').waitFor()
      await page.unroute('**/v1/setup_intents/*/confirm')
      visit.problems()

      await fillCard(page, stripeCards.needsAction)
      await saveByKeyboard(page)
      const bank = page.frameLocator('iframe[title="Secure payment frame"]')
      await bank.getByRole('button', { name: 'Complete authentication' }).click()
      await page.getByText('Your card has been changed').waitFor()
      await expect.poll(() => pathOf(page)).toBe('/tide-table/account')
      const newMethod = await methodOf(orderNumber)
      expect(newMethod).not.toBe(oldMethod)
      expect(stripe.objects.get(String(newMethod))).toMatchObject({ card: { last4: '3155' } })
      expect(stripe.payments().filter(({ status }) => status !== 'succeeded')).toEqual([])
    },
    { width: 360, height: 740 },
  ))

it('a reader confirms at the bank, by the emailed link, a payment that requires authentication', () =>
  onPage(async (visit) => {
    const { page } = visit
    await serveStripeJs(page, stripe.url)
    await page.setViewportSize({ width: 360, height: 800 })
    const orderNumber = await newSubscriber(visit, stripeCards.needsBuyerLater)
    const method = await methodOf(orderNumber)
    await page.goto(await chargeToday(orderNumber))
    const confirm = page.getByRole('button', { name: 'Confirm with your bank' })
    await confirm.waitFor()
    await page.frameLocator('iframe[title="Secure payment input frame"]').getByLabel('Card number').waitFor()
    expect(await faultsOf(page, { isPhoneOnly: true })).toEqual([])
    await takeScreenshot(page, 'confirm-renewal-360')
    await page.setViewportSize({ width: 1280, height: 900 })
    await takeScreenshot(page, 'confirm-renewal-1280')
    const bank = page.frameLocator('iframe[title="Secure payment frame"]')
    await confirm.press('Enter')
    await bank.getByRole('button', { name: 'Fail authentication' }).click()
    await page.getByText('This card was declined. Please try another one.').waitFor()
    visit.problems()
    await confirm.press('Enter')
    await bank.getByRole('button', { name: 'Complete authentication' }).click()
    await page.getByText('Your renewal is paid. The receipt will come by email.').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Confirm with your bank' }).count()).toBe(0)
    expect(await methodOf(orderNumber)).toBe(method)
  }))

it('a renewal is charged to the second card when the first one is declined too', () =>
  onPage(async (visit) => {
    const { page } = visit
    await serveStripeJs(page, stripe.url)
    const orderNumber = await newSubscriber(visit, stripeCards.declinedLater)
    await page.goto(await chargeToday(orderNumber))
    const pay = page.getByRole('button', { name: 'Pay £25.00' })
    await fillCard(page, stripeCards.declinedLater)
    await pay.press('Enter')
    await page.getByText('This card was declined. Please try another one.').waitFor()
    await fillCard(page, stripeCards.paid)
    await pay.press('Enter')
    await page.getByText('Your renewal is paid. The receipt will come by email.').waitFor()
    expect(stripe.objects.get(String(await methodOf(orderNumber)))).toMatchObject({ card: { last4: '4242' } })
  }))

/** Charges the renewal of an order as if its term ended today; returns the address of the emailed link. */
async function chargeToday(orderNumber: string): Promise<string> {
  const { services } = server
  const ctx = contextFor(services, { kind: 'system' }, { entryPoint: 'test' })
  const today = dayOf(services.now(), services.settings.timeZone)
  const [agreement] = await services.db.query<{ id: number; reader_id: number }>(
    `SELECT a.id, a.reader_id FROM payment_agreements a JOIN orders o ON o.id = a.order_id WHERE o.order_number = :orderNumber`,
    { orderNumber },
  )
  const { id = 0, reader_id: readerId = 0 } = agreement ?? {}
  await services.db.run(`UPDATE readers SET sub_end_on = :today WHERE id = :readerId`, { today, readerId })
  await services.db.run(`UPDATE payment_agreements SET renews_on = :today WHERE id = :id`, { today, id })
  await announceRenewals(ctx, today, { publicationId: shop.id })
  // As if its notice had been sent in time.
  await services.db.run(`UPDATE renewals SET next_try_on = :today WHERE agreement_id = :id`, { today, id })
  await chargeDueRenewals(ctx, today, { publicationId: shop.id })
  const [renewal] = await services.db.query<{ id: number; grace_until: string }>(
    `SELECT id, grace_until FROM renewals WHERE agreement_id = :id AND state IN ('waiting', 'retrying')`,
    { id },
  )
  const link = { renewalId: renewal?.id ?? 0, until: renewal?.grace_until ?? '' }
  return `/tide-table/renew/${renewKey(services.settings.appSecret, link)}`
}

it('says without JavaScript that it is needed, and redirects a reader without a renewal by card', () =>
  onPage(
    async (visit) => {
      const { page } = visit
      await newSubscriber(visit)
      await page.goto('/tide-table/account/card')
      await expect.poll(() => mainText(page)).toContain('Changing the card needs JavaScript. Please switch it on.')
      await server.services.db.run(`UPDATE payment_agreements SET state = 'ended'`)
      await page.goto('/tide-table/account/card')
      await expect.poll(() => pathOf(page)).toBe('/tide-table/account')
      await page.goto('/tide-table/account/card?agreement=abc')
      await expect.poll(() => pathOf(page)).toBe('/tide-table/account')
    },
    { javaScriptEnabled: false },
  ))
