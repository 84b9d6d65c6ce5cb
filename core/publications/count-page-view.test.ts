import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { storefrontViews } from '#core/analytics/storefront-views.query.ts'
import { cleanUp } from '#core/maintenance/clean-up.ts'
import { actorOf, makePublication, system } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { countPageView } from './count-page-view.ts'
import { removePublication } from './remove-publication.ts'

let services: TestServices
const startTime = new Date('2026-11-21T10:00:00Z')
beforeAll(async () => {
  services = await openTestServices()
})
beforeEach(async () => {
  services.clock.now = startTime
  await services.db.run(`DELETE FROM page_view_salts`)
})

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

async function makeStorefront() {
  const { id, publisherId } = await makePublication(services)
  const owner = services.as(await actorOf(services, 'publisher', publisherId))
  const look = (address = '192.0.2.1', userAgent = firefox) => {
    const ctx = services.as(visitor)
    return countPageView({ ...ctx, origin: { ...ctx.origin, address, userAgent } }, { publicationId: id })
  }
  const rows = () =>
    services.db.query<{ viewed_on: string; visitor_hash: string; views: number }>(
      `SELECT viewed_on, visitor_hash, views FROM page_views WHERE publication_id = :id ORDER BY views, id`,
      { id },
    )
  return { id, owner, look, rows }
}

const salts = () =>
  services.db.query<{ viewed_on: string; salt: string }>(`SELECT viewed_on, salt FROM page_view_salts`)

describe('a page view of a storefront', () => {
  it('counts as a view each time, and as a visitor once a day by address and browser', async () => {
    const { id, owner, look } = await makeStorefront()
    await look()
    await look()
    await look('192.0.2.2')
    await look('192.0.2.1', firefox.replaceAll('140', '141'))
    expect(await storefrontViews(owner, { publicationId: id })).toMatchObject({ total: 4, totalUnique: 3 })
    services.clock.now = new Date('2026-11-22T10:00:00Z')
    await look()
    expect(await storefrontViews(owner, { publicationId: id })).toMatchObject({ total: 5, totalUnique: 4 })
  })

  it.each(['Googlebot/2.1 (+http://www.google.com/bot.html)', 'curl/8.5.0', ''])(
    'of "%s" is not counted',
    async (robot) => {
      const { look, rows } = await makeStorefront()
      expect(await look('192.0.2.3', robot)).toEqual({ isCounted: false })
      expect(await rows()).toEqual([])
    },
  )

  it('by a program posing as visitors is counted up to a limit, and still answered', async () => {
    const { look, rows } = await makeStorefront()
    await look('192.0.2.66')
    await services.db.run(`UPDATE rate_limits SET hits = 299 WHERE limit_key = 'page-views-from:192.0.2.66'`)
    expect(await look('192.0.2.66', `${firefox} 1`)).toEqual({ isCounted: true })
    expect(await look('192.0.2.66', `${firefox} 2`)).toEqual({ isCounted: false })
    expect(await rows()).toHaveLength(2)
  })

  it('of an unknown storefront is not found', async () => {
    const { id, owner, look } = await makeStorefront()
    await removePublication(owner, { id })
    await expect(look()).rejects.toMatchObject({ kind: 'notFound' })
  })
})

describe('the salt of a day', () => {
  it('is the same for all concurrent visitors', async () => {
    const { look, rows } = await makeStorefront()
    await Promise.all(Array.from({ length: 8 }, () => look()))
    expect((await rows()).map(({ views }) => Number(views))).toEqual([8])
    expect(await salts()).toEqual([{ viewed_on: '2026-11-21', salt: expect.stringMatching(/^[0-9a-f]{64}$/) }])
  })

  it('is replaced the next day and deleted with its day, so that nobody can be identified', async () => {
    const { look, rows } = await makeStorefront()
    await look()
    const [today] = await salts()
    services.clock.now = new Date('2026-11-22T00:00:01Z')
    await look()
    const stored = await salts()
    expect(stored.map(({ viewed_on }) => viewed_on)).toEqual(['2026-11-22'])
    expect(stored[0]?.salt).not.toBe(today?.salt)
    const [first, second] = await rows()
    expect(first?.visitor_hash).not.toBe(second?.visitor_hash)
    // Without the salt, a late view of the previous day is counted again.
    services.clock.now = startTime
    await look()
    expect(await rows()).toHaveLength(3)
  })

  it('is deleted by the clean-up when nobody visits the next day', async () => {
    const { look } = await makeStorefront()
    await look()
    await cleanUp(services.as(system), {})
    expect(await salts()).toHaveLength(1)
    services.clock.now = new Date('2026-11-22T00:00:01Z')
    await cleanUp(services.as(system), {})
    expect(await salts()).toEqual([])
  })

  it('is of the day in the business’s time zone', async () => {
    const { look, rows } = await makeStorefront()
    services.clock.now = new Date('2026-06-30T23:30:00Z')
    await look()
    expect((await rows()).map(({ viewed_on }) => viewed_on)).toEqual(['2026-07-01'])
  })
})
