import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  arrived,
  faultsOf,
  hydrated,
  type PageOptions,
  takeScreenshot,
  type WatchedPage,
} from '#tests/support/browser.ts'
import { connectPayee } from '#tests/support/connect-payee.ts'
import { mainText } from '#tests/support/page-facts.ts'
import { type PayPalServer, startPayPalServer } from '#tests/support/paypal-server.ts'
import { fillOrder, payButton, payBy } from '#tests/support/storefront-form.ts'
import { openVisits } from '#tests/support/visits.ts'

let paypal: PayPalServer
beforeAll(async () => {
  paypal = await startPayPalServer()
})
const { server, onPage } = openVisits({ worker: true, env: () => ({ PAYPAL_API_BASE: paypal.url }) })
beforeAll(async () => {
  // Providers send browsers back to the installation's public address.
  Object.assign(server.services.settings, { appUrl: server.url })
  const [shop] = await server.services.db.query<{ publisher_id: number }>(
    `SELECT publisher_id FROM publications WHERE url_key = 'harbour-light'`,
  )
  await connectPayee(server.services, shop?.publisher_id ?? 0, 'payPalDets', paypal.keys)
})

const plan = '1DN29.99'

/** Opens the storefront, fills in its form and chooses PayPal. */
function withFilledForm(
  work: (visit: WatchedPage) => Promise<void>,
  options: Partial<PageOptions> = {},
): Promise<void> {
  return onPage(async (visit) => {
    const { page } = visit
    await page.goto(`/harbour-light?country=GB&plan=${plan}`)
    if (options.javaScriptEnabled !== false) await hydrated(page)
    await fillOrder(page, `buyer-${randomUUID()}@example.test`)
    await payBy(page, 'PayPal')
    await work(visit)
  }, options)
}
const placeOrder = (page: Page) => payButton(page).click()
const capturesOf = (page: Page) => paypal.orderOf(new URL(page.url()).searchParams.get('orderNumber') ?? '').captures

