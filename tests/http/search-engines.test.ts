import type { AddressInfo } from 'node:net'
import express from 'express'
import { beforeAll, describe, expect, it } from 'vitest'
import { createBackIssue } from '#core/back-issues/create-back-issue.ts'
import { removePublication } from '#core/publications/remove-publication.ts'
import { actorOf } from '#tests/support/factories.ts'
import { makeShop } from '#tests/support/shop.ts'
import { staffRoutes } from '#tests/support/staff-routes.ts'
import { startTwoProcesses, type TwoProcesses } from '#tests/support/two-processes.ts'
import routes from '#web/app/routes.ts'
import { sitemap } from '#web/sitemap.ts'

let here: TwoProcesses['here']
let services: TwoProcesses['services']
const shops: Awaited<ReturnType<typeof makeShop>>[] = []
const name = `Cats </script><script>alert(1)</script> & "Dogs"`

beforeAll(async () => {
  const processes = await startTwoProcesses()
  here = processes.here
  services = processes.services
  for (let n = 0; n < 7; n++) {
    const shop = await makeShop(services, { publicationName: name, sellsBackIssues: n === 0 })
    shops.push(shop)
    const publisher = services.as(await actorOf(services, 'publisher', shop.publisherId))
    if (n === 0)
      await createBackIssue(publisher, {
        publicationId: shop.id,
        volume: 'Winter',
        stock: '0',
        price: '5',
        postage: '1',
      })
    if (n === 3) await removePublication(publisher, { id: shop.id })
  }
})

const locations = (xml: string) => [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, location]) => location ?? '')
const origin = () => services.settings.appUrl

describe('the sitemap', () => {
  it('lists the product’s own pages, every open storefront by its canonical address, and no other', async () => {
    const { status, headers, html } = await here.get('/sitemap.xml')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8'])
    const openShops = shops.filter((_, n) => n !== 3)
    const shopPaths = openShops.flatMap(({ urlKey }, n) => (n === 0 ? [urlKey, `${urlKey}/issues`] : [urlKey]))
    expect(locations(html)).toEqual(
      ['', 'howto', 'contactme', 'privacy', 'signup', ...shopPaths].map((path) => `${origin()}/${path}`),
    )
    for (const location of locations(html)) {
      const page = await here.get(new URL(location).pathname)
      expect([page.status, page.html.includes('noindex')]).toEqual([200, false])
      expect(page.html).toContain(`<link rel="canonical" href="${location}"/>`)
    }
    const changedAt = [...html.matchAll(/<lastmod>([^<]+)</g)].map(([, changed = '']) => changed)
    expect(changedAt).toHaveLength(shopPaths.length)
    for (const changed of changedAt) expect(new Date(changed).toISOString()).toBe(changed)
  })

  /** Serves a separate sitemap, for `act` to read. */
  async function withSitemap(
    app: express.RequestHandler,
    act: (read: (path: string) => Promise<Response>) => Promise<void>,
  ) {
    const server = express().use(app).listen(0)
    try {
      await act((path) => fetch(`http://localhost:${(server.address() as AddressInfo).port}${path}`))
    } finally {
      server.close()
    }
  }

  it('omits the sign-up when nobody can sign up', () =>
    withSitemap(sitemap({ ...services, planBilling: null }), async (read) => {
      const listed = locations(await (await read('/sitemap.xml')).text())
      expect(listed).toContain(`${origin()}/privacy`)
      expect(listed).not.toContain(`${origin()}/signup`)
    }))

  it('is split into files when there are more titles than one may list, and misses none', () =>
    withSitemap(sitemap(services, { titles: 3 }), async (read) => {
      const locationsAt = async (path: string) => locations(await (await read(path)).text())
      const files = await locationsAt('/sitemap.xml')
      expect(files).toEqual([1, 2, 3].map((n) => `${origin()}/sitemap/${n}.xml`))
      const locationsByFile = await Promise.all(files.map((file) => locationsAt(new URL(file).pathname)))
      expect(locationsByFile.flat()).toEqual(locations((await here.get('/sitemap.xml')).html))
      for (const path of ['/sitemap/0.xml', '/sitemap/4.xml', '/sitemap/x.xml'])
        expect((await read(path)).status).toBe(404)
    }))
})

