import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { deactivateUser } from '#core/users/deactivate-user.ts'
import { reactivateUser } from '#core/users/reactivate-user.ts'
import { operator } from '#tests/support/factories.ts'
import { makeShop } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { countPageView } from '../publications/count-page-view.ts'
import { listStorefronts } from '../publications/list-storefronts.query.ts'
import { getStorefront } from './get-storefront.query.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const open = (urlKey: string) => getStorefront(services.as(visitor), { urlKey })

describe('a storefront', () => {
  it('is found by its handle in any case, with prices, theme, questions and the publisher’s contact', async () => {
    const shop = await makeShop(services, {
      urlKey: 'Harbour-Light',
      color: '#8B1E3F',
      questionB: 'Do you sail?',
      questionE: 'Since when?',
      printIsFree: true,
    })
    expect(await open('hARBOUR-light')).toMatchObject({
      id: shop.id,
      urlKey: 'Harbour-Light',
      theme: { background: '#E2C7CF' },
      freeProducts: ['print'],
      questions: [
        { key: 'B', kind: 'yesNo' },
        { key: 'E', kind: 'text' },
      ],
      publisher: { telephone: '020 7946 0000', sellsOverseas: true },
      accepts: ['demo'],
    })
  })

  it('contains no secret and no script', async () => {
    const shop = await makeShop(services, {
      iosAppLink: 'javascript:alert(1)',
      facebook: 'https://facebook.example/us',
    })
    await services.db.run(
      `UPDATE accounts SET stripe_secret_key = 'sk_secret_1', paypal_secret = 'sk_secret_2' WHERE user_id = :id`,
      { id: shop.publisherId },
    )
    const storefront = await open(shop.urlKey)
    expect(JSON.stringify(storefront)).not.toContain('sk_secret')
    expect(storefront.links).toMatchObject({ ios: '', facebook: 'https://facebook.example/us' })
  })

  it('is not found when unknown or removed', async () => {
    const removed = await makeShop(services, { removedAt: services.now() })
    for (const key of ['nobody', removed.urlKey]) await expect(open(key)).rejects.toMatchObject({ kind: 'notFound' })
  })

  it('is on the front page with a price or a free product, and not without either', async () => {
    const shop = await makeShop(services)
    const listed = async () =>
      (await listStorefronts(services.as(visitor), {})).some(({ urlKey }) => urlKey === shop.urlKey)
    await services.db.run(`DELETE FROM publication_prices WHERE publication_id = :id`, { id: shop.id })
    expect(await listed()).toBe(false)
    await services.db.run(`UPDATE publications SET digital_is_free = :yes WHERE id = :id`, { id: shop.id, yes: true })
    expect(await listed()).toBe(true)
  })

  it('is closed while its publisher is deactivated: its page says so, and the front page does not list it', async () => {
    const shop = await makeShop(services)
    const listed = async () =>
      (await listStorefronts(services.as(visitor), {})).some(({ urlKey }) => urlKey === shop.urlKey)
    expect(await listed()).toBe(true)
    await deactivateUser(services.as(operator), { id: shop.publisherId })
    await expect(open(shop.urlKey)).rejects.toMatchObject({
      kind: 'gone',
      message: 'This shop is closed at the moment',
    })
    expect(await getStorefront(services.as(visitor), { urlKey: shop.urlKey, includeClosed: true })).toMatchObject({
      id: shop.id,
      isClosed: true,
    })
    expect(await listed()).toBe(false)
    await reactivateUser(services.as(operator), { id: shop.publisherId })
    expect(await open(shop.urlKey)).toMatchObject({ isClosed: false })
    expect(await listed()).toBe(true)
  })
})

describe('page views', () => {
  it('count views and visitors, and delete visitors’ identities overnight', async () => {
    const shop = await makeShop(services)
    const ctx = services.as(visitor)
    const viewPage = (address: string) =>
      countPageView(
        { ...ctx, origin: { ...ctx.origin, address, userAgent: 'Mozilla/5.0 Firefox/140.0' } },
        { publicationId: shop.id },
      )
    await viewPage('192.0.2.1')
    await viewPage('192.0.2.1')
    await viewPage('192.0.2.2')
    services.clock.advance({ days: 1 })
    await viewPage('192.0.2.1')
    const rows = await services.db.query<{ views: number; visitor_hash: string }>(
      `SELECT views, visitor_hash FROM page_views WHERE publication_id = :id ORDER BY id`,
      { id: shop.id },
    )
    expect(rows.map((row) => row.views)).toEqual([2, 1, 1])
    expect(new Set(rows.map((row) => row.visitor_hash)).size).toBe(3)
    expect(JSON.stringify(rows)).not.toContain('192.0.2')
  })
})
