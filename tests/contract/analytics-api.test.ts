import { beforeAll, describe, expect, it } from 'vitest'
import { revenue } from '#core/analytics/revenue.query.ts'
import { storefrontViews } from '#core/analytics/storefront-views.query.ts'
import { subscriberFigures } from '#core/analytics/subscriber-figures.query.ts'
import { contextFor } from '#core/context.ts'
import { callerOf } from '#web/app/api/caller.ts'
import { type ApiFixture, callApi, openApiFixture } from './api-fixture.ts'

let fixture: ApiFixture
beforeAll(async () => {
  fixture = await openApiFixture()
})

const call = async (name: string) =>
  (await callApi(fixture, 'GET', `/analytics/${name}`, { token: fixture.tokens.publisher })).json()

describe('/analytics', () => {
  it('returns each figure of the dashboard separately, for all titles and for one', async () => {
    const actor = await callerOf(fixture.services, `Bearer ${fixture.tokens.publisher}`)
    const ctx = contextFor(fixture.services, actor, { entryPoint: 'test' })
    for (const publicationId of [undefined, fixture.mine.publicationId]) {
      const pathSuffix = publicationId === undefined ? '' : `/${publicationId}`
      const figures = await subscriberFigures(ctx, { publicationId })
      const views = await storefrontViews(ctx, { publicationId })
      const { orders } = await revenue(ctx, { publicationId })
      const expectedCounts = {
        newsubscribers: figures.recent.all,
        newsubscribersprint: figures.recent.print,
        newsubscribersdigital: figures.recent.digital,
        newsubscribersbundle: figures.recent.bundle,
        allsubscribers: figures.current.all,
        allsubscribersprint: figures.current.print,
        allsubscribersdigital: figures.current.digital,
        allsubscribersbundle: figures.current.bundle,
        newexpirations: figures.expiredRecently,
        allexpirations: figures.expiringSoon,
        totalpageviews: views.total,
        newpageviews: views.recent,
        uniquepageviews: views.totalUnique,
        newuniquepageviews: views.recentUnique,
      }
      for (const [name, count] of Object.entries(expectedCounts))
        expect([name, await call(name + pathSuffix)]).toEqual([name, { count }])
      expect(orders).toEqual({ recent: 1, overall: 1 })
      expect(await call(`neworders${pathSuffix}`)).toEqual({ count: 1, totals: [{ total: '45.00', currency: 'GBP' }] })
      expect(await call(`allorders${pathSuffix}`)).toEqual({ count: 1, totals: [{ total: '45.00', currency: 'GBP' }] })
      const points = (await call(`graphyeardata${pathSuffix}`)) as {
        _id: { subType: string; month: number }
        count: number
      }[]
      expect(points).toHaveLength(36)
      expect(points.filter(({ count }) => count > 0)).toEqual([{ _id: { subType: 'print', month: 11 }, count: 1 }])
    }
  })

  it('returns the months of another year, and refuses what is none', async () => {
    const lastYear = (await call('graphyeardata?year=2025')) as { count: number }[]
    expect(lastYear).toHaveLength(36)
    expect(lastYear.filter(({ count }) => count > 0)).toEqual([])
    for (const year of ['abc', '1969', '2026.5', '']) {
      const refused = await callApi(fixture, 'GET', `/analytics/graphyeardata?year=${year}`, {
        token: fixture.tokens.publisher,
      })
      expect([year, refused.status, await refused.json()]).toEqual([
        year,
        422,
        { year: { message: 'Must be a year from 1970 to 2100' } },
      ])
    }
  })
})
