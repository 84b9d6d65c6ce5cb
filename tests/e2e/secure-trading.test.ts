import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  arrived,
  faultsOf,
  hydrated,
  layoutFaultsOf,
  type PageOptions,
  takeScreenshot,
} from '#tests/support/browser.ts'
import { connectPayee } from '#tests/support/connect-payee.ts'
import { mainText } from '#tests/support/page-facts.ts'
import {
  type SecureTradingServer,
  secureTradingCards,
  startSecureTradingServer,
} from '#tests/support/secure-trading-server.ts'
import { fillOrder, payButton, payBy } from '#tests/support/storefront-form.ts'
import { openVisits } from '#tests/support/visits.ts'

let provider: SecureTradingServer
let publisherId: number
beforeAll(async () => {
  provider = await startSecureTradingServer()
})
const { server, onPage } = openVisits({
  worker: true,
  env: () => ({ SECURE_TRADING_BASE: provider.url, SECURE_TRADING_PAGES_BASE: provider.url }),
})
beforeAll(async () => {
  // Providers send browsers back to the installation's public address.
  Object.assign(server.services.settings, { appUrl: server.url })
  const [shop] = await server.services.db.query<{ publisher_id: number }>(
    `SELECT publisher_id FROM publications WHERE url_key = 'harbour-light'`,
  )
  publisherId = shop?.publisher_id ?? 0
  await connectPayee(server.services, publisherId, 'secureTradingDets', provider.keys)
})
beforeEach(() => {
  provider.notifies = false
})

/** Submits the storefront's form, and opens the hosted page. */
function onHostedPage(work: (page: Page) => Promise<void>, options: Partial<PageOptions> = {}): Promise<void> {
  return onPage(async ({ page }) => {
    await page.goto('/harbour-light?country=GB&plan=1DN29.99')
    const hasScripts = options.javaScriptEnabled !== false
    if (hasScripts) await hydrated(page)
    await fillOrder(page, `buyer-${randomUUID()}@example.test`)
    await payBy(page, /secure page/)
    await payButton(page).click()
    if (!hasScripts) {
      await expect.poll(() => mainText(page)).toMatch(/Your order OD-\w+ has been saved/)
      expect(await layoutFaultsOf(page)).toEqual([])
      await takeScreenshot(page, 'post-step')
      await page.getByRole('button', { name: 'Continue to the payment page' }).click()
    }
    await arrived(page, `${provider.url}/process/payments/choice`)
    await work(page)
  }, options)
}

async function payWith(page: Page, card: string): Promise<void> {
  await page.getByLabel('Card number').fill(card)
  await page.getByRole('button', { name: 'Pay securely' }).click()
  await arrived(page, '**/ordersuccess?**')
}

describe('paying on the hosted page of Secure Trading', () => {
  it.each([true, false])(
    'leads there and back, and is paid once the web services confirm it (scripts: %s)',
    (hasScripts) =>
      onHostedPage(
        async (page) => {
          await expect.poll(() => page.locator('h1').innerText()).toBe('Pay 29.99 GBP')
          await payWith(page, secureTradingCards.paid)
          await expect.poll(() => mainText(page)).toMatch(/Thank you for your order[\s\S]*£29.99\u00A0GBP/)
          await page.reload()
          await expect.poll(() => mainText(page)).toContain('Thank you for your order')
        },
        { javaScriptEnabled: hasScripts, width: 360 },
      ),
  )

  it('reports a declined card, and leads back to the form', () =>
    onHostedPage(async (page) => {
      await payWith(page, secureTradingCards.declined)
      await expect
        .poll(() => mainText(page))
        .toContain('Sorry your payment has been declined. Please try with another payment method')
      expect(await faultsOf(page)).toEqual([])
      await page.getByRole('link', { name: 'Try again' }).click()
      await hydrated(page)
      await expect.poll(() => page.locator('[id="field-firstName"]').inputValue()).toBe('Zoë')
    }))

  it('is settled by its notification when the buyer never comes back; a forged one is refused', async () => {
    provider.notifies = true
    await onHostedPage(async (page) => {
      // As if the browser were closed before the redirect back.
      await page.route('**/ordersuccess**', (route) => route.abort())
      await page.getByLabel('Card number').fill(secureTradingCards.paid)
      await page.getByRole('button', { name: 'Pay securely' }).click()
      await expect.poll(async () => (await newestOrder()).state).toBe('paid')
    })

    const { order_number: orderNumber } = await newestOrder()
    const forged = provider.notification(orderNumber).replace('errorcode=0', 'errorcode=1')
    const response = await fetch(`${server.url}/api/webhooks/secure-trading/${publisherId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
      body: forged,
    })
    expect(response.status).toBe(400)
  })
})

async function newestOrder(): Promise<{ state: string; order_number: string }> {
  const [order] = await server.services.db.query<{ state: string; order_number: string }>(
    `SELECT state, order_number FROM orders ORDER BY id DESC LIMIT 1`,
  )
  if (!order) throw new Error('There is no order')
  return order
}
