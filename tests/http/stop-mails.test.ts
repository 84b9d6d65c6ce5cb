import { afterAll, beforeAll, expect, it } from 'vitest'
import { stopKey } from '#core/emails/stop-link.ts'
import { remindersStoppedAt } from '#core/readers/reminder-stops.rows.ts'
import { makeReader } from '#tests/support/readers.ts'
import { makeShop } from '#tests/support/shop.ts'
import { startTestServer, type TestServer } from '#tests/support/web-server.ts'

let server: TestServer
let shop: Awaited<ReturnType<typeof makeShop>>
let readerId = 0
beforeAll(async () => {
  server = await startTestServer({ seed: false })
  shop = await makeShop(server.services, { publicationName: 'Harbour Light' })
  readerId = await makeReader(server.services, shop.id, { email: 'ann@example.test' })
})
afterAll(() => server.stop())

it('looking at the link changes nothing; one press of a mail program stops the reminders; the page takes it back', async () => {
  const address = `${server.url}/${shop.urlKey}/stop/${stopKey(server.services.settings.appSecret, { readerId, what: 'reminder' })}`
  const stopped = () => remindersStoppedAt(server.services, { readerId, publicationId: shop.id })

  // Programs that check links open each of them, twice.
  for (const _ of [1, 2]) {
    const page = await fetch(address)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('Do you want to stop the reminders that your subscription ends?')
  }
  expect(await stopped()).toBeNull()

  const pressed = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
    redirect: 'manual',
  })
  expect(pressed.status).toBe(200)
  expect(await stopped()).not.toBeNull()
  expect(await (await fetch(address, { headers: { 'Accept-Language': 'de' } })).text()).toContain('Wieder erhalten')

  const again = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: server.url },
    body: 'intent=again',
  })
  expect(again.status).toBe(200)
  expect(await stopped()).toBeNull()

  expect((await fetch(`${address.slice(0, -3)}xyz`)).status).toBe(404)
  expect((await fetch(`${address.slice(0, -3)}xyz`, { method: 'POST', body: new URLSearchParams() })).status).toBe(404)
})
