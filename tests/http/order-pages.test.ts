import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBackIssue } from '#core/back-issues/create-back-issue.ts'
import { contextFor } from '#core/context.ts'
import { actorOf } from '#tests/support/factories.ts'
import { makeShop, rowsOf } from '#tests/support/shop.ts'
import { startTestServer, type TestServer } from '#tests/support/web-server.ts'

/** What a browser without JavaScript gets from the order forms. */
let server: TestServer
let shop: Awaited<ReturnType<typeof makeShop>>
beforeAll(async () => {
  server = await startTestServer({ seed: false })
  shop = await makeShop(server.services, { publicationName: 'The Tide Table', sellsBackIssues: true })
  const publisher = await actorOf(server.services, 'publisher', shop.publisherId)
  const issue = { publicationId: shop.id, volume: 'Winter', stock: '9', price: '6.50', postage: '0' }
  await createBackIssue(contextFor(server.services, publisher, { entryPoint: 'test' }), issue)
})
afterAll(() => server.stop())

const order = (fields: Record<string, string> = {}) => ({
  plan: '1PN29.99',
  country: 'GB',
  idempotencyKey: randomUUID(),
  firstName: 'Ann',
  lastName: "O'Brien",
  email: 'ann@example.test',
  confirmEmail: 'ann@example.test',
  password: 'masthead-1',
  confirmPassword: 'masthead-1',
  'billing.addressOne': '1 Quay Street',
  'billing.city': 'Falmouth',
  'billing.postCode': 'TR11 3LH',
  'payment.provider': 'demo',
  'payment.cardNumber': '4242 4242 4242 4242',
  ...fields,
})

async function post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/${shop.urlKey}${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { Origin: server.url, ...headers },
    redirect: 'manual',
  })
  return { status: response.status, to: response.headers.get('Location') ?? '', text: await response.text() }
}

async function get(path: string, headers: Record<string, string> = {}): Promise<string> {
  return (await fetch(server.url + path, { headers, redirect: 'manual' })).text()
}

const titleOf = (html: string) => /<title>([^<]*)<\/title>/.exec(html)?.[1]

it('the title of a refused order begins with “Error”, in the language of the page', async () => {
  const noTown = order({ 'billing.city': '' })
  const refused = await post('', noTown)
  expect([refused.status, titleOf(refused.text)]).toEqual([422, 'Error: Subscribe to The Tide Table'])
  expect(titleOf((await post('?lang=de', noTown)).text)).toBe('Fehler: The Tide Table abonnieren')
  const issues = await post('/issues', order({ what: 'issues', total: '0.00' }))
  expect([issues.status, titleOf(issues.text)]).toEqual([422, 'Error: Individual issues of The Tide Table'])
  expect(titleOf(await get(`/${shop.urlKey}`))).toBe('Subscribe to The Tide Table')
})

it('an order is confirmed in the language of the page it was sent from, whatever another tab has chosen since', async () => {
  const cookie = 'masthead-language=fr'
  const fields = order({
    email: 'tabs@example.test',
    confirmEmail: 'tabs@example.test',
    language: 'de',
    scripted: 'yes',
  })
  const { status, text } = await post('/order', fields, { cookie })
  const { kind, url } = JSON.parse(text) as { kind: string; url: string }
  expect([status, kind]).toEqual([200, 'done'])
  const rows = await rowsOf(server.services, 'orders', shop.id)
  expect(rows.map(({ email, language }) => [email, language])).toContainEqual(['tabs@example.test', 'de'])
  const confirmation = await get(url, { cookie })
  expect(confirmation).toContain('<html lang="de-DE">')
  expect(confirmation).toContain('Vielen Dank für Ihre Bestellung')
  expect(await get(`${url}&lang=nl`, { cookie })).toContain('<html lang="nl-NL">')
})

it('the log-in link of an order form leads back to the same plan, promo code and country', async () => {
  const html = await get(`/${shop.urlKey}?plan=1BN&promo=SPRING&lang=de`)
  const links = [...html.matchAll(/href="([^"]*\/login\?[^"]*returnTo[^"]*)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  )
  const returnTo = new URL(links[0] ?? '', server.url).searchParams.get('returnTo')
  expect(returnTo).toBe(`/${shop.urlKey}?plan=1BN&promo=SPRING&lang=de&country=GB`)
})

it('a refused gift marks the recipient’s name as required', async () => {
  const { text } = await post(
    '',
    order({ isGift: 'true', email: 'giver@example.test', confirmEmail: 'giver@example.test' }),
  )
  const firstName = /<input[^>]*name="shipping\.firstName"[^>]*>/.exec(text)?.[0]
  expect(firstName).toContain('aria-required="true"')
})

it('an order sent after the session has ended says so, and not only that a password is missing', async () => {
  const { password: _, confirmPassword: __, ...asLoggedIn } = order()
  const { status, text } = await post('', asLoggedIn)
  expect(status).toBe(422)
  expect(text).toContain('Your session has ended. Log in to continue where you left off.')
  expect((await post('', order({ password: '' }))).text).not.toContain('Your session has ended')
})

it('a refused order is shown at its form, below the introduction of the publication', async () => {
  const html = await get(`/${shop.urlKey}`)
  expect(/<form[^>]*id="order"[^>]*>/.exec(html)?.[0]).toContain('action="#choose"')
  expect(html).toContain('id="choose"')
})
