import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { arrived, faultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { fieldOf, mainText } from '#tests/support/page-facts.ts'
import { signUpPassword } from '#tests/support/sign-ups.ts'
import { fillOrder, openStorefront, payButton, payBy } from '#tests/support/storefront-form.ts'
import { stripeCards } from '#tests/support/stripe-cards.ts'
import { serveStripeJs } from '#tests/support/stripe-js.ts'
import { type StripeServer, startStripeServer } from '#tests/support/stripe-server.ts'
import { cardFields, fillCard } from '#tests/support/stripe-visits.ts'
import { openVisits } from '#tests/support/visits.ts'

/** The publisher's own Stripe, for readers' payments; the plan is billed by the demo. */
let stripe: StripeServer
beforeAll(async () => {
  stripe = await startStripeServer()
})

const { server, onPage } = openVisits({ worker: true, env: () => ({ STRIPE_API_BASE: stripe.url }) })

/**
 * Counts clicks and taps over all pages of the visit. Listens on the document: Playwright stops a click at the window when its target has
 * moved and clicks again, while a user clicks once.
 */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    document.addEventListener(
      'pointerdown',
      ({ isTrusted }) => {
        if (isTrusted) sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks') ?? 0) + 1))
      },
      true,
    )
  })
  return () => page.evaluate(() => Number(sessionStorage.getItem('clicks')))
}

/** Types like a user who never uses the Tab key: each box is clicked first. */
async function typeInto(box: Locator, text: string): Promise<void> {
  await box.click()
  await box.fill(text)
}

/** Differs on a retry, since the email and the title of the first attempt are taken. */
let attempt = 0
const email = () => `nell-${attempt}@quayside.example.test`
const title = () => `The Gardener ${attempt}`
const storefrontPath = () => `/the-gardener-${attempt}`

const steps = (page: Page) => page.getByRole('region', { name: 'From here to your first sale' })
const goNext = (page: Page) => page.getByRole('button', { name: 'Next', exact: true }).click()

/** Opens the dashboard by the menu, and waits until exactly these steps are checked off. */
async function expectDoneSteps(page: Page, ...stepTitles: string[]): Promise<void> {
  await page.getByRole('link', { name: 'Analytics' }).click()
  await arrived(page, '**/dashboard')
  const doneSteps = () => steps(page).getByRole('heading', { level: 3 }).filter({ hasText: '(done)' }).allTextContents()
  await expect.poll(doneSteps).toEqual(stepTitles.map((stepTitle) => `${stepTitle} (done)`))
  await steps(page).getByText(`${stepTitles.length} of 6 done`).waitFor()
}

async function signUp(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'SIGN UP', exact: true }).first().click()
  await arrived(page, '**/signup')
  for (const [name, text] of [
    ['firstName', 'Nell'],
    ['lastName', 'Press'],
    ['email', email()],
    ['confirmEmail', email()],
    ['password', signUpPassword],
    ['password2', signUpPassword],
  ] as const)
    await typeInto(fieldOf(page, name), text)
  await goNext(page)
  await arrived(page, '**/signup/billing')
  await typeInto(fieldOf(page, 'companyName'), 'Quayside Press')
  await goNext(page)
  await arrived(page, '**/signup/plan')
  await goNext(page)
  await arrived(page, '**/signup/pay')
  await page.getByRole('button', { name: 'Pay £78.00' }).click()
  const payment = page.getByRole('dialog', { name: 'Payment' })
  await typeInto(payment.getByLabel('Card number'), '4242 4242 4242 4242')
  await payment.getByRole('button', { name: 'Pay £78.00' }).click()
  await arrived(page, '**/success?**')
  await page.getByRole('link', { name: 'Log in' }).click()
  await arrived(page, '**/login')
  await expect.poll(() => fieldOf(page, 'email').inputValue()).toBe(email())
  await typeInto(fieldOf(page, 'password'), signUpPassword)
  await page.getByRole('button', { name: 'Log in' }).click()
  await arrived(page, '**/dashboard')
}

async function addTitle(page: Page): Promise<void> {
  await steps(page).getByRole('link', { name: 'Add your title' }).click()
  await arrived(page, '**/addpublication')
  await typeInto(page.getByLabel('Name *'), title())
  await typeInto(page.getByLabel('Issues a year'), '10')
  await typeInto(page.getByLabel('Enquiries email'), 'hello@example.test')
  await typeInto(page.getByLabel('Order email'), 'orders@example.test')
  await goNext(page)
  await arrived(page, '**/images')
  await goNext(page)
  await arrived(page, '**/prices')
  await typeInto(page.getByLabel('Print, one year, UK, one-off'), '29.99')
  for (const step of ['questions', 'apps', 'social', 'submit']) {
    await goNext(page)
    await arrived(page, `**/${step}`)
  }
  await page.getByRole('button', { name: 'Submit' }).click()
  await arrived(page, '**/publications')
}

