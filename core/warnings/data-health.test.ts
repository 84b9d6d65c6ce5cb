import { beforeEach, describe, expect, it } from 'vitest'
import type { AppContext } from '#core/context.ts'
import type { ReaderRow } from '#core/readers/readers.rows.ts'
import { mailSender } from '#tests/support/emails.ts'
import { actorOf, makePublication, makeUser, system } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { staffActor } from '../users/staff-actor.ts'
import { Users } from '../users/users.rows.ts'
import { countAllHealth, countHealth } from './count-health.ts'
import { dataHealth } from './data-health.query.ts'
import { setHealthDigest } from './set-health-digest.ts'

const services = await openTestServices()
let publicationId: number
let publisherId: number
let ctx: AppContext

beforeEach(async () => {
  services.clock.now = new Date('2026-11-23T03:00:00Z')
  const publication = await makePublication(services)
  publicationId = publication.id
  publisherId = publication.publisherId
  ctx = services.as(await actorOf(services, 'publisher', publisherId))
})

const validFields = {
  firstName: 'Ida',
  lastName: 'Finch',
  fullName: 'Ida Finch',
  addressOne: '7 Quay',
  city: 'Fowey',
  postCode: 'PL23 1AT',
  country: 'GB',
  subType: 'print',
  subStartOn: '2026-01-01',
  subEndOn: '2099-12-31',
} as const satisfies Partial<ReaderRow>
const makeValidReader = (fields: Partial<ReaderRow> = {}) =>
  makeReader(services, publicationId, { ...validFields, ...fields })
const makeNamedReader = (fullName: string, more: Partial<ReaderRow> = {}) =>
  makeValidReader({ fullName, lastName: fullName, ...more })

