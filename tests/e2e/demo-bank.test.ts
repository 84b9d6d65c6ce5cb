import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import { arrived, faultsOf, hydrated, type PageOptions, takeScreenshot } from '#tests/support/browser.ts'
import { mainText } from '#tests/support/page-facts.ts'
import { fillOrder, payButton } from '#tests/support/storefront-form.ts'
import { openVisits } from '#tests/support/visits.ts'

const { server, onPage } = openVisits()
// The bank sends browsers to the installation's public address.
beforeAll(() => {
  Object.assign(server.services.settings, { appUrl: server.url })
})

/** Orders with the card that requires authentication, and runs `work` on the demo bank's page. */
function atTheBank(work: (page: Page) => Promise<void>, options: Partial<PageOptions> = {}): Promise<void> {
  return onPage(async ({ page }) => {
    await page.goto('/harbour-light?country=GB&plan=1DN29.99')
    if (options.javaScriptEnabled !== false) await hydrated(page)
    await fillOrder(page, `buyer-${randomUUID()}@example.test`, { card: demoCards.needsAction })
    await payButton(page).click()
    await arrived(page, '**/demo-bank?**')
    await work(page)
  }, options)
}
/** The address changes shortly before the page is rendered. */
const waitForText = (page: Page, text: string) => page.locator('main').getByText(text).first().waitFor()

describe('a demo card that requires authentication', () => {
  it.each([true, false])('is paid after approval on the bank’s page (scripts: %s)', (hasScripts) =>
    atTheBank(
      async (page) => {
        await expect.poll(() => mainText(page)).toContain('£29.99 GBP')
        if (hasScripts) expect(await faultsOf(page, { isPhoneOnly: true })).toEqual([])
        await takeScreenshot(page, 'demo-bank')
        const bankPage = page.url()
        await page.getByRole('button', { name: 'Approve' }).click()
        await arrived(page, '**/ordersuccess?**')
        await waitForText(page, 'Thank you for your order')
        await page.goto(bankPage)
        await expect.poll(() => mainText(page)).toContain('This payment was already approved, refused or cancelled')
        await page.goto(bankPage.replace('/demo-bank', '/ordercancel'))
        await expect.poll(() => new URL(page.url()).pathname).toBe('/ordersuccess')
        await expect.poll(() => mainText(page)).toContain('Thank you for your order')
      },
      { width: 360, javaScriptEnabled: hasScripts },
    ),
  )

  it('is declined when the buyer refuses on the bank’s page', () =>
    atTheBank(async (page) => {
      await page.getByRole('button', { name: 'Refuse' }).click()
      await arrived(page, '**/ordersuccess?**')
      await waitForText(page, 'Sorry your payment has been declined')
      await takeScreenshot(page, 'declined')
    }))

  it('is cancelled by going back; the restored order form lacks only the passwords and the card number', () =>
    atTheBank(async (page) => {
      await page.getByRole('link', { name: 'Go back without a decision' }).click()
      await arrived(page, '**/ordercancel?**')
      await waitForText(page, 'No money was taken')
      await page.goto('/harbour-light?country=GB&plan=1DN29.99')
      await waitForText(page, 'For your security, please re-enter: Password, Confirm password, Card number.')
      await page.getByLabel('Card number').fill(demoCards.paid)
      await waitForText(page, 'For your security, please re-enter: Password, Confirm password.')
    }))

  it('cannot be used without the order’s key', () =>
    atTheBank(async (page) => {
      const address = new URL(page.url())
      address.searchParams.set('key', 'x'.repeat(22))
      for (const path of ['/demo-bank', '/ordercancel', '/ordersuccess']) {
        const response = await fetch(`${server.url}${path}${address.search}`)
        expect([path, response.status]).toEqual([path, 404])
        if (path === '/demo-bank') continue
        const html = await response.text()
        expect(html).toContain('<title>We cannot find this order</title>')
        expect(html).toMatch(/<h1[^>]*>We cannot find this order<\/h1>/)
      }
    }))
})
