import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { arrived, faultsOf, hydrated, shoot } from '#tests/support/browser.ts'
import { makeUser } from '#tests/support/factories.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, onPage, asUser } = openVisits()
let made = 0

/** A publisher who has just signed up: room for one title, payments set up or not. */
async function newPublisher(takesDemoPayments = true): Promise<string> {
  const email = `new-press-${++made}@example.test`
  const { id } = await makeUser(server.services, { email, firstName: 'Ada', lastName: 'Lee' })
  await server.services.db.run(
    `UPDATE accounts SET number_of_publications = 1, takes_demo_payments = :takesDemoPayments WHERE user_id = :id`,
    { takesDemoPayments, id },
  )
  return email
}

/** Counts what somebody presses with a mouse or a finger, over all pages of the visit. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    window.addEventListener(
      'pointerdown',
      ({ isTrusted }) => {
        if (isTrusted) sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks') ?? 0) + 1))
      },
      true,
    )
  })
  return () => page.evaluate(() => Number(sessionStorage.getItem('clicks')))
}

/** As somebody types who never uses the Tab key: each box is clicked first. */
async function typeInto(box: Locator, text: string): Promise<void> {
  await box.click()
  await box.fill(text)
}

const steps = (page: Page) => page.getByRole('region', { name: 'From here to your first sale' })
const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true }).click()

describe('a new publisher', () => {
  it('comes from the first log-in to the first test sale within 40 clicks, led by the list', async () => {
    const email = await newPublisher()
    await onPage(
      async ({ page }) => {
        const clicks = await countClicks(page)
        await page.goto('/login')
        await hydrated(page)
        await typeInto(page.getByLabel('Email'), email)
        await typeInto(page.getByLabel('Password', { exact: true }), 'masthead')
        await page.getByRole('button', { name: 'Log in' }).click()
        await arrived(page, '**/dashboard')
        await steps(page).getByText('1 of 6 done').waitFor()
        expect(await faultsOf(page)).toEqual([])
        await shoot(page, 'first-run-1280')

        await steps(page).getByRole('link', { name: 'Add your title' }).click()
        await arrived(page, '**/addpublication')
        await typeInto(page.getByLabel('Name *'), 'The Gardener')
        await typeInto(page.getByLabel('Issues a year'), '10')
        await typeInto(page.getByLabel('Enquiries email'), 'hello@example.test')
        await typeInto(page.getByLabel('Order email'), 'orders@example.test')
        await next(page)
        await arrived(page, '**/images')
        await next(page)
        await arrived(page, '**/prices')
        await typeInto(page.getByLabel('Print, one year, UK, one-off'), '29.99')
        for (const step of ['questions', 'apps', 'social', 'submit']) {
          await next(page)
          await arrived(page, `**/${step}`)
        }
        await page.getByRole('button', { name: 'Submit' }).click()
        await arrived(page, '**/publications')
        await page.getByRole('link', { name: 'Analytics' }).click()
        await arrived(page, '**/dashboard')
        await steps(page).getByText('3 of 6 done').waitFor()

        await steps(page).getByRole('link', { name: 'Open the preview' }).click()
        await arrived(page, '**/preview')
        await hydrated(page)
        expect(await faultsOf(page)).toEqual([])
        await shoot(page, 'first-run-preview-1280')
        await typeInto(page.getByLabel('Password *', { exact: true }), 'masthead')
        await typeInto(page.getByLabel('Confirm password'), 'masthead')
        await typeInto(page.getByLabel('Card number'), '4242 4242 4242 4242')
        await page.getByRole('button', { name: 'Pay £29.99' }).click()
        await page.getByRole('heading', { name: 'Your test purchase worked' }).waitFor()
        expect(await faultsOf(page)).toEqual([])
        await shoot(page, 'first-run-ordered-1280')
        expect(await clicks()).toBeLessThanOrEqual(40)

        await page.getByRole('button', { name: 'Remove test order' }).click()
        await page.getByText('Test order removed').first().waitFor()
        await page.getByRole('link', { name: 'Back to the dashboard' }).click()
        await arrived(page, '**/dashboard')
        await hydrated(page)
        await steps(page).getByText('5 of 6 done, about 1 minute to go').waitFor()
        await steps(page).getByRole('button', { name: 'I have shared it' }).click()
        await page.getByText('You are open for business').waitFor()
        await page.getByRole('button', { name: 'Close' }).click()
        await page.getByText('You are open for business').waitFor({ state: 'detached' })
      },
      { width: 1280 },
    )
  })

  it('looks around on an example, throws it away, and puts the list away, on a phone', async () => {
    await asUser(
      await newPublisher(false),
      async ({ page }) => {
        await page.goto('/dashboard')
        await hydrated(page)
        await steps(page).getByText('0 of 6 done').waitFor()
        expect(await faultsOf(page, { isPhoneOnly: true })).toEqual([])
        await shoot(page, 'first-run-360')
        await steps(page).getByRole('button', { name: 'Make an example title' }).click()
        await arrived(page, '**/publications')
        await page.getByRole('heading', { name: 'Example: Harbour Light' }).waitFor()
        await page.getByRole('main').getByText('0 of 1 title').waitFor()
        await shoot(page, 'first-run-example-360')
        await page.getByRole('link', { name: 'Preview and test purchase: Example: Harbour Light' }).click()
        await arrived(page, '**/preview')
        await hydrated(page)
        expect(await faultsOf(page, { isPhoneOnly: true })).toEqual([])
        await shoot(page, 'first-run-example-preview-360')
        await page.getByRole('link', { name: 'Publications' }).click()
        await arrived(page, '**/publications')
        await hydrated(page)
        await page.getByRole('button', { name: 'Remove example' }).click()
        await page.getByText('No Publications found for this User').waitFor()

        await page.goto('/dashboard')
        await hydrated(page)
        await steps(page).getByRole('button', { name: 'Hide these steps' }).click()
        await steps(page).waitFor({ state: 'detached' })
        await page.getByRole('button', { name: 'Show the first steps' }).click()
        await steps(page).waitFor()
      },
      { width: 360 },
    )
  })
})
