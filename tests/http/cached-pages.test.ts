import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { createBackIssue } from '#core/back-issues/create-back-issue.ts'
import { placeBackIssueOrder } from '#core/orders/place-back-issue-order.ts'
import { storefrontTables } from '#core/platform/database/storefront-version.ts'
import { editPublication } from '#core/publications/edit-publication.ts'
import { removePublication } from '#core/publications/remove-publication.ts'
import { deactivateUser } from '#core/users/deactivate-user.ts'
import { actorOf } from '#tests/support/factories.ts'
import { issueForm, makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { startTwoProcesses, type TwoProcesses } from '#tests/support/two-processes.ts'

let here: TwoProcesses['here']
let there: TwoProcesses['there']
let services: TwoProcesses['services']
let shop: Awaited<ReturnType<typeof makeShop>>

beforeAll(async () => {
  const processes = await startTwoProcesses()
  here = processes.here
  there = processes.there
  services = processes.services
})
beforeEach(async () => {
  shop = await makeShop(services, { publicationName: 'The Harbour', sellsBackIssues: true })
})

const publisher = async () => services.as(await actorOf(services, 'publisher', shop.publisherId))
const rename = async (publicationName: string) => editPublication(await publisher(), { id: shop.id, publicationName })
const addIssue = async () =>
  createBackIssue(await publisher(), {
    publicationId: shop.id,
    volume: 'Winter',
    stock: '1',
    price: '6.50',
    postage: '0',
  })

const formKeyOf = (html: string) =>
  /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/.exec(html)?.[0] ?? ''

/** A page without the parts that differ between visits. */
function stableHtml(html: string): string {
  const nonce = /nonce="([^"]+)"/.exec(html)?.[1] ?? ''
  const formKey = formKeyOf(html)
  expect([nonce.length, formKey.length]).toEqual([24, 36])
  return html.replaceAll(nonce, 'NONCE').replaceAll(formKey, 'KEY')
}

