import { beforeAll, describe, expect, it } from 'vitest'
import { actorOf, makePublication, makeUser, operator } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { listPublications } from './list-publications.query.ts'
import { ownPublication } from './own-publication.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

describe('publications', () => {
  it('are listed by name for their publisher and its staff, and for nobody else', async () => {
    const publisher = await makeUser(services)
    await makePublication(services, { publisherId: publisher.id, publicationName: 'Zinnia' })
    await makePublication(services, { publisherId: publisher.id, publicationName: 'Aster' })
    await makePublication(services, { publisherId: publisher.id, publicationName: 'Gone', removedAt: services.now() })
    await makePublication(services, { publicationName: 'Foreign' })
    for (const userType of ['publisher', 'pubadmin', 'admin', 'mailer'] as const) {
      const listed = await listPublications(services.as(await actorOf(services, userType, publisher.id)), {})
      expect(listed.map((item) => item.publicationName)).toEqual(['Aster', 'Zinnia'])
      expect(listed[0]).toMatchObject({ readers: 0, activeReaders: 0 })
    }
    const reseller = await actorOf(services, 'reseller')
    await expect(listPublications(services.as(reseller), {})).rejects.toMatchObject({ kind: 'denied' })
  })

  it('are not found, with the same message, if they are another publisher’s, removed or unknown', async () => {
    const mine = await makePublication(services, { urlKey: 'Mine' })
    const foreign = await makePublication(services)
    const removed = await makePublication(services, { publisherId: mine.publisherId, removedAt: services.now() })
    const ctx = services.as(await actorOf(services, 'publisher', mine.publisherId))
    await expect(ownPublication(ctx, { urlKey: 'mINE' })).resolves.toMatchObject({ id: mine.id })
    for (const id of [foreign.id, removed.id, 999_999]) {
      await expect(ownPublication(ctx, { id })).rejects.toMatchObject({
        kind: 'notFound',
        message: 'The publication was not found',
      })
    }
    await expect(ownPublication(services.as(operator), { id: foreign.id })).resolves.toMatchObject({ id: foreign.id })
  })
})