async function enterKeys(page: Page): Promise<void> {
  await steps(page).getByRole('link', { name: 'Enter payment keys' }).click()
  await arrived(page, '**/account#payments')
  const payments = page.getByRole('region', { name: 'Payments', exact: true })
  await payments.getByText('Connect Stripe').click()
  await typeInto(fieldOf(page, 'stripeDets.publishableKey'), stripe.publishableKey)
  await typeInto(fieldOf(page, 'stripeDets.secretKey'), stripe.secretKey)
  await typeInto(fieldOf(page, 'stripeDets.currentPassword'), signUpPassword)
  await payments.getByRole('button', { name: 'Save Stripe keys' }).click()
  await payments.getByText('Connected', { exact: true }).waitFor()
}

async function buyForTest(page: Page): Promise<void> {
  await steps(page).getByRole('link', { name: 'Open the preview' }).click()
  await arrived(page, '**/preview')
  expect(await faultsOf(page)).toEqual([])
  await takeScreenshot(page, 'journey-preview')
  await page.getByRole('button', { name: 'Pay £29.99' }).click()
  await page.getByRole('heading', { name: 'Your test order worked' }).waitFor()
}

/** A reader's real purchase: by card, at the publisher's own Stripe. */
const sell = () =>
  onPage(async ({ page, context }) => {
    await serveStripeJs(context, stripe.url)
    await openStorefront(page, storefrontPath())
    await payBy(page, /^Card/)
    await fillOrder(page, 'zoe@example.test')
    await payButton(page).click()
    await cardFields(page).getByLabel('Card number').waitFor()
    await fillCard(page, stripeCards.paid)
    await page
      .getByRole('dialog', { name: 'Credit Card' })
      .getByRole('button', { name: /^Pay £/ })
      .click()
    await arrived(page, '**/ordersuccess?**')
    await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor()
  })

const storefrontHtml = async () => (await fetch(`${server.url}${storefrontPath()}`)).text()
const closedNotice = 'is not taking new subscriptions at the moment'

async function cancelPlan(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Cancel the plan' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel the plan' }).click()
  await page.getByRole('button', { name: 'Keep it' }).waitFor()
}

describe('a publisher', () => {
  it('signs up, reaches the first test sale within 40 clicks, sells, changes the plan, cancels and comes back', () =>
    onPage(async ({ page }) => {
      attempt += 1
      const clicks = await countClicks(page)
      await page.goto('/')
      await signUp(page)
      await steps(page).getByText('0 of 6 done').waitFor()
      expect(await faultsOf(page)).toEqual([])
      await takeScreenshot(page, 'journey-dashboard')
      await addTitle(page)
      const doneFirst = ['Add your title', 'Set prices', 'Connect payments']
      await expectDoneSteps(page, ...doneFirst.slice(0, 2))
      await enterKeys(page)
      await expectDoneSteps(page, ...doneFirst)
      await buyForTest(page)
      expect(await clicks()).toBeLessThanOrEqual(40)
      expect(await faultsOf(page)).toEqual([])
      await takeScreenshot(page, 'journey-test-order')

      await page.getByRole('button', { name: 'Remove test order' }).click()
      await page.getByText('Test order removed').first().waitFor()
      await page.getByRole('link', { name: 'Back to the dashboard' }).click()
      await arrived(page, '**/dashboard')
      await expectDoneSteps(page, ...doneFirst, 'Look at your storefront', 'Place a test order')
      await steps(page).getByText('about 1 minute to go').waitFor()
      await steps(page).getByRole('button', { name: 'I have shared it' }).click()
      await page.getByText('You are open for business').waitFor()
      await sell()
      await page.reload()
      await page.getByText('You are open for business').waitFor({ state: 'detached' })
      await page.goto('/payments')
      await page.getByRole('main').getByText('£29.99').first().waitFor()

      await server.jobsDone()
      const pageText = () => mainText(page)
      await page.goto('/account/plan/change')
      await page.getByLabel('Titles', { exact: true }).selectOption('2')
      await page.getByRole('button', { name: 'Show the cost' }).click()
      await page.getByRole('button', { name: 'Change and pay' }).click()
      await arrived(page, '**/account/plan')
      await expect.poll(pageText).toMatch(/Standard, 2 titles[\s\S]*1 of 2/)
      await cancelPlan(page)
      await page.getByRole('button', { name: 'Keep it' }).click()
      await cancelPlan(page)
      expect(await storefrontHtml()).not.toContain(closedNotice)
      await page.getByRole('button', { name: 'Advance the demo' }).click()
      await page.getByText('Your plan has ended').waitFor()
      expect(await storefrontHtml()).toContain(closedNotice)
      await takeScreenshot(page, 'journey-ended')
      await page.getByRole('main').getByRole('link', { name: 'Choose a plan' }).first().click()
      await arrived(page, '**/account/plan/start')
      expect(await faultsOf(page)).toEqual([])
      await takeScreenshot(page, 'journey-back')
      await page.getByLabel('Promo code').fill('free20')
      await page.getByLabel(/^Card number/).fill('4242 4242 4242 4242')
      await page.getByRole('button', { name: 'Start and pay' }).click()
      await arrived(page, '**/account/plan')
      await page.getByText('Welcome back: your plan is paid').first().waitFor()
      await expect.poll(pageText).toMatch(/code FREE20 applied[\s\S]*£86\.40 on/)
      expect(await page.getByText('Your plan has ended').count()).toBe(0)
      expect(await storefrontHtml()).not.toContain(closedNotice)
    }))
})
