import { describe, expect, it } from 'vitest'
import { actorOf, makePublication, makeUser, operator } from '#tests/support/factories.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { listPublishers } from './list-publishers.query.ts'
import { staffActor } from './staff-actor.ts'

const services = await openTestServices()

describe('listing publishers', () => {
  it('shows a superuser all publishers with their resellers, a reseller its own, and refuses everyone else', async () => {
    const reseller = await makeUser(services, { userType: 'reseller' })
    const own = await makeUser(services, { resellerId: reseller.id, isActive: false })
    const other = await makeUser(services)
    await makePublication(services, { publisherId: own.id })
    await makeUser(services, { userType: 'mailer', parentPublisherId: own.id })
    const asSuperuser = services.as(await actorOf(services, 'superuser'))
    const asReseller = services.as(staffActor(reseller))

    const all = await listPublishers(asSuperuser, {})
    expect(all.rows.map(({ id }) => id).sort()).toEqual([reseller.id, own.id, other.id].sort())
    expect(all.rows.find(({ id }) => id === reseller.id)).toMatchObject({ userType: 'reseller', publishers: 1 })
    expect(all.rows.find(({ id }) => id === own.id)?.resellerName).not.toBe('')
    expect(all.rows.find(({ id }) => id === other.id)?.resellerName).toBe('')

    expect(await listPublishers(asReseller, {})).toMatchObject({
      total: 1,
      all: 1,
      rows: [{ id: own.id, titles: 1, titlesAllowed: 1, readers: 0, staff: 1, isActive: false, lastLoginAt: null }],
    })
    await expect(listPublishers(services.as(await actorOf(services, 'publisher')), {})).rejects.toMatchObject({
      kind: 'denied',
    })
  })

  it('filters and pages on the server', async () => {
    for (let n = 0; n < 12; n++) await makeUser(services, { lastName: `Quillfeather ${n}` })
    const firstPage = await listPublishers(services.as(operator), { q: 'QUILLFEATHER' })
    expect(firstPage).toMatchObject({ total: 12, pages: 2, page: 1 })
    const secondPage = await listPublishers(services.as(operator), { q: 'quillfeather', page: 2 })
    expect(secondPage.rows).toHaveLength(2)
    expect(new Set([...firstPage.rows, ...secondPage.rows].map(({ id }) => id)).size).toBe(12)
    const sorted = { q: 'quillfeather', size: 25 } as const
    const companies = async (sort: string) =>
      (await listPublishers(services.as(operator), { ...sorted, sort })).rows.map(({ companyName }) => companyName)
    expect(await companies('-companyName')).toEqual((await companies('companyName')).toReversed())
    expect((await listPublishers(services.as(operator), { q: '%' })).total).toBe(0)
    expect((await listPublishers(services.as(operator), { state: 'deactivated' })).total).toBe(1)
    expect((await listPublishers(services.as(operator), { userType: 'reseller' })).total).toBe(1)
  })

  it('finds accented names in any case, and an accent is not a wildcard', async () => {
    const { id } = await makeUser(services, { firstName: 'Émile', lastName: 'ØRSTED' })
    const ctx = services.as(operator)
    await services.db.run(`UPDATE accounts SET company_name = 'Édition ÉTÉ [Été*]' WHERE user_id = :id`, { id })
    for (const q of ['Émile', 'émile', 'ÉMILE ørsted', 'édition été', 'ÉDITION', 'é [été*]'])
      expect((await listPublishers(ctx, { q })).rows, q).toMatchObject([{ id }])
    for (const q of ['ámile', 'é*n', '?té', '[é]té']) expect((await listPublishers(ctx, { q })).total, q).toBe(0)
  })
})
