import { beforeAll, expect, it } from 'vitest'
import { topBarFigures } from '#core/analytics/top-bar.query.ts'
import { listPublications } from '#core/publications/list-publications.query.ts'
import { listWarning } from '#core/warnings/list-warning.query.ts'
import { actorOf, makePublication } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { readerHome } from './reader-home.query.ts'
import { searchReaders } from './search-readers.query.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

it('a title has the same number of readers on every screen: all of them, ended and deactivated ones too', async () => {
  const { id, publisherId } = await makePublication(services)
  await makeReader(services, id)
  await makeReader(services, id, { subEndOn: '2020-01-01' })
  await makeReader(services, id, { isDeleted: true })
  const ctx = services.as(await actorOf(services, 'publisher', publisherId))

  expect({
    titles: await listPublications(ctx, {}),
    readers: await readerHome(ctx, {}),
    topBar: await topBarFigures(ctx, {}),
    search: await searchReaders(ctx, { publicationId: id }),
    manageData: await listWarning(ctx, { publicationId: id, list: 'all' }),
  }).toMatchObject({
    titles: [{ readers: 3, activeReaders: 2 }],
    readers: [{ readers: 3 }],
    topBar: { readers: 3 },
    search: { total: 3 },
    manageData: { total: 3 },
  })
})
