import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { arrived, faultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { mainText } from '#tests/support/page-facts.ts'
import { chooseCountry, fillOrder, openStorefront, payButton, payBy } from '#tests/support/storefront-form.ts'
import { stripeAccounts } from '#tests/support/stripe-cards.ts'
import { cardFields, openStripeVisits } from '#tests/support/stripe-visits.ts'

const { server, stripe, onPage, ordersOf } = openStripeVisits()

const debitDialog = (page: Page) => page.getByRole('dialog', { name: 'Direct debit' })
const confirmButton = (page: Page) => debitDialog(page).getByRole('button', { name: /by direct debit$/ })

async function openDebit(page: Page, email: string): Promise<void> {
  await openStorefront(page)
  await payBy(page, /^Direct debit/)
  await fillOrder(page, email)
  await expect.poll(() => payButton(page).innerText()).toBe('Pay £54.00 by direct debit')
  await payButton(page).click()
  await cardFields(page).getByLabel('Sort code').waitFor()
}

async function enterAccount(page: Page, sortCode: string, number: string): Promise<void> {
  await cardFields(page).getByLabel('Sort code').fill(sortCode)
  await cardFields(page).getByLabel('Account number').fill(number)
  await debitDialog(page).getByRole('button', { name: 'Continue' }).click()
}

const orderStates = async (email: string) => (await ordersOf(email)).map(({ state }) => state)

describe('a direct debit', () => {
  it('is entered, checked, changed, agreed to and collected in a few days', () =>
    onPage(
      async ({ page }) => {
        const email = 'debit@example.test'
        await openDebit(page, email)
        await takeScreenshot(page, 'debit-enter')
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await enterAccount(page, '10-88-00', stripeAccounts.right)
        await debitDialog(page).getByRole('heading', { name: 'Check your details' }).waitFor()
        const details = await debitDialog(page).innerText()
        expect(details).toMatch(/Account holder\s+Zoë O'Brien/)
        expect(details).toMatch(/Sort code\s+10-88-00/)
        expect(details).toMatch(/Account number\s+ending in 2345/)
        expect(details).toContain('SALTMARSH QUILL will appear on your statement')
        expect(details).toContain('The Direct Debit Guarantee')
        await takeScreenshot(page, 'debit-check')
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await expect.poll(() => confirmButton(page).getAttribute('aria-disabled')).toBe('true')

        await debitDialog(page).getByRole('button', { name: 'Change the account' }).click()
        await expect.poll(() => cardFields(page).getByLabel('Account number').inputValue()).toBe(stripeAccounts.right)
        await debitDialog(page).getByRole('button', { name: 'Continue' }).click()
        await debitDialog(page).getByLabel('I am the account holder').check()
        await confirmButton(page).click()
        await arrived(page, '**/ordersuccess?**')
        await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor()
        await expect.poll(() => mainText(page)).toContain('Your direct debit will be taken on')
        expect(await orderStates(email)).toEqual(['paid'])
        const [payment] = await server.services.db.query<{ state: string }>(
          `SELECT y.state FROM payments y JOIN orders o ON o.id = y.order_id WHERE o.email = :email`,
          { email },
        )
        expect(payment?.state).toBe('accepted')
        // Bank details go from the browser to the provider: this server never saw them.
        expect(JSON.stringify(stripe().requests)).not.toContain(stripeAccounts.right)
      },
      { width: 360 },
    ))

  it('accepts a sort code in any format', () =>
    onPage(async ({ page }) => {
      await openDebit(page, 'spaces@example.test')
      await enterAccount(page, '10 88 00', stripeAccounts.right)
      await debitDialog(page).getByText('10-88-00').waitFor()
    }))

  it('that the bank cannot accept says so, and closing cancels the order', () =>
    onPage(async ({ page }) => {
      const email = 'refused-debit@example.test'
      await openDebit(page, email)
      await enterAccount(page, '10-88-00', stripeAccounts.refused)
      // The provider asks the bank only when the debit is confirmed.
      await debitDialog(page).getByLabel('I am the account holder').check()
      await confirmButton(page).click()
      await debitDialog(page).getByRole('alert').getByText('cannot be used').waitFor()
      await debitDialog(page).getByRole('button', { name: 'Close' }).click()
      await expect.poll(() => orderStates(email)).toEqual(['cancelled'])
      await expect.poll(() => payButton(page).getAttribute('aria-disabled')).toBeNull()
    }))

  it('is offered only for pounds', () =>
    onPage(async ({ page }) => {
      await openStorefront(page)
      await page.getByRole('radio', { name: /^Direct debit/ }).waitFor()
      await chooseCountry(page, 'Ireland')
      await page.getByText('Prices now in euros').waitFor()
      await expect.poll(() => page.getByRole('radio', { name: /^Direct debit/ }).count()).toBe(0)
      await expect.poll(() => page.getByRole('radio', { name: /^Card/ }).count()).toBe(1)
    }))
})