describe('paying by PayPal', () => {
  it.each([true, false])('leads there and back, and the receipt page says it is paid (scripts: %s)', (hasScripts) =>
    withFilledForm(
      async ({ page }) => {
        await placeOrder(page)
        await arrived(page, `${paypal.url}/checkoutnow?**`)
        await expect.poll(() => mainText(page)).toContain('29.99 GBP')
        await page.getByRole('button', { name: 'Agree and pay' }).click()
        await arrived(page, '**/ordersuccess?**')
        await expect.poll(() => mainText(page)).toMatch(/Thank you for your order[\s\S]*£29.99\u00A0GBP/)
        expect(capturesOf(page)).toHaveLength(1)
        await page.reload()
        await expect.poll(() => mainText(page)).toContain('Thank you for your order')
        expect(capturesOf(page)).toHaveLength(1)
        if (hasScripts) {
          expect(await faultsOf(page, { isPhoneOnly: true })).toEqual([])
          expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes('order')))).toEqual(
            [],
          )
        }
      },
      { width: 360, javaScriptEnabled: hasScripts },
    ),
  )

  it('and cancelling there says that no money was taken, and keeps the choices and input', () =>
    withFilledForm(async ({ page }) => {
      await placeOrder(page)
      await arrived(page, `${paypal.url}/**`)
      await page.getByRole('link', { name: 'Cancel and return' }).click()
      await arrived(page, '**/ordercancel?**')
      const cancelText = await mainText(page)
      expect(cancelText).toMatch(/Your order was cancelled[\s\S]*No money was taken for order OD-/)
      expect(await faultsOf(page)).toEqual([])
      await takeScreenshot(page, 'ordercancel')
      const cancelled = page.url()
      await page.getByRole('link', { name: 'Back to the shop' }).click()
      await arrived(page, '**/harbour-light?country=GB**')
      await hydrated(page)
      await expect.poll(() => page.locator('[id="field-firstName"]').inputValue()).toBe('Zoë')
      await expect.poll(() => page.locator('input[name=plan]:checked').getAttribute('value')).toBe(plan)

      // The address of another receipt page shows the same result.
      await page.goto(cancelled.replace('ordercancel', 'ordersuccess'))
      await expect.poll(() => mainText(page)).toContain('Your order was not completed')
    }))

  it('and returning by the address, without approval, shows the order as being confirmed and not paid', () =>
    withFilledForm(async ({ page }) => {
      await placeOrder(page)
      await arrived(page, `${paypal.url}/**`)
      const { returnUrl, unit } = paypal.orders.get(new URL(page.url()).searchParams.get('token') ?? '') ?? {}
      await page.goto(returnUrl ?? '')
      await expect.poll(() => mainText(page)).toContain('We are confirming your order')
      await page.getByRole('link', { name: 'Cancel this order' }).waitFor()
      expect(await faultsOf(page)).toEqual([])
      await takeScreenshot(page, 'being-confirmed')
      paypal.approve(unit?.custom_id ?? '')
      await page.getByText('Thank you for your order').waitFor()
    }))

  it('and a declined funding source is reported, with a way to try again', () =>
    withFilledForm(async ({ page }) => {
      paypal.captureAs('INSTRUMENT_DECLINED')
      await placeOrder(page)
      await page.getByRole('button', { name: 'Agree and pay' }).click()
      await arrived(page, '**/ordersuccess?**')
      await expect
        .poll(() => mainText(page))
        .toContain('Sorry your payment has been declined. Please try with another payment method')
      paypal.captureAs('COMPLETED')
      await page.getByRole('link', { name: 'Try again' }).click()
      await arrived(page, '**/harbour-light?**')
    }))

  it('and cancelling while PayPal processes the payment says that it is being confirmed, not that it expires', () =>
    withFilledForm(async ({ page }) => {
      paypal.captureAs('PENDING')
      await placeOrder(page)
      await page.getByRole('button', { name: 'Agree and pay' }).click()
      await arrived(page, '**/ordersuccess?**')
      await page.getByText('We are confirming your order').waitFor()
      expect(await page.getByRole('link', { name: 'Cancel this order' }).count()).toBe(0)
      paypal.captureAs('COMPLETED')
      await page.goto(page.url().replace('ordersuccess', 'ordercancel'))
      await expect.poll(() => mainText(page)).toContain('you do not need to order again')
      expect(new URL(page.url()).pathname).toBe('/ordersuccess')
      for (const capture of capturesOf(page)) capture.status = 'COMPLETED'
      await page.getByText('Thank you for your order').waitFor()
    }))

  it('is settled by PayPal’s signed webhook when the buyer never comes back; an unsigned one is refused', async () => {
    let orderNumber = ''
    await withFilledForm(async ({ page }) => {
      await placeOrder(page)
      await arrived(page, `${paypal.url}/**`)
      orderNumber = paypal.orders.get(new URL(page.url()).searchParams.get('token') ?? '')?.unit.custom_id ?? ''
    })
    paypal.approve(orderNumber)
    const { body, headers } = paypal.event('CHECKOUT.ORDER.APPROVED', orderNumber)
    const [row] = await server.services.db.query<{ publisher_id: number }>(
      `SELECT publisher_id FROM orders WHERE order_number = :orderNumber`,
      { orderNumber },
    )
    const address = `${server.url}/api/webhooks/paypal/${row?.publisher_id}`
    const send = (changedHeaders: object) =>
      fetch(address, { method: 'POST', body, headers: { ...headers, ...changedHeaders } })
    expect((await send({ 'paypal-transmission-sig': 'bm90aGluZw==' })).status).toBe(400)
    expect(paypal.orderOf(orderNumber).captures).toHaveLength(0)
    expect((await send({})).status).toBe(200)
    await server.jobsDone()
    const [settled] = await server.services.db.query<{ state: string }>(
      `SELECT state FROM orders WHERE order_number = :orderNumber`,
      { orderNumber },
    )
    expect(settled).toEqual({ state: 'paid' })
  })

  it('is not offered for renewing plans', () =>
    onPage(async ({ page }) => {
      await page.goto('/harbour-light?country=GB')
      const radio = page.locator('[name="payment.provider"][value=paypal]')
      await expect.poll(() => radio.isVisible()).toBe(true)
      await page
        .locator('input[name=plan][value^="1PR"], input[name=plan][value^="1DR"]')
        .first()
        .check({ force: true })
      await expect.poll(() => radio.isVisible()).toBe(false)
    }))
})
