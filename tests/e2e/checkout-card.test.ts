import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { contextFor } from '#core/context.ts'
import { settlePendingOrders } from '#core/orders/settle-pending-orders.ts'
import { arrived, faultsOf, goBack, hydrated, takeScreenshot } from '#tests/support/browser.ts'
import { makePromo, system } from '#tests/support/factories.ts'
import { fieldOf } from '#tests/support/page-facts.ts'
import {
  chooseCountry,
  declinedDialog,
  fillOrder,
  openStorefront,
  payButton,
  payBy,
  payWithFailedResponse,
  payWithLostResponse,
  waitForThanks,
} from '#tests/support/storefront-form.ts'
import { stripeCards } from '#tests/support/stripe-cards.ts'
import { cardFields, fillCard, openStripeVisits } from '#tests/support/stripe-visits.ts'

const { server, stripe, serve, onPage, ordersOf } = openStripeVisits()

const cardDialog = (page: Page) => page.getByRole('dialog', { name: 'Credit Card' })
const payInDialog = (page: Page) => cardDialog(page).getByRole('button', { name: /^Pay £/ })

/** Fills the form in and opens the card window. */
async function openCard(page: Page, email: string, address?: string): Promise<void> {
  await fillForm(page, email, address)
  await payButton(page).click()
  await cardDialog(page).waitFor()
  await cardFields(page).getByLabel('Card number').waitFor()
}

async function fillForm(page: Page, email: string, address?: string): Promise<void> {
  await openStorefront(page, address)
  await payBy(page, /^Card/)
  await fillOrder(page, email)
}