describe('data health', () => {
  it('counts the faults that affect a mailing, each reader once, among readers of the printed copies only', async () => {
    await makeNamedReader('A')
    await makeNamedReader('B', { addressOne: '' })
    await makeNamedReader('C', { postCode: '' })
    await makeNamedReader('D', { postCode: 'ZZ99 9ZZ' })
    await makeNamedReader('E', { addressOne: '14 Mill Street, Fowey, PL23 1AQ', city: '' })
    await makeNamedReader('F', { subEndOn: '2026-12-01' })
    await makeNamedReader('G')
    await makeNamedReader('G')
    await makeNamedReader('H', { subType: 'digital', postCode: '' })
    await makeNamedReader('I', { subEndOn: '2026-11-01', postCode: '' })
    await makeNamedReader('J', { isDeleted: true, postCode: '' })
    const counts = { noAddress: 1, noPostCode: 1, queried: 1, illFormed: 1, doubled: 1, expiring: 1 }
    expect(await countHealth(ctx, { publicationId })).toEqual({ mailed: 8, ...counts })
    const { last } = await dataHealth(ctx, { publicationId })
    expect(last).toMatchObject({ on: '2026-11-23', score: 40 })
    expect(last?.actions).toHaveLength(3)
  })

  it('has its history and last week’s lists stored by the daily job', async () => {
    await makeNamedReader('A', { postCode: '' })
    for (const day of ['2026-11-09', '2026-11-16', '2026-11-22']) {
      services.clock.now = new Date(`${day}T03:00:00Z`)
      await countAllHealth(services.as(system), {})
    }
    await makeNamedReader('B')
    services.clock.now = new Date('2026-11-23T03:00:00Z')
    await countAllHealth(services.as(system), {})
    await countAllHealth(services.as(system), {})
    const { history, lastWeek } = await dataHealth(ctx, { publicationId })
    expect(history).toEqual([
      { on: '2026-11-09', score: 0 },
      { on: '2026-11-16', score: 0 },
      { on: '2026-11-23', score: 50 },
    ])
    expect(lastWeek).toMatchObject({ on: '2026-11-16', lists: { nopostcode: 1, badpostcodes: 0 } })
    services.clock.now = new Date('2028-01-01T03:00:00Z')
    await countAllHealth(services.as(system), {})
    expect((await dataHealth(ctx, { publicationId })).history.map(({ on }) => on)).toEqual(['2028-01-01'])
  })

  it('is hidden from other publishers', async () => {
    await makeValidReader()
    const stranger = services.as(await actorOf(services, 'publisher'))
    for (const query of [countHealth, dataHealth])
      await expect(query(stranger, { publicationId })).rejects.toMatchObject({ kind: 'notFound' })
    for (const type of ['admin', 'mailer'] as const) {
      const staff = services.as(await actorOf(services, type, publisherId))
      for (const query of [countHealth, dataHealth])
        await expect(query(staff, { publicationId })).rejects.toMatchObject({ kind: 'denied' })
      await expect(setHealthDigest(staff, { isOn: true })).rejects.toMatchObject({ kind: 'denied' })
    }
    await expect(countAllHealth(ctx, {})).rejects.toMatchObject({ kind: 'denied' })
  })

  it('is emailed once a week to subscribed users only', async () => {
    await makeValidReader()
    const user = await makeUser(services, { userType: 'pubadmin', parentPublisherId: publisherId })
    const asUser = services.as(staffActor(user))
    const digests = async () => {
      const sql = `SELECT payload FROM jobs WHERE name = 'send-mail' AND dedupe_key LIKE :key`
      return (await services.db.query(sql, { key: `data-health:${user.id}:%` })).length
    }
    expect((await dataHealth(asUser, { publicationId })).isMailed).toBe(false)
    await countAllHealth(services.as(system), {})
    expect(await digests()).toBe(0)
    await setHealthDigest(asUser, { isOn: true })
    await setHealthDigest(asUser, { isOn: true })
    expect((await dataHealth(asUser, { publicationId })).isMailed).toBe(true)
    expect((await dataHealth(ctx, { publicationId })).isMailed).toBe(false)
    await countAllHealth(services.as(system), {})
    await countAllHealth(services.as(system), {})
    expect(await digests()).toBe(1)
    // Staff of a deactivated publisher can neither log in nor turn it off.
    const send = () => mailSender('data-health')(services.as(system), { userId: user.id, week: '2026-11-23' })
    const setActive = (isActive: boolean) => Users.update(services, { id: publisherId }, { isActive })
    await setActive(false)
    expect(await send()).toBe(false)
    await setActive(true)
    expect(await send()).toBe(true)
    services.clock.now = new Date('2026-11-24T03:00:00Z')
    await countAllHealth(services.as(system), {})
    expect(await digests()).toBe(1)
    await setHealthDigest(asUser, { isOn: false })
    services.clock.now = new Date('2026-11-30T03:00:00Z')
    await countAllHealth(services.as(system), {})
    expect(await digests()).toBe(1)
  })

  it('is emailed by the first run of a week without one on Monday, with the counts of that day', async () => {
    await makeNamedReader('A', { postCode: '' })
    const user = await makeUser(services, { userType: 'pubadmin', parentPublisherId: publisherId })
    await setHealthDigest(services.as(staffActor(user)), { isOn: true })
    await countAllHealth(services.as(system), {})
    const keys = async () => {
      const sql = `SELECT dedupe_key AS key FROM jobs WHERE name = 'send-mail' AND dedupe_key LIKE :key ORDER BY id`
      const jobs = await services.db.query<{ key: string }>(sql, { key: `data-health:${user.id}:%` })
      return jobs.map(({ key }) => key)
    }
    await makeNamedReader('B')
    // A Wednesday and a Thursday.
    for (const day of ['2026-12-02', '2026-12-03']) {
      services.clock.now = new Date(`${day}T03:00:00Z`)
      await countAllHealth(services.as(system), {})
      await makeNamedReader(day)
    }
    expect(await keys()).toEqual([`data-health:${user.id}:2026-11-23`, `data-health:${user.id}:2026-11-30`])
    expect(await mailSender('data-health')(services.as(system), { userId: user.id, week: '2026-11-30' })).toBe(true)
    const [mail] = (await services.mail.devMailbox?.list(1)) ?? []
    expect(mail?.text).toContain('50 out of 100 (0 a week ago)')
    // A user who subscribes on a Thursday gets the first email on Monday.
    const late = await makeUser(services, { userType: 'pubadmin', parentPublisherId: publisherId })
    await setHealthDigest(services.as(staffActor(late)), { isOn: true })
    services.clock.now = new Date('2026-12-04T03:00:00Z')
    await countAllHealth(services.as(system), {})
    const sql = `SELECT id FROM jobs WHERE dedupe_key LIKE :key`
    expect(await services.db.query(sql, { key: `data-health:${late.id}:%` })).toEqual([])
  })
})
