import { beforeAll, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { deactivateUser } from '#core/users/deactivate-user.ts'
import { actorOf } from '#tests/support/factories.ts'
import { makeShop } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { createBackIssue } from '../back-issues/create-back-issue.ts'
import { editPublication } from './edit-publication.ts'
import { listSitemapStorefronts } from './list-sitemap-storefronts.query.ts'
import { maxPublicationId } from './max-publication-id.query.ts'
import { removePublication } from './remove-publication.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const everything = { after: 0, upTo: 1_000_000 }

it('lists every open storefront and whether it sells issues, a page at a time', async () => {
  const ctx = services.as(visitor)
  expect([await maxPublicationId(ctx, {}), await listSitemapStorefronts(ctx, everything)]).toEqual([0, []])
  const shops = []
  for (let n = 0; n < 5; n++) shops.push(await makeShop(services, { sellsBackIssues: true }))
  const [open, closed, gone, noIssues, last] = shops.map(({ urlKey }) => urlKey)
  for (const { id, publisherId } of shops) {
    const publisher = services.as(await actorOf(services, 'publisher', publisherId))
    await createBackIssue(publisher, { publicationId: id, volume: 'Winter', stock: '', price: '5', postage: '0' })
    if (id === shops[2]?.id) await removePublication(publisher, { id })
  }
  await services.db.run(`UPDATE publications SET sells_back_issues = :no WHERE id = :id`, {
    no: false,
    id: shops[3]?.id ?? 0,
  })
  await deactivateUser(services.as(await actorOf(services, 'superuser')), { id: shops[1]?.publisherId })
  const listed = await listSitemapStorefronts(ctx, everything)
  expect(listed.map(({ urlKey, issuesChangedAt }) => [urlKey, issuesChangedAt instanceof Date])).toEqual([
    [open, true],
    [noIssues, false],
    [last, true],
  ])
  expect([closed, gone].every((urlKey) => listed.every((shop) => shop.urlKey !== urlKey))).toBe(true)
  const [first] = await listSitemapStorefronts(ctx, { ...everything, size: 1 })
  expect(first?.urlKey).toBe(open)
  const rest = await listSitemapStorefronts(ctx, { after: first?.id, upTo: listed[1]?.id })
  expect(rest.map(({ urlKey }) => urlKey)).toEqual([noIssues])
  expect(await maxPublicationId(ctx, {})).toBe(listed[2]?.id)
})

it('shows when a storefront changed, even if only in a price', async () => {
  const shop = await makeShop(services)
  const changedAtMs = async () =>
    (await listSitemapStorefronts(services.as(visitor), everything))
      .find(({ id }) => id === shop.id)
      ?.changedAt.getTime() ?? 0
  await services.db.run(`UPDATE publications SET updated_at = :before WHERE id = :id`, {
    before: new Date('2020-01-01T00:00:00Z'),
    id: shop.id,
  })
  expect(await changedAtMs()).toBe(Date.parse('2020-01-01T00:00:00Z'))
  const publisher = services.as(await actorOf(services, 'publisher', shop.publisherId))
  await editPublication(publisher, { id: shop.id, printPriceOneYear: '31.00' })
  expect(await changedAtMs()).toBeGreaterThan(Date.parse('2020-01-02T00:00:00Z'))
})
