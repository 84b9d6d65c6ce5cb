import { beforeAll, expect, it } from 'vitest'
import { actorOf } from '#tests/support/factories.ts'
import { makeShop } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { figuresOf } from '#web/app/http/figure-parts.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

it('the dashboard’s revenue and the growth page’s have different names', async () => {
  const shop = await makeShop(services)
  const ctx = services.as(await actorOf(services, 'publisher', shop.publisherId))
  const input = { publicationId: undefined, year: undefined }
  const figures = async (part: string) => (await figuresOf(ctx, part, input)).figures
  expect(await figures('revenue')).toMatchObject({ orders: { recent: 0, overall: 0 } })
  expect(await figures('growth-revenue')).toBeInstanceOf(Array)
})
