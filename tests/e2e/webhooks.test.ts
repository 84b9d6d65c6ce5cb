import { describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { faultsOf, takeScreenshot } from '#tests/support/browser.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { openVisits } from '#tests/support/visits.ts'
import { openWebhookReceiver, verified } from '#tests/support/webhook-receiver.ts'

const { server, asRole } = openVisits({ worker: true, env: { WEBHOOKS_TO_LOOPBACK: '1' } })

describe('an integrator’s program', () => {
  it('gets a webhook for a purchase and verifies it; staff set it up', () =>
    asRole(
      'publisher',
      async ({ page }) => {
        const receiver = await openWebhookReceiver()
        await page.goto('/thirdparty/webhooks')
        const newWebhook = page.locator('section', { has: page.getByRole('heading', { name: 'New webhook' }) })
        await newWebhook.getByRole('button', { name: 'Add webhook' }).click()
        await newWebhook.getByText('Events: Choose at least one event').waitFor()
        await newWebhook.getByLabel('URL').fill(receiver.url)
        await newWebhook.getByLabel('Description').fill('CRM')
        for (const event of ['order.paid', 'reader.added']) await newWebhook.getByLabel(event).check()
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await takeScreenshot(page, 'webhooks')
        await newWebhook.getByRole('button', { name: 'Add webhook' }).click()
        await page.getByRole('heading', { name: 'Signing secret' }).waitFor()
        const signingSecret = page.locator('section', { has: page.getByRole('heading', { name: 'Signing secret' }) })
        await signingSecret.locator('summary').click()
        const secret = await signingSecret.locator('details code').last().innerText()
        expect(secret).toMatch(/^whsec_/)
        await page.getByRole('button', { name: 'Send test event' }).click()
        await expect.poll(() => receiver.received.length).toBe(1)
        const [publisher] = await server.services.db.query<{ id: number }>(
          `SELECT publisher_id AS id FROM publications WHERE url_key = 'harbour-light'`,
        )
        const shop = await makeShop(server.services, { publisherId: publisher?.id ?? 0 })
        receiver.answer = (response) => response.writeHead(500).end('Not today')
        const { orderId } = await placeOrder(server.as(visitor), orderForm(shop))
        await expect.poll(() => receiver.received.length).toBe(2)
        receiver.answer = (response) => response.writeHead(204).end()
        await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(4)
        const payloads = receiver.received.map((request) => verified(request, secret))
        expect(payloads.map(({ type }) => type)).toEqual(['webhook.test', 'reader.added', 'reader.added', 'order.paid'])
        const { readerId } = payloads[1]?.data ?? {}
        expect(payloads[3]?.data).toEqual({ publicationId: shop.id, readerId, orderId })
        await server.jobsDone()
        await page.reload()
        const deliveries = page.locator('section', { has: page.getByRole('heading', { name: 'Deliveries' }) })
        await deliveries.getByLabel('Event').selectOption('reader.added')
        await deliveries.getByRole('button', { name: 'Show deliveries' }).click()
        const delivery = deliveries.locator('li')
        await expect.poll(() => delivery.count()).toBe(1)
        await delivery.getByText('Request and responses').click()
        await delivery.getByText('Not today').waitFor()
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await takeScreenshot(page, 'webhook-log')
        await delivery.getByRole('button', { name: 'Resend this delivery' }).click()
        await expect.poll(() => receiver.received.length).toBe(5)
        expect(receiver.received[4]?.headers['webhook-id']).toBe(receiver.received[1]?.headers['webhook-id'])
        await page.getByRole('button', { name: 'Replace secret' }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Replace secret' }).click()
        await page.getByText('Deliveries are also signed with the previous secret until').waitFor()
        await page.getByRole('button', { name: 'Pause' }).click()
        await page.getByText('This webhook is paused').waitFor()
        expect(await faultsOf(page, { alsoAt: [1280] })).toEqual([])
        await takeScreenshot(page, 'webhook-paused')
        await page.getByRole('button', { name: 'Remove' }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
        await page.getByText('You have no webhooks yet').waitFor()
      },
      { width: 360 },
    ))
})