describe('a cached storefront page', () => {
  it.each(['', '/issues', '?country=FR'])(
    'is reused for the next visitor, with its own nonce and form key: %s',
    async (suffix) => {
      await addIssue()
      const first = await here.get(`/${shop.urlKey}${suffix}`)
      const second = await here.get(`/${shop.urlKey}${suffix}`)
      const third = await here.get(`/${shop.urlKey}${suffix}`, { 'Accept-Encoding': 'identity' })
      expect([first, second, third].map(({ status, isCached }) => [status, isCached])).toEqual([
        [200, false],
        [200, true],
        [200, true],
      ])
      for (const page of [second, third]) {
        expect(stableHtml(page.html)).toBe(stableHtml(first.html))
        const nonces = new Set([...page.html.matchAll(/nonce="([^"]+)"/g)].map(([, nonce]) => nonce))
        expect([...nonces]).toEqual([/'nonce-([^']+)'/.exec(page.headers.get('content-security-policy') ?? '')?.[1]])
        expect(page.html).not.toContain(/nonce="([^"]+)"/.exec(first.html)?.[1])
      }
      const formKeys = [first, second, third].map(({ html }) => formKeyOf(html))
      expect(new Set(formKeys).size).toBe(3)
    },
  )

  it('has the headers of a freshly rendered page', async () => {
    const first = await here.get(`/${shop.urlKey}`)
    const second = await here.get(`/${shop.urlKey}`)
    const varyingHeaders = [
      'date',
      'x-request-id',
      'content-security-policy',
      'content-length',
      'transfer-encoding',
      'content-encoding',
    ]
    const stableHeaders = ({ headers }: typeof first) =>
      [...headers].filter(([name]) => !varyingHeaders.includes(name)).sort()
    expect(second.isCached).toBe(true)
    expect(stableHeaders(second)).toEqual(stableHeaders(first))
    expect(second.headers.get('cache-control')).toBe('no-store')
  })

  it('is rendered for each visitor who sends more than an anonymous request', async () => {
    const path = `/${shop.urlKey}`
    await here.get(path)
    expect((await here.get(path)).isCached).toBe(true)
    const personalHeaders: Record<string, string>[] = [
      { Cookie: 'masthead-session=nobody' },
      { Cookie: 'masthead-toast=%7B%7D' },
      { 'Accept-Language': 'fr-FR' },
    ]
    for (const headers of personalHeaders)
      expect([headers, (await here.get(path, headers)).isCached]).toEqual([headers, false])
    for (const query of ['?promo=SPRING25', '?from=mail']) {
      await here.get(path + query)
      expect([query, (await here.get(path + query)).isCached]).toEqual([query, false])
    }
  })

  it('as data for the router is not stored by browsers or proxies either', async () => {
    const { status, headers } = await here.get(`/${shop.urlKey}.data`)
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
  })

  it('is the same for every campaign link, and contains nothing of it', async () => {
    const path = `/${shop.urlKey}`
    const links = [
      '?utm_source=%3Cscript%3Ealert(1)%3C/script%3E&utm_medium=evil',
      '?utm_source=evil&country=GB',
      '?utm_source=evil',
      `?utm_source=${'evil'.repeat(2500)}&utm_campaign=x`,
    ]
    // The first request renders the page that the others, and visits without a link, get from the cache.
    const first = await here.get(path + links[0])
    expect([first.status, first.isCached]).toEqual([200, false])
    for (const link of [links[2], links[3], '']) {
      const page = await here.get(path + link)
      expect([link?.slice(0, 30), page.isCached]).toEqual([link?.slice(0, 30), true])
      expect(stableHtml(page.html)).toBe(stableHtml(first.html))
    }
    const promo = await here.get(`${path}${links[1]}&promo=NONE`)
    for (const { html } of [first, promo]) expect(html).not.toMatch(/evil|utm_|alert\(1/)
  })

  it('stores the visit’s link with the order when no script runs', async () => {
    const sell = async (query: string) => {
      const form = orderForm(shop)
      const fields = {
        intent: 'order',
        plan: '1PN29.99',
        country: 'GB',
        'payment.provider': 'demo',
        'payment.cardNumber': '4242 4242 4242 4242',
        firstName: 'Ann',
        lastName: 'Lee',
        password: 'masthead',
        confirmPassword: 'masthead',
        isDeliveredToBilling: 'true',
        'billing.addressOne': '1 Quay Street',
        'billing.city': 'London',
        'billing.postCode': 'SW1A 1AA',
        email: String(form.email),
        confirmEmail: String(form.email),
        idempotencyKey: String(form.idempotencyKey),
      }
      const { status } = await here.post(`/${shop.urlKey}${query}`, new URLSearchParams(fields))
      expect([query.slice(0, 40), status]).toEqual([query.slice(0, 40), 302])
      const order = (await rowsOf(services, 'orders', shop.id)).at(-1)
      return [order?.utm_source, order?.utm_medium, order?.utm_campaign]
    }
    expect(await sell('?utm_source=Newsletter&utm_medium=email&utm_campaign=Spring+26')).toEqual([
      'newsletter',
      'email',
      'spring 26',
    ])
    expect(await sell('?utm_source=%3Cscript%3E')).toEqual(['', '', ''])
    expect(await sell(`?utm_source=mail&utm_campaign=${'x'.repeat(10_000)}`)).toEqual(['mail', '', ''])
    expect(await sell('')).toEqual(['', '', ''])
  })

  it('depends only on its cache key', async () => {
    const visits: Record<string, string>[] = [
      {},
      { 'User-Agent': 'Googlebot', Referer: 'https://elsewhere.example/', DNT: '1' },
      { 'Accept-Language': 'en-GB,fr;q=0.9', Cookie: 'consent=yes' },
      { 'Accept-Language': 'cy-GB' },
    ]
    const pages: string[] = []
    for (const headers of visits) {
      await rename('The Harbour')
      const page = await here.get(`/${shop.urlKey}`, headers)
      expect(page.isCached).toBe(false)
      pages.push(stableHtml(page.html))
    }
    expect(new Set(pages).size).toBe(1)
  })

  it('reads only tables that are watched, so that no change is missed', async () => {
    await addIssue()
    const { options } = services.db.sequelize as unknown as { options: { logging: unknown } }
    const statements: string[] = []
    options.logging = (statement: string) => statements.push(statement)
    for (const path of ['', '/issues']) await here.get(`/${shop.urlKey}${path}`)
    options.logging = false
    const tables = statements.flatMap((text) =>
      [...text.matchAll(/\b(?:FROM|JOIN)\s+(\w+)/gi)].map(([, table]) => table),
    )
    expect(tables.length).toBeGreaterThan(3)
    expect(tables.filter((table) => !(storefrontTables as readonly string[]).includes(table ?? ''))).toEqual([])
  })

  it('that is missing or closed is never cached', async () => {
    for (const path of ['/no-such-title', '/login']) {
      await here.get(path)
      expect((await here.get(path)).isCached).toBe(false)
    }
    await here.get(`/${shop.urlKey}`)
    await deactivateUser(services.as(await actorOf(services, 'superuser')), { id: shop.publisherId })
    for (let visit = 0; visit < 2; visit++)
      expect(await here.get(`/${shop.urlKey}`)).toMatchObject({ status: 410, isCached: false })
  })
})

describe('a change', () => {
  it('is seen by the next visitor of this process, and of another one within five seconds', async () => {
    for (const process of [here, there]) await process.get(`/${shop.urlKey}`)
    await rename('The Lighthouse')
    const nextPage = await here.get(`/${shop.urlKey}`)
    expect([nextPage.isCached, nextPage.html.includes('The Lighthouse')]).toEqual([false, true])
    services.clock.advance({ ms: 4_999 })
    expect((await there.get(`/${shop.urlKey}`)).html).toContain('The Harbour')
    services.clock.advance({ ms: 1 })
    const laterPage = await there.get(`/${shop.urlKey}`)
    expect([
      laterPage.isCached,
      laterPage.html.includes('The Lighthouse'),
      laterPage.html.includes('The Harbour'),
    ]).toEqual([false, true, false])
  })

  it('that removes the publication leaves the receipt page of an order, whose buyer has paid', async () => {
    const { id } = await addIssue()
    const order = await placeBackIssueOrder(services.as(visitor), issueForm(shop, [id]))
    await removePublication(await publisher(), { id: shop.id })
    const page = await here.get(`/ordersuccess?orderNumber=${order.orderNumber}&key=${order.key}`)
    expect(page.status).toBe(200)
    expect(page.html).toContain(order.orderNumber)
    expect((await here.get(`/${shop.urlKey}`)).status).toBe(404)
  })

  it('that is rolled back changes nothing', async () => {
    await here.get(`/${shop.urlKey}`)
    const failing = services.db.transaction(async () => {
      await rename('Never stored')
      throw new Error('given up')
    })
    await expect(failing).rejects.toThrow('given up')
    expect(await here.get(`/${shop.urlKey}`)).toMatchObject({ isCached: true })
  })

  it('of the stock by an order is shown: after the last copy the issue is sold out', async () => {
    const { id } = await addIssue()
    await here.get(`/${shop.urlKey}/issues`)
    const before = await here.get(`/${shop.urlKey}/issues`)
    expect([before.isCached, /out of stock/i.test(before.html)]).toEqual([true, false])
    await placeBackIssueOrder(services.as(visitor), issueForm(shop, [id]))
    expect((await here.get(`/${shop.urlKey}/issues`)).html).toMatch(/out of stock/i)
  })

  it('in another process is shown as soon as a buyer tries to order here', async () => {
    const { id } = await addIssue()
    for (let visit = 0; visit < 2; visit++) await there.get(`/${shop.urlKey}/issues`)
    await placeBackIssueOrder(services.as(visitor), issueForm(shop, [id]))
    expect((await there.get(`/${shop.urlKey}/issues`)).isCached).toBe(true)
    const form = new URLSearchParams({ intent: 'order', country: 'GB', backIssues: String(id) })
    await there.post(`/${shop.urlKey}/issues`, form)
    const after = await there.get(`/${shop.urlKey}/issues`)
    expect([after.isCached, /out of stock/i.test(after.html)]).toEqual([false, true])
  })
})
