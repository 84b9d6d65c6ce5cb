import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeShop } from '#tests/support/shop.ts'
import { startTestServer, type TestServer } from '#tests/support/web-server.ts'

let server: TestServer
let shop: Awaited<ReturnType<typeof makeShop>>

beforeAll(async () => {
  server = await startTestServer({ seed: false, env: { CONTACT_EMAIL: 'desk@masthead.example' } })
  shop = await makeShop(server.services)
})
afterAll(() => server.stop())

const read = async (path: string, language = 'en') =>
  (await fetch(server.url + path, { headers: { 'Accept-Language': language } })).text()

it('the privacy policy has a table of contents, the five years for marketing data and a contact', async () => {
  const page = await read('/privacy')
  expect(page).toContain('<title>Privacy policy – Masthead</title>')
  expect(page).toContain('no longer than 5 years')
  expect(page).toContain('mailto:desk@masthead.example')
  const ids = [...page.matchAll(/href="#(\w[\w-]*)" class="link\b/g)].map(([, id]) => id)
  expect(ids.length).toBeGreaterThan(5)
  for (const id of ids) expect(page).toContain(`id="${id}"`)
})

it('the privacy policy is linked from each storefront in its language', async () => {
  expect(await read(`/${shop.urlKey}`)).toMatch(/<a href="\/privacy"[^>]*>Privacy<\/a>/)
  expect(await read(`/${shop.urlKey}?lang=de`, 'de')).toMatch(/<a href="\/privacy"[^>]*>Datenschutz<\/a>/)
})