describe('robots.txt', () => {
  /** Whether a crawler may fetch an address (RFC 9309: `*` is anything, `$` the end, all rules here forbid). */
  async function isAllowed(path: string): Promise<boolean> {
    const { html } = await here.get('/robots.txt')
    const rules = [...html.matchAll(/^Disallow: (.+)$/gm)].map(([, rule = '']) => {
      const pattern = rule.replaceAll(/[.+?^{}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')
      return new RegExp(`^${pattern}`)
    })
    return !rules.some((rule) => rule.test(path))
  }
  const withIds = (path: string) => path.replaceAll(/:\w+\??/g, '12')

  it('names the sitemap', async () => {
    const { headers, html } = await here.get('/robots.txt')
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(html).toContain(`\nSitemap: ${origin()}/sitemap.xml\n`)
  })

  it('keeps crawlers out of the back office, the API, orders and accounts of readers', async () => {
    const shopRoutes = (await routes).flatMap(({ path }) => (path?.startsWith(':urlKey/') ? [`/${path}`] : []))
    const buyerRoutes = shopRoutes.filter((path) => path !== '/:urlKey/issues')
    expect(buyerRoutes.length).toBe(shopRoutes.length - 1)
    const closedPaths = [
      ...staffRoutes.map(({ path }) => path),
      ...buyerRoutes,
      '/api/openapi.json',
      '/ordersuccess?key=1',
      '/reset/abc',
    ]
    for (const path of closedPaths.map(withIds)) expect([path, await isAllowed(path)]).toEqual([path, false])
  })

  it('allows the front page and every storefront, whatever its handle begins with', async () => {
    const openPaths = [
      '/',
      '/howto',
      '/contactme',
      '/privacy',
      '/signup',
      '/harbour-light',
      '/harbour-light/issues',
      '/users-weekly',
      '/accountancy?lang=fr',
      '/apiary/issues',
    ]
    for (const path of [...openPaths, '/sitemap.xml', '/assets/a.js', '/images/a.jpg'])
      expect([path, await isAllowed(path)]).toEqual([path, true])
  })
})

describe('structured data', () => {
  const structuredDataIn = (html: string) =>
    [...html.matchAll(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/gs)].map(([, text = '']) =>
      JSON.parse(text),
    )

  it('describes the publication and its offers, and no name ends its script', async () => {
    const { html } = await here.get(`/${shops[0]?.urlKey}`)
    expect(html).not.toContain('<script>alert')
    const [product, ...others] = structuredDataIn(html)
    expect(others).toEqual([])
    expect(product).toMatchObject({ '@type': 'Product', name, brand: { name: expect.stringMatching(/^Company/) } })
    const offers = product.offers.map(({ price, priceCurrency }: Record<string, string>) => `${price} ${priceCurrency}`)
    expect(offers).toEqual(['29.99 GBP', '39.99 GBP', '25.00 GBP', '2.99 GBP'])
    const { html: french } = await here.get(`/${shops[0]?.urlKey}?country=FR`)
    expect(structuredDataIn(french)[0].offers).toMatchObject([
      { price: '39.99', priceCurrency: 'EUR', eligibleRegion: 'FR' },
    ])
  })

  it('shows which issues are in stock', async () => {
    const [list] = structuredDataIn((await here.get(`/${shops[0]?.urlKey}/issues`)).html)
    expect(list.itemListElement).toMatchObject([
      { position: 1, item: { offers: { price: '5.00', availability: 'https://schema.org/OutOfStock' } } },
    ])
  })
})