describe('a card', () => {
  it('pays in a window over the form: missing fields are marked, and a double click is one payment', () =>
    onPage(
      async ({ page }) => {
        const email = 'paid@example.test'
        await fillForm(page, email)
        await payButton(page).dblclick()
        await cardFields(page).getByLabel('Card number').waitFor()
        await expect
          .poll(() => cardDialog(page).innerText())
          .toMatch(/Harbour Light: Print, one year\s+£54\.00\u00A0GBP/)
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await cardFields(page).getByLabel('Card number').fill('4242')
        await payInDialog(page).click()
        await cardDialog(page).getByRole('alert').getByText('incomplete').waitFor()
        await expect.poll(() => declinedDialog(page).count()).toBe(0)
        await fillCard(page, stripeCards.paid)
        await takeScreenshot(page, 'card')
        await payInDialog(page).dblclick()
        await waitForThanks(page)
        const orders = await ordersOf(email)
        expect(orders.map(({ state }) => state)).toEqual(['paid'])
        expect(paymentStatesOf(orders[0]?.order_number)).toEqual(['succeeded'])
        expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(email)
        await page.reload()
        await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor()
        await goBack(page)
        expect(await ordersOf(email)).toHaveLength(1)
      },
      { width: 360 },
    ))

  it('that is declined leads back to the payment methods with the form unchanged; another one pays', () =>
    onPage(async ({ page }) => {
      const email = 'declined@example.test'
      await openCard(page, email)
      await fillCard(page, stripeCards.stolen)
      await payInDialog(page).click()
      await declinedDialog(page)
        .getByText('Sorry your payment has been declined. Please try with another payment method')
        .waitFor()
      await takeScreenshot(page, 'declined')
      expect(await faultsOf(page)).toEqual([])
      await declinedDialog(page).getByRole('button', { name: 'Back to the payment methods' }).click()
      await expect.poll(async () => (await ordersOf(email)).map(({ state }) => state)).toEqual(['cancelled'])
      await expect.poll(() => fieldOf(page, 'password').inputValue()).toBe('a-long-password')
      await expect.poll(() => payButton(page).innerText()).toBe('Pay £54.00')
      await payButton(page).click()
      await cardFields(page).getByLabel('Card number').waitFor()
      await fillCard(page, stripeCards.paid)
      await payInDialog(page).click()
      await waitForThanks(page)
      expect((await ordersOf(email)).map(({ state }) => state)).toEqual(['cancelled', 'paid'])
    }))

  it('requires authentication (3-D Secure): refused, then approved', () =>
    onPage(async ({ page }) => {
      // A new address for each attempt: a retry of this test would find the orders of the first one.
      const email = `secure-${Date.now().toString(36)}@example.test`
      const bank = page.frameLocator('iframe[title="Secure payment frame"]')
      await openCard(page, email)
      await fillCard(page, stripeCards.needsAction)
      await payInDialog(page).click()
      await bank.getByRole('button', { name: 'Fail authentication' }).click()
      await declinedDialog(page).getByRole('button', { name: 'Back to the payment methods' }).click()
      await expect.poll(() => payButton(page).getAttribute('aria-disabled')).toBeNull()
      await payButton(page).click()
      await fillCard(page, stripeCards.needsAction)
      await payInDialog(page).click()
      await bank.getByRole('button', { name: 'Complete authentication' }).waitFor()
      // During authentication the window cannot be closed.
      await page.keyboard.press('Escape')
      await expect
        .poll(() => cardDialog(page).getByRole('button', { name: 'Close' }).getAttribute('aria-disabled'))
        .toBe('true')
      await bank.getByRole('button', { name: 'Complete authentication' }).click()
      await waitForThanks(page)
      expect((await ordersOf(email)).map(({ state }) => state)).toEqual(['cancelled', 'paid'])
    }))

  it('is entered in a window that keeps the focus while it is open, and releases the use of the promo code when it is closed', async () => {
    // A new code for each attempt: a retry of this test would find the first one used.
    const code = `ONCE-${Date.now().toString(36).toUpperCase()}`
    const promoId = await makePromo(server.services, await publicationId(), code, { uses: 1 })
    const usesOfPromo = async () =>
      (
        await server.services.db.query<{ used: number }>(`SELECT used FROM promo_codes WHERE id = :promoId`, {
          promoId,
        })
      )[0]?.used
    await onPage(async ({ page }) => {
      const email = `${code.toLowerCase()}@example.test`
      await openCard(page, email, `/harbour-light?promo=${code}`)
      expect(await usesOfPromo()).toBe(1)
      for (let tabs = 0; tabs < 8; tabs++) {
        await page.keyboard.press('Tab')
        await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.shop') ?? null)).toBeNull()
      }
      await page.keyboard.press('Escape')
      await expect.poll(() => cardDialog(page).count()).toBe(0)
      await expect.poll(usesOfPromo).toBe(0)
      expect((await ordersOf(email)).map(({ state }) => state)).toEqual(['cancelled'])
      await expect.poll(() => fieldOf(page, 'email').inputValue()).toBe(email)
      await expect.poll(() => payButton(page).getAttribute('aria-disabled')).toBeNull()
      await payButton(page).click()
      await fillCard(page, stripeCards.paid)
      await payInDialog(page).click()
      await waitForThanks(page)
      expect(await usesOfPromo()).toBe(1)
    })
  })

  it.each([
    { when: 'at once', isReloaded: false },
    { when: 'after a reload', isReloaded: true },
  ])(
    'whose provider was not responding pays the same order, which has the only use of its promo code: $when',
    async ({ isReloaded }) => {
      const code = `HELD-${Date.now().toString(36).toUpperCase()}`
      await makePromo(server.services, await publicationId(), code, { uses: 1 })
      await onPage(async ({ page, problems }) => {
        const email = `${code.toLowerCase()}@example.test`
        await fillForm(page, email, `/harbour-light?promo=${code}`)
        stripe().failNext('/v1/payment_intents', 500, 2)
        await payButton(page).click()
        await page.getByText('The payment provider is not responding at the moment').first().waitFor()
        expect(problems()).toContain('502: /harbour-light/order')
        await expect.poll(() => payButton(page).getAttribute('aria-disabled')).toBeNull()
        // The order has the code's only use: the page shows its price.
        await expect.poll(() => payButton(page).innerText()).toBe('Pay £40.50')
        if (isReloaded) {
          await page.reload()
          await fillOrder(page, email)
          await expect.poll(() => payButton(page).innerText()).toBe('Pay £40.50')
        }
        await payButton(page).click()
        await fillCard(page, stripeCards.paid)
        await payInDialog(page).click()
        await waitForThanks(page)
        expect((await ordersOf(email)).map(({ state, amount }) => [state, amount])).toEqual([['paid', 4050]])
      })
    },
  )

  it('makes one order if the server responds with 404, 500 and 503', () =>
    onPage(async ({ page, problems }) => {
      const email = 'failed@example.test'
      await fillForm(page, email)
      for (const status of [404, 500, 503] as const) {
        await payWithFailedResponse(page, status)
        expect((await ordersOf(email)).length, `answered with ${status}`).toBe(1)
      }
      await payButton(page).click()
      await fillCard(page, stripeCards.paid)
      await payInDialog(page).click()
      await waitForThanks(page)
      expect((await ordersOf(email)).map(({ state }) => state)).toEqual(['paid'])
      problems()
    }))

  it.each(['at once', 'after a reload'])(
    'makes another order, which replaces the first, for a form that was changed after the response was lost: %s',
    async (when) =>
      onPage(async ({ page, problems }) => {
        const isReloaded = when !== 'at once'
        const email = `changed-${isReloaded}@example.test`
        await fillForm(page, email)
        await payWithLostResponse(page, problems)
        if (isReloaded) await page.reload()
        await hydrated(page)
        await fillOrder(page, email, { fields: { 'billing.addressOne': '2 Quay Street' } })
        await payButton(page).click()
        await fillCard(page, stripeCards.paid)
        await payInDialog(page).click()
        await waitForThanks(page)
        expect((await ordersOf(email)).map(({ state }) => state)).toEqual(['cancelled', 'paid'])
        const [, paidOrder] = await server.services.db.query<{ billing: unknown }>(
          `SELECT billing FROM orders WHERE email = :email ORDER BY id`,
          { email },
        )
        expect(JSON.stringify(paidOrder?.billing)).toContain('2 Quay Street')
      }),
  )

  it('makes another order if the country was changed after the response was lost and the page reloaded', () =>
    onPage(async ({ page, problems }) => {
      const email = 'changed-country@example.test'
      const fields = { 'billing.postCode': '2000' }
      await openStorefront(page, '/harbour-light?country=ZA')
      await payBy(page, /^Card/)
      await fillOrder(page, email, { fields })
      await payWithLostResponse(page, problems)
      await page.reload()
      await chooseCountry(page, 'New Zealand')
      await arrived(page, '**country=NZ**')
      await fillOrder(page, email, { fields })
      await payButton(page).click()
      await cardDialog(page).waitFor()
      const orders = await server.services.db.query(
        `SELECT country, state FROM orders WHERE email = :email ORDER BY id`,
        { email },
      )
      expect(orders).toEqual([
        { country: 'ZA', state: 'cancelled' },
        { country: 'NZ', state: 'pending' },
      ])
    }))

  it('has its order cancelled when the page is reloaded while the window is open; the form can then pay again', () =>
    onPage(async ({ page }) => {
      const email = 'reloaded@example.test'
      await openCard(page, email)
      await page.reload()
      await expect.poll(async () => (await ordersOf(email)).map(({ state }) => state)).toEqual(['cancelled'])
      await fillOrder(page, email)
      await expect.poll(() => payButton(page).getAttribute('aria-disabled')).toBeNull()
      await payButton(page).click()
      await fillCard(page, stripeCards.paid)
      await payInDialog(page).click()
      await waitForThanks(page)
    }))

  it('in two tabs makes two orders, and closing one does not affect the other', () =>
    onPage(async ({ page, context }) => {
      const email = 'tabs@example.test'
      await openCard(page, email)
      const otherTab = await context.newPage()
      await openCard(otherTab, email)
      await otherTab.keyboard.press('Escape')
      await expect.poll(async () => (await ordersOf(email)).map(({ state }) => state)).toEqual(['pending', 'cancelled'])
      await fillCard(page, stripeCards.paid)
      await payInDialog(page).click()
      await waitForThanks(page)
    }))

  it('that was charged while the browser crashed is still an order', () =>
    onPage(async ({ page }) => {
      const email = 'gone@example.test'
      await openCard(page, email)
      const [order] = await ordersOf(email)
      await page.close()
      const [payment] = paymentsOfOrder(order?.order_number)
      stripe().pay(String(payment?.id), stripeCards.paid)
      expect((await ordersOf(email))[0]?.state).toBe('pending')
      const { services } = server
      const later = new Date(services.now().getTime() + 3_600_000)
      await settlePendingOrders({ ...contextFor(services, system, { entryPoint: 'test' }), now: () => later }, {})
      expect((await ordersOf(email))[0]?.state).toBe('paid')
    }))

  it('whose payment was confirmed while the response was lost is not charged again', () =>
    onPage(async ({ page, context, problems }) => {
      const email = 'lost@example.test'
      await openCard(page, email)
      await fillCard(page, stripeCards.paid)
      await context.route('**/v1/payment_intents/*/confirm', async (route) => {
        await route.fetch()
        await route.abort('connectionreset')
      })
      await payInDialog(page).click()
      await waitForThanks(page)
      const [order] = await ordersOf(email)
      expect(order?.state).toBe('paid')
      expect(paymentStatesOf(order?.order_number)).toEqual(['succeeded'])
      problems()
    }))

  it('whose script cannot be loaded says so, can be retried, and took no money', () =>
    onPage(async ({ page, context, problems }) => {
      await context.route('https://js.stripe.com/**', (route) => route.abort())
      await fillForm(page, 'noscript-stripe@example.test')
      await payButton(page).click()
      await cardDialog(page).getByText('The payment provider cannot be reached.').waitFor()
      await context.unroute('https://js.stripe.com/**')
      await serve(context)
      await cardDialog(page).getByRole('button', { name: 'Try again' }).click()
      await fillCard(page, stripeCards.paid)
      await payInDialog(page).click()
      await waitForThanks(page)
      problems()
    }))
})

