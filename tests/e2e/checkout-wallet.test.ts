import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { arrived, faultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { chooseCountry, openStorefront } from '#tests/support/storefront-form.ts'
import { openStripeVisits } from '#tests/support/stripe-visits.ts'

const { server, stripe, onPage, ordersOf } = openStripeVisits({ wallets: ['applePay'] })

const email = 'ann.wallet@example.test'
const wallet = (page: Page) => page.getByRole('region', { name: 'Pay in one step' })
const walletFrame = (page: Page) => wallet(page).frameLocator('iframe')
const paymentSheet = (page: Page) => page.frameLocator('body > iframe')

describe('a wallet', () => {
  it('pays without the form, and the page after it explains how to set a password', () =>
    onPage(async ({ page }) => {
      await openStorefront(page)
      await page.getByText('£29.99', { exact: true }).click()
      await wallet(page).waitFor()
      await takeScreenshot(page, 'wallet')
      expect(await faultsOf(page)).toEqual([])
      await walletFrame(page).getByRole('button', { name: 'Buy with Apple Pay' }).click()
      await paymentSheet(page).getByRole('button', { name: 'Pay now' }).click()
      await arrived(page, '**/ordersuccess?**')
      await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor()
      expect((await ordersOf(email)).map(({ state, amount }) => [state, amount])).toEqual([['paid', 2999]])
      await takeScreenshot(page, 'wallet-success')
      await page.getByRole('link', { name: 'Set a password' }).click()
      await arrived(page, '**/harbour-light/forgot')
    }))

  it('pays the plan’s price for a print subscription, which is delivered to the address in the wallet', () =>
    onPage(async ({ page }) => {
      await openStorefront(page)
      await page.getByText('£29.00', { exact: true }).click()
      await wallet(page).waitFor()
      await walletFrame(page).getByRole('button', { name: 'Buy with Apple Pay' }).click()
      await paymentSheet(page).getByRole('button', { name: 'Pay now' }).click()
      await arrived(page, '**/ordersuccess?**')
      const orders = await ordersOf(email)
      expect(orders.at(-1)).toMatchObject({ state: 'paid', amount: 2900 })
      const readers = await server.services.db.query(
        `SELECT r.full_name, r.address_one, r.post_code FROM readers r JOIN orders o ON o.reader_id = r.id WHERE o.id = :id`,
        { id: orders.at(-1)?.id ?? 0 },
      )
      expect(readers).toEqual([{ full_name: 'Tom Reed', address_one: '9 Harbour Row', post_code: 'TR11 3LH' }])
    }))

  it('cancelled in its own sheet orders nothing', () =>
    onPage(async ({ page }) => {
      const before = (await ordersOf(email)).length
      await openStorefront(page)
      await wallet(page).waitFor()
      await walletFrame(page).getByRole('button', { name: 'Buy with Apple Pay' }).click()
      await paymentSheet(page).getByRole('button', { name: 'Cancel' }).click()
      await page.locator('body > iframe').waitFor({ state: 'hidden' })
      expect(await ordersOf(email)).toHaveLength(before)
    }))

  it('that fails at the provider cancels its order and shows the specified text', () =>
    onPage(async ({ page, context }) => {
      await openStorefront(page)
      await wallet(page).waitFor()
      await context.route('**/v1/payment_intents/*/confirm', (route) =>
        route.fulfill({
          status: 402,
          headers: { 'Access-Control-Allow-Origin': '*' },
          json: { error: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' } },
        }),
      )
      await walletFrame(page).getByRole('button', { name: 'Buy with Apple Pay' }).click()
      await paymentSheet(page).getByRole('button', { name: 'Pay now' }).click()
      await page.getByRole('alertdialog', { name: 'Payment declined' }).waitFor()
      await expect.poll(async () => (await ordersOf(email)).at(-1)?.state).toBe('cancelled')
    }))

  it('whose address is in another country than the prices is refused, and the message says what to do', () =>
    onPage(async ({ page }) => {
      const before = (await ordersOf(email)).length
      await openStorefront(page)
      await chooseCountry(page, 'Ireland')
      await page.getByText('Prices now in euros').waitFor()
      await wallet(page).waitFor()
      await walletFrame(page).getByRole('button', { name: 'Buy with Apple Pay' }).click()
      await paymentSheet(page).getByRole('button', { name: 'Pay now' }).click()
      await page.getByRole('alert').getByText('Choose the country of your address').waitFor()
      expect(await ordersOf(email)).toHaveLength(before)
    }))

  it('is hidden while a question is unanswered', async () => {
    await server.services.db.run(
      `UPDATE publications SET question_a = 'Do you own a boat?' WHERE url_key = 'harbour-light'`,
    )
    await onPage(async ({ page }) => {
      await expect
        .poll(async () => {
          await openStorefront(page)
          return page.getByText('Do you own a boat?').count()
        })
        .toBeGreaterThan(0)
      await expect.poll(() => wallet(page).count()).toBe(0)
      await page.locator('[id="field-answers.A"]').selectOption('Yes')
      await wallet(page).waitFor()
    })
    expect(
      stripe()
        .payments()
        .every(({ amount }) => Number(amount) > 0),
    ).toBe(true)
  })
})
