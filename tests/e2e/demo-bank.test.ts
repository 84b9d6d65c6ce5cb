import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import { arrived, faultsOf, openPage, type PageOptions, takeScreenshot } from '#tests/support/browser.ts'
import { fillOrder, payButton } from '#tests/support/storefront-form.ts'
import { startTestServer, type TestServer } from '#tests/support/web-server.ts'
import { workerBrowser } from '#tests/support/worker-browser.ts'

let server: TestServer
let browser: Browser
beforeAll(async () => {
  server = await startTestServer()
  // The bank sends browsers to the installation's public address.
  Object.assign(server.services.settings, { appUrl: server.url })
  browser = await workerBrowser()
})
afterAll(() => server?.stop())

/** The demo bank's page, after an order by the card that requires authentication. */
async function atTheBank(options: Partial<PageOptions> = {}) {
  const opened = await openPage(browser, { baseURL: server.url, ...options })
  const { page } = opened
  await page.goto('/harbour-light?country=GB&plan=1DN29.99')
  await fillOrder(page, `buyer-${randomUUID()}@example.test`, { card: demoCards.needsAction })
  await payButton(page).click()
  await arrived(page, '**/demo-bank?**')
  return opened
}
const text = (page: Page) => page.locator('main').innerText()
/** The address changes shortly before the page is rendered. */
const waitForText = (page: Page, words: string) => page.locator('main').getByText(words).first().waitFor()

describe('a demo card that requires authentication', () => {
  it.each([true, false])('is paid after approval on the bank’s page (scripts: %s)', async (scripts) => {
    const { page, problems } = await atTheBank({ width: 360, javaScriptEnabled: scripts })
    await expect.poll(() => text(page)).toContain('£29.99 GBP')
    if (scripts) expect(await faultsOf(page, { isPhoneOnly: true })).toEqual([])
    await takeScreenshot(page, 'demo-bank')
    const bank = page.url()
    await page.getByRole('button', { name: 'Approve' }).click()
    await arrived(page, '**/ordersuccess?**')
    await waitForText(page, 'Thank you for your order')
    await page.goto(bank)
    await expect.poll(() => text(page)).toContain('This payment was already approved or refused')
    await page.goto(bank.replace('/demo-bank', '/ordercancel'))
    await expect.poll(() => new URL(page.url()).pathname).toBe('/ordersuccess')
    await expect.poll(() => text(page)).toContain('Thank you for your order')
    expect(problems()).toEqual([])
    await page.context().close()
  })

  it('is declined by refusing, and cancelled by going back', async () => {
    const { page } = await atTheBank()
    await page.getByRole('button', { name: 'Refuse' }).click()
    await arrived(page, '**/ordersuccess?**')
    await waitForText(page, 'Sorry your payment has been declined')
    await takeScreenshot(page, 'declined')

    const another = await atTheBank()
    await another.page.getByRole('link', { name: 'Go back without a decision' }).click()
    await arrived(another.page, '**/ordercancel?**')
    await waitForText(another.page, 'No money was taken')
    await another.page.goto('/harbour-light?country=GB&plan=1DN29.99')
    await waitForText(another.page, 'For your security, please re-enter: Password, Confirm password, Card number.')
    await another.page.getByLabel('Card number').fill(demoCards.paid)
    await waitForText(another.page, 'For your security, please re-enter: Password, Confirm password.')
    await page.context().close()
    await another.page.context().close()
  })

  it('cannot be used without the order’s key', async () => {
    const { page } = await atTheBank()
    const address = new URL(page.url())
    address.searchParams.set('key', 'x'.repeat(22))
    for (const path of ['/demo-bank', '/ordercancel', '/ordersuccess']) {
      expect((await page.goto(`${path}${address.search}`))?.status()).toBe(404)
    }
    await expect.poll(() => text(page)).toContain('We cannot find this order')
    await page.context().close()
  })
})