describe('an order with nothing to pay', () => {
  it('is placed once if the server fails before it responds', async () => {
    const code = `FREE-${Date.now().toString(36).toUpperCase()}`
    await makePromo(server.services, await publicationId(), code, { discountPercent: 100 })
    await onPage(async ({ page, problems }) => {
      const email = `${code.toLowerCase()}@example.test`
      await openStorefront(page, `/harbour-light?promo=${code}`)
      await fillOrder(page, email)
      await payWithFailedResponse(page, 503)
      await payButton(page).click()
      await waitForThanks(page)
      expect((await ordersOf(email)).map(({ state, amount }) => [state, amount])).toEqual([['paid', 0]])
      expect(problems().join()).toContain('503')
    })
  })
})

async function publicationId(): Promise<number> {
  const [row] = await server.services.db.query<{ id: number }>(
    `SELECT id FROM publications WHERE url_key = 'harbour-light'`,
  )
  return row?.id ?? 0
}

function paymentsOfOrder(orderNumber: string | undefined) {
  return stripe()
    .payments()
    .filter(({ metadata }) => (metadata as unknown as Record<string, string>)?.orderNumber === orderNumber)
}

function paymentStatesOf(orderNumber: string | undefined): unknown[] {
  return paymentsOfOrder(orderNumber).map(({ status }) => status)
}
