import type { Page, Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { arrived, faultsOf, hydrated, takeScreenshot } from '#tests/support/browser.ts'
import { loseNextCommit } from '#tests/support/lost-commit.ts'
import { focusedRole } from '#tests/support/page-facts.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, asRole } = openVisits()

async function checkPage(page: Page, name: string): Promise<void> {
  expect(await faultsOf(page, { alsoAt: [360] }), name).toEqual([])
  await takeScreenshot(page, name)
}

/** Fills in the buyer's details, and an answer to each question. */
async function fillBuyer(page: Page): Promise<void> {
  for (const [label, text] of Object.entries({
    'First name': 'Grace',
    'Last name': 'Darling',
    Email: 'grace@lighthouse.example',
    'Address line 1': '1 Harbour Road',
    'Town or city': 'Bamburgh',
    Postcode: 'NE69 7AB',
  })) {
    await page.getByRole('textbox', { name: label }).first().fill(text)
  }
  for (const question of await page.getByRole('region', { name: 'Questions' }).getByRole('combobox').all())
    await question.selectOption('Yes')
  for (const question of await page.getByRole('region', { name: 'Questions' }).getByRole('textbox').all())
    await question.fill('By the sea')
}

it('takes an order by phone on account, enters a part payment, and finds the rest among the unpaid invoices', () =>
  asRole('publisher', async ({ page, context }) => {
    await page.goto('/payments')
    await page.getByRole('link', { name: 'Enter an order' }).click()
    await arrived(page, '**/neworder')
    const plan = await page.getByLabel('Subscription').locator('option').first().textContent()
    await page.getByRole('button', { name: 'Check the order' }).click()
    await page.getByRole('link', { name: 'First name: enter a value' }).waitFor()
    await fillBuyer(page)
    await page.getByLabel('Payment method').selectOption('invoice')
    await checkPage(page, 'new-order')
    await page.getByRole('button', { name: 'Check the order' }).click()
    const placeButton = page.getByRole('button', { name: /^Place the order for / })
    await placeButton.waitFor()
    await page
      .getByText((plan ?? '').split(':')[0] ?? '', { exact: false })
      .first()
      .waitFor()
    await checkPage(page, 'new-order-check')
    // Neither another page nor an ended session loses what was typed.
    await page.getByRole('link', { name: 'Back to Sales Ledger' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    await context.clearCookies()
    await placeButton.click()
    await arrived(page, '**/login?**')
    await page.getByLabel('Email/Username').fill('publisher@demo.masthead.test')
    await page.getByLabel('Password', { exact: true }).fill('masthead')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('button', { name: 'Restore what I typed' }).click()
    await page.getByRole('button', { name: 'Check the order' }).click()
    await placeButton.click()
    await arrived(page, '**/orderDetails/*')
    await page.getByText('Invoice: unpaid').waitFor()
    await page.locator('#field-payment-amount').fill('5.00')
    await page.getByRole('button', { name: 'Record payment' }).click()
    await page.getByText('Invoice: part paid').waitFor()
    await checkPage(page, 'order-on-account')
    await page.getByRole('link', { name: 'Print the invoice' }).click()
    await arrived(page, '**/invoice')
    await page.getByText('1 Harbour Road').waitFor()
    await checkPage(page, 'invoice')
    await page.goto('/invoices')
    await page.getByText('Grace Darling').first().waitFor()
    await checkPage(page, 'invoices')
  }))

it('begins a subscription when its invoice is paid, and accepts no part payment', () =>
  asRole('publisher', async ({ page, context }) => {
    await page.goto('/neworder')
    await fillBuyer(page)
    await page.getByLabel('Payment method').selectOption('invoice')
    await page.getByLabel('When it begins').selectOption('paid')
    await page.getByRole('button', { name: 'Check the order' }).click()
    await page.getByText('Begins when the invoice is paid').waitFor()
    const placeButton = page.getByRole('button', { name: /^Place the order for / })
    const price = (await placeButton.textContent())?.match(/[\d.]+$/)?.[0] ?? ''
    await placeButton.click()
    await arrived(page, '**/orderDetails/*')
    await page.getByRole('heading', { name: /^Pro forma invoice/ }).waitFor()
    await page.locator('summary', { hasText: 'Cancel the order' }).click()
    await checkPage(page, 'order-before-payment')
    await page.locator('#field-payment-amount').fill('5.00')
    await page.getByRole('button', { name: 'Record payment' }).click()
    await page
      .getByRole('link', { name: /^Amount: The subscription begins when the invoice is paid in full/ })
      .waitFor()
    await hydrated(page)
    const otherTab = await context.newPage()
    await otherTab.goto(page.url())
    for (const tab of [otherTab, page]) {
      await tab.locator('#field-payment-amount').fill(price)
      await tab.getByRole('button', { name: 'Record payment' }).click()
      await tab.getByText('Invoice: paid').waitFor()
    }
    // The other tab was first and the form here is gone, but its refusal is still reported.
    const refused = page.getByRole('alert').filter({ hasText: 'Payment not recorded' })
    await refused.filter({ hasText: 'Nothing more is due' }).waitFor()
    await expect.poll(() => focusedRole(page)).toBe('alert')
    await expect.poll(() => page.title()).toMatch(/^Error: /)
    await page.getByText('Open the reader’s record').waitFor()
  }))

it('steps from order to order through the list as it was left', () =>
  asRole('publisher', async ({ page }) => {
    await page.goto('/payments?sort=-amount&size=25')
    await page
      .getByRole('link', { name: /^View order/ })
      .nth(1)
      .click()
    await arrived(page, '**/orderDetails/**')
    await page.getByText(/^2 of /).waitFor()
    // What was typed for one order is not offered for the next.
    const reason = page.locator('#field-reason')
    await reason.fill('Issue late')
    await page.getByRole('link', { name: 'Previous order' }).click()
    await page.getByText(/^1 of /).waitFor()
    await expect.poll(() => reason.inputValue()).toBe('')
    await page.getByRole('link', { name: 'Back to Sales Ledger' }).click()
    await arrived(page, '**/payments?sort=-amount&size=25')
  }))

it('keeps the section for another address open while its errors are corrected', () =>
  asRole('publisher', async ({ page }) => {
    await page.goto('/neworder')
    await fillBuyer(page)
    await page.getByText('A gift, or another delivery address').click()
    const giftEmail = page.getByLabel('Recipient’s email')
    await page.getByLabel('It is a gift for the person below').check()
    await giftEmail.fill('nobody')
    await page.getByRole('button', { name: 'Check the order' }).click()
    const problemLink = page.getByRole('link', { name: /^Recipient’s email: / })
    await problemLink.waitFor()
    await giftEmail.fill('ann@example.test')
    await problemLink.waitFor({ state: 'hidden' })
    expect(await giftEmail.isVisible()).toBe(true)
    await page.getByLabel('Message from the giver').fill('Happy birthday')
  }))

it('places one order if the response is lost and the order is changed back and checked again', () =>
  asRole('publisher', async ({ page, problems }) => {
    await page.goto('/neworder')
    await fillBuyer(page)
    // A new email for each attempt: a retry of the test would find the order of the first attempt.
    const email = `lost-${Date.now().toString(36)}@lighthouse.example`
    await page.getByRole('textbox', { name: 'Email' }).first().fill(email)
    await page.getByRole('button', { name: 'Check the order' }).click()
    const placeButton = page.getByRole('button', { name: /^Place the order for / })
    await placeButton.waitFor()
    const loseResponse = async (route: Route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await route.fetch()
      await route.abort('connectionreset')
    }
    await page.route('**/neworder.data**', loseResponse)
    await placeButton.click()
    // The idempotency key of the form makes it safe to press the button again.
    await page
      .getByText('The server could not be reached. Nothing was lost: please press the button again.')
      .first()
      .waitFor()
    await page.unroute('**/neworder.data**', loseResponse)
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByRole('button', { name: 'Check the order' }).click()
    await placeButton.click()
    await arrived(page, '**/orderDetails/*')
    const orders = await server.services.db.query(`SELECT state FROM orders WHERE email = :email`, { email })
    expect(orders).toEqual([{ state: 'paid' }])
    expect(problems().join()).toContain('ERR_CONNECTION_RESET')
  }))

it('refuses a form that was corrected after its order was placed, however often, and starts another order', () =>
  asRole('publisher', async ({ page, problems }) => {
    const email = `corrected-${Date.now().toString(36)}@lighthouse.example`
    const orders = () => server.services.db.query(`SELECT staff_note FROM orders WHERE email = :email`, { email })
    const fillForm = async (note: string) => {
      await fillBuyer(page)
      await page.getByRole('textbox', { name: 'Email' }).first().fill(email)
      await page.getByLabel('Reference or reason').fill(note)
    }
    const checkButton = page.getByRole('button', { name: 'Check the order' })
    const placeButton = page.getByRole('button', { name: /^Place the order for / })
    await page.goto('/neworder')
    await hydrated(page)
    await fillForm('No. 1')
    loseNextCommit(server.services, 'orders')
    await checkButton.click()
    await placeButton.click()
    await page.getByText('The database is not responding').first().waitFor()
    await page.getByLabel('Reference or reason').fill('No. 2')
    const refusals = page
      .getByRole('alert')
      .filter({ hasText: /This form has already placed order OD-\w+, with different/ })
    for (let attempt = 1; attempt <= 2; attempt++) {
      const sent = page.waitForResponse((response) => response.request().method() === 'POST')
      await checkButton.click()
      expect((await sent).status()).toBe(409)
      await refusals.waitFor()
    }
    await checkPage(page, 'order-placed-already')
    expect(await orders()).toEqual([{ staff_note: 'No. 1' }])
    page.once('dialog', (dialog) => dialog.accept())
    await page.getByRole('link', { name: 'Start another order' }).click()
    await expect.poll(() => page.getByRole('textbox', { name: 'First name' }).first().inputValue()).toBe('')
    await hydrated(page)
    expect(await page.getByRole('button', { name: 'Restore what I typed' }).isVisible()).toBe(false)
    await fillForm('No. 2')
    await checkButton.click()
    await placeButton.click()
    await arrived(page, '**/orderDetails/*')
    expect(await orders()).toEqual([{ staff_note: 'No. 1' }, { staff_note: 'No. 2' }])
    expect(problems().every((problem) => problem.includes('503') || problem.includes('409'))).toBe(true)
  }))

it('does nothing twice when the response to an order, a payment and a refund is lost', () =>
  asRole('publisher', async ({ page, problems }) => {
    const { services } = server
    const countRows = async (table: string) => {
      const [row] = await services.db.query<{ rows: number }>(`SELECT COUNT(*) AS rows FROM ${table}`)
      return Number(row?.rows)
    }
    const countsBefore = {
      orders: await countRows('orders'),
      payments: await countRows('invoice_payments'),
      refunds: await countRows('refunds'),
    }
    const waitForFailure = async (title: string) => {
      await page.getByText(title).first().waitFor()
      await page.getByText('The database is not responding').first().waitFor()
      await hydrated(page)
    }
    await page.goto('/neworder')
    await fillBuyer(page)
    await page.getByLabel('Payment method').selectOption('invoice')
    const checkButton = page.getByRole('button', { name: 'Check the order' })
    const placeButton = page.getByRole('button', { name: /^Place the order for / })
    await checkButton.click()
    loseNextCommit(services, 'orders')
    await placeButton.click()
    await waitForFailure('Order not placed')
    // A form that is changed, corrected and checked again still places the same order.
    await checkButton.click()
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByRole('textbox', { name: 'First name' }).first().fill('')
    await checkButton.click()
    await page.getByRole('link', { name: 'First name: enter a value' }).waitFor()
    await page.getByRole('textbox', { name: 'First name' }).first().fill('Grace')
    await checkButton.click()
    await placeButton.click()
    await arrived(page, '**/orderDetails/*')
    expect(await countRows('orders')).toBe(countsBefore.orders + 1)

    await page.locator('#field-payment-amount').fill('5.00')
    loseNextCommit(services, 'invoice_payments')
    const recordButton = page.getByRole('button', { name: 'Record payment' })
    await recordButton.click()
    await waitForFailure('Payment not recorded')
    await page.locator('#field-payment-amount').fill('5.00')
    await recordButton.click()
    await page.getByText('Payment recorded').first().waitFor()
    expect(await countRows('invoice_payments')).toBe(countsBefore.payments + 1)

    await page.getByLabel('What to refund').selectOption('amount')
    await page.locator('#field-amount').fill('1.00')
    const reviewButton = page.getByRole('button', { name: 'Review refund' })
    await reviewButton.click()
    loseNextCommit(services, 'refunds')
    await page.getByRole('button', { name: /^Refund £/ }).click()
    await waitForFailure('Not refunded')
    await reviewButton.click()
    await page.getByText('£1.00 refunded').first().waitFor()
    expect(await countRows('refunds')).toBe(countsBefore.refunds + 1)
    expect(problems().every((problem) => problem.includes('503') || problem.includes('422'))).toBe(true)
  }))
