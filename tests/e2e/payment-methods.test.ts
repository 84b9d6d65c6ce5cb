import { describe, expect, it } from 'vitest'
import { arrived, faultsOf, hydrated, takeScreenshot } from '#tests/support/browser.ts'
import { makePromo } from '#tests/support/factories.ts'
import { fieldOf, mainText } from '#tests/support/page-facts.ts'
import { fillOrder, missingFields, openStorefront, payButton, payBy } from '#tests/support/storefront-form.ts'
import { openStripeVisits } from '#tests/support/stripe-visits.ts'

const { server, onPage, ordersOf, publisherId } = openStripeVisits()

describe('the payment methods', () => {
  it('are the usable ones, and only the chosen one requires its fields', () =>
    onPage(async ({ page }) => {
      await openStorefront(page)
      const methods = page.locator('input[name="payment.provider"]')
      expect(await methods.evaluateAll((all) => all.map((method) => (method as HTMLInputElement).value))).toEqual([
        'stripe-card',
        'stripe-bacs',
        'demo',
      ])
      await fillOrder(page, 'methods@example.test')
      await payBy(page, /^Card/)
      await expect.poll(() => payButton(page).innerText()).toBe('Pay £54.00')
      expect(await fieldOf(page, 'payment.cardNumber').isVisible()).toBe(false)
      await payBy(page, /^Demo card/)
      await expect.poll(() => payButton(page).innerText()).toBe('complete the form')
      expect(await missingFields(page)).toEqual(['Card number'])
      expect(await fieldOf(page, 'payment.cardNumber').isVisible()).toBe(true)
    }))

  it('that need a script are refused without one, before anything is ordered; the others work', () =>
    onPage(
      async ({ page }) => {
        await page.goto('/harbour-light')
        await expect.poll(() => mainText(page)).toContain('Paying by card or direct debit here needs JavaScript.')
        await payBy(page, /^Card/)
        await fillOrder(page, 'noscript-card@example.test')
        await payButton(page).click()
        await page.getByRole('alert').getByText('This payment method needs JavaScript.').first().waitFor()
        expect(await ordersOf('noscript-card@example.test')).toEqual([])
        await payBy(page, /^Demo card/)
        await fillOrder(page, 'noscript-card@example.test', { card: '4242 4242 4242 4242' })
        await payButton(page).click()
        await arrived(page, '**/ordersuccess?**')
      },
      { javaScriptEnabled: false },
    ))

  it('are hidden when a promo code makes the order free', async () => {
    const [shop] = await server.services.db.query<{ id: number }>(
      `SELECT id FROM publications WHERE url_key = 'harbour-light'`,
    )
    await makePromo(server.services, shop?.id ?? 0, 'ALL-OFF', {
      discountPercent: 100,
      applicableProducts: { print: { priceOneYear: true } },
    })
    await onPage(async ({ page }) => {
      await openStorefront(page, '/harbour-light?promo=ALL-OFF')
      await expect.poll(() => page.getByText('How to pay', { exact: true }).first().isVisible()).toBe(false)
      await fillOrder(page, 'all-off@example.test')
      await expect.poll(() => payButton(page).innerText()).toBe('Order without payment')
      await payButton(page).click()
      await arrived(page, '**/ordersuccess?**')
      expect((await ordersOf('all-off@example.test')).map(({ state, amount }) => [state, amount])).toEqual([
        ['paid', 0],
      ])
    })
  })

  it('need no JavaScript when a promo code makes the order free', async () => {
    const [shop] = await server.services.db.query<{ id: number }>(
      `SELECT id FROM publications WHERE url_key = 'harbour-light'`,
    )
    await makePromo(server.services, shop?.id ?? 0, 'FREE-YEAR', {
      discountPercent: 100,
      applicableProducts: { print: { priceOneYear: true } },
    })
    await onPage(
      async ({ page }) => {
        const email = 'noscript-free@example.test'
        await page.goto('/harbour-light')
        await payBy(page, /^Card/)
        await page.locator('details:has(#field-promoCode) > summary').click()
        await fieldOf(page, 'promoCode').fill('FREE-YEAR')
        await page.getByRole('button', { name: 'Apply', exact: true }).click()
        await expect.poll(() => payButton(page).innerText()).toBe('Order without payment')
        await fillOrder(page, email)
        await payButton(page).click()
        await arrived(page, '**/ordersuccess?**')
        expect((await ordersOf(email)).map(({ state, amount }) => [state, amount])).toEqual([['paid', 0]])
      },
      { javaScriptEnabled: false },
    )
  })

  it('say whom to contact when there are none, with the specified wording', async () => {
    await server.services.db.run(
      `UPDATE accounts SET stripe_publishable_key = NULL, stripe_secret_key = NULL, takes_demo_payments = :no WHERE user_id = :id`,
      { no: false, id: await publisherId() },
    )
    await onPage(async ({ page }) => {
      await expect
        .poll(
          async () => {
            await page.goto('/harbour-light')
            return page.getByText('AC74').count()
          },
          { timeout: 15_000 },
        )
        .toBe(1)
      await hydrated(page)
      const banner = page.getByRole('alert')
      await expect
        .poll(() => banner.innerText())
        .toMatch(
          /Unfortunately payments cannot currently be taken\. Please contact the publisher on .+ or by emailing .+ quoting error code: AC74/,
        )
      await takeScreenshot(page, 'no-payments')
      expect(await faultsOf(page, { alsoAt: [360] })).toEqual([])
      await expect.poll(() => payButton(page).getAttribute('aria-disabled')).toBe('true')
    })
  })
})
