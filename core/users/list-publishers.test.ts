import { describe, expect, it } from 'vitest'
import { actorOf, makePublication, makeUser } from '#tests/support/factories.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { listPublishers } from './list-publishers.query.ts'

const services = await openTestServices()

describe('listing publishers', () => {
  it('shows a superuser all, a reseller its own, and nobody else any', async () => {
    const reseller = await makeUser(services, { userType: 'reseller' })
    const own = await makeUser(services, { resellerId: reseller.id, isActive: false })
    const other = await makeUser(services)
    await makePublication(services, { publisherId: own.id })
    const seen = async (userType: 'superuser' | 'reseller') => {
      const actor =
        userType === 'reseller'
          ? { kind: 'staff' as const, userId: reseller.id, userType, publisherId: null, email: '' }
          : await actorOf(services, userType)
      return listPublishers(services.as(actor), {})
    }
    expect((await seen('superuser')).map(({ id }) => id).sort()).toEqual([own.id, other.id].sort())
    expect(await seen('reseller')).toMatchObject([
      { id: own.id, titles: 1, titlesAllowed: 1, readers: 0, isActive: false, lastLoginAt: null },
    ])
    await expect(listPublishers(services.as(await actorOf(services, 'publisher')), {})).rejects.toMatchObject({
      kind: 'denied',
    })
  })
})
