import { beforeAll, describe, expect, it } from 'vitest'
import { makeMailingFile } from '#core/mailing/make-mailing-file.ts'
import { cleanUp } from '#core/maintenance/clean-up.ts'
import { exportReaders } from '#core/reader-files/export-readers.ts'
import { logIn } from '#core/users/log-in.ts'
import { staffActor } from '#core/users/staff-actor.ts'
import { makePublication, makeUser, operator, system } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { textOf } from '#tests/support/text-of.ts'
import { type Actor, visitor } from '../access/actor.ts'
import { exportAudit } from './export-audit.ts'
import { listAudit } from './list-audit.query.ts'
import { recordAudit } from './record-audit.ts'

let services: TestServices
let mine: { publisher: Actor; pubadmin: Actor; publisherId: number; publicationId: number; adminId: number }
let theirs: typeof mine
let superuser: Actor

async function makePublisher(name: string): Promise<typeof mine> {
  const publisher = await makeUser(services, { firstName: name, lastName: 'Owner', email: `${name}@owner.test` })
  const pubadmin = await makeUser(services, {
    userType: 'pubadmin',
    firstName: name,
    lastName: 'Admin',
    email: `${name}@admin.test`,
    parentPublisherId: publisher.id,
  })
  const publication = await makePublication(services, { publisherId: publisher.id, publicationName: `${name} Weekly` })
  return {
    publisher: staffActor(publisher),
    pubadmin: staffActor(pubadmin),
    publisherId: publisher.id,
    publicationId: publication.id,
    adminId: pubadmin.id,
  }
}

const recordAs = (
  actor: Actor,
  ...row: Parameters<typeof recordAudit> extends [unknown, ...infer Rest] ? Rest : never
) =>
  services.db.transaction(() =>
    recordAudit({ ...services.as(actor), origin: { entryPoint: 'web', address: '192.0.2.7', requestId: 'r' } }, ...row),
  )
const rowsFor = async (actor: Actor, input: object = {}) =>
  (await listAudit(services.as(actor), { size: 100, ...input })).rows
const linesFor = async (actor: Actor, input: object = {}) =>
  (await rowsFor(actor, input)).map(({ who, what, subject }) => `${who.name} ${what}: ${subject.text}`)
beforeAll(async () => {
  services = await openTestServices()
  mine = await makePublisher('Mack')
  theirs = await makePublisher('Zebra')
  superuser = staffActor(await makeUser(services, { userType: 'superuser', firstName: 'Sue', lastName: 'Per' }))
})

describe('the audit log', () => {
  it('shows a publisher and its administrators what happened to them, whoever did it, and nobody else’s events', async () => {
    await recordAs(mine.pubadmin, 'add-user', { type: 'user', id: mine.adminId })
    await recordAs(superuser, 'update-user', { type: 'user', id: mine.adminId }, { fields: ['firstName'] })
    await recordAs(operator, 'deactivate-user', { type: 'user', id: mine.publisherId })
    await recordAs(system, 'order-cancelled', {
      type: 'publication',
      id: mine.publicationId,
      publisherId: mine.publisherId,
    })
    await recordAs(
      visitor,
      'order-begin',
      { type: 'reader', id: 12, publisherId: mine.publisherId },
      { amount: 1, currency: 'GBP' },
    )
    await recordAs(superuser, 'update-user', { type: 'user', id: theirs.adminId })
    await recordAs(operator, 'retry-jobs', { type: 'job', id: null })
    const expected = [
      'A visitor started an order: Reader 12',
      'The system cancelled an order: Mack Weekly',
      'The command line deactivated a user: Mack Owner',
      'Sue Per changed a user: Mack Admin',
      'Mack Admin added a user: Mack Admin',
    ]
    expect(await linesFor(mine.publisher)).toEqual(expected)
    expect(await linesFor(mine.pubadmin)).toEqual(expected)
    expect(await linesFor(theirs.publisher)).toEqual(['Sue Per changed a user: Zebra Admin'])
    // A filter reaches only the publisher's own rows.
    expect(await linesFor(theirs.publisher, { publisherId: mine.publisherId })).toHaveLength(1)
    expect(await linesFor(theirs.publisher, { userId: mine.adminId })).toEqual([])
    expect(await linesFor(superuser)).toHaveLength(7)
    expect(await linesFor(operator)).toHaveLength(7)
    expect(await linesFor(superuser, { publisherId: theirs.publisherId })).toHaveLength(1)
    for (const userType of ['reseller', 'admin', 'mailer'] as const) {
      const actor = staffActor(await makeUser(services, { userType }))
      await expect(listAudit(services.as(actor), {})).rejects.toMatchObject({ kind: 'denied' })
      await expect(exportAudit(services.as(actor), {})).rejects.toMatchObject({ kind: 'denied' })
    }
  })

  it('shows who did it, from where and with which details, but no reader’s address to a publisher', async () => {
    const [started, , , changed] = await rowsFor(mine.publisher)
    expect(changed).toMatchObject({
      who: { name: 'Sue Per' },
      action: 'update-user',
      entryPoint: 'Web',
      address: '192.0.2.7',
      facts: [{ name: 'Fields', value: 'first name' }],
      publisher: { id: mine.publisherId },
    })
    expect(started).toMatchObject({ who: { name: 'A visitor', email: null }, address: null })
    expect((await rowsFor(superuser, { action: 'order-begin' }))[0]).toMatchObject({ address: '192.0.2.7' })
  })

  it('names the user that a visitor logged in as, and finds the log-in under that user', async () => {
    await logIn(services.as(visitor), { email: 'mack@admin.test', password: 'masthead' })
    expect(await linesFor(mine.publisher, { action: 'log-in' })).toEqual(['Mack Admin logged in: Mack Admin'])
    expect(await linesFor(mine.publisher, { userId: mine.adminId })).toEqual([
      'Mack Admin logged in: Mack Admin',
      'Mack Admin added a user: Mack Admin',
    ])
  })

  it('filters by person, action and days, and counts the filtered rows', async () => {
    expect(await linesFor(mine.publisher, { q: 'SUE p' })).toEqual(['Sue Per changed a user: Mack Admin'])
    expect(await linesFor(mine.publisher, { q: 'mack@admin' })).toHaveLength(2)
    expect(await linesFor(mine.publisher, { q: 'system' })).toEqual(['The system cancelled an order: Mack Weekly'])
    expect(await linesFor(mine.publisher, { q: '%' })).toEqual([])
    expect(await linesFor(mine.publisher, { subjectType: 'reader' })).toHaveLength(1)
    services.clock.now = new Date('2026-12-01T00:30:00Z')
    await recordAs(mine.publisher, 'update-account', { type: 'user', id: mine.publisherId })
    expect(await linesFor(mine.publisher, { from: '01/12/2026' })).toEqual([
      'Mack Owner changed the account: Mack Owner',
    ])
    expect(await linesFor(mine.publisher, { from: '1/12/26', to: '2026-12-01' })).toHaveLength(1)
    expect(await linesFor(mine.publisher, { from: '21/11/2026', to: '30/11/2026' })).toHaveLength(6)
    // A summer day in London begins at 23:00 UTC.
    services.clock.now = new Date('2027-06-30T23:30:00Z')
    await recordAs(mine.publisher, 'update-account', { type: 'user', id: mine.publisherId })
    expect(await linesFor(mine.publisher, { from: '01/07/2027', to: '01/07/2027' })).toHaveLength(1)
    expect(await linesFor(mine.publisher, { to: '30/06/2027', from: '30/06/2027' })).toEqual([])
    await expect(listAudit(services.as(mine.publisher), { from: '31/02/2026', action: 'dance' })).rejects.toMatchObject(
      {
        fields: { from: 'Write the date as DD/MM/YYYY', action: 'There is no such action' },
      },
    )
    await expect(
      listAudit(services.as(mine.publisher), { from: '02/01/2026', to: '01/01/2026' }),
    ).rejects.toMatchObject({ fields: { to: 'Must not be before the first day' } })
    const page = await listAudit(services.as(mine.publisher), { size: 3, page: 99 })
    expect(page).toMatchObject({ total: 8, pages: 3, page: 3, hasMore: false, coversAllPublishers: false })
    expect(page.rows).toHaveLength(2)
  })

  it('finds a person however many users of other publishers have that name', async () => {
    await services.db.transaction(async () => {
      for (let number = 0; number < 1001; number++)
        await services.db.run(
          `INSERT INTO users (first_name, last_name, email, email_key, user_type, token_version, created_at, updated_at)
           VALUES ('Ann', 'Elsewhere', :email, :email, 'publisher', 0, :now, :now)`,
          { email: `ann${number}@elsewhere.test`, now: services.now() },
        )
    })
    const own = await makePublisher('Nell')
    const fields = { firstName: 'Ann', lastName: 'Own', parentPublisherId: own.publisherId }
    const ann = staffActor(await makeUser(services, { ...fields, userType: 'pubadmin' }))
    await recordAs(ann, 'update-account', { type: 'user', id: own.publisherId })
    const found = ['Ann Own changed the account: Nell Owner']
    expect(await linesFor(own.publisher, { q: 'ann' })).toEqual(found)
    expect(await linesFor(superuser, { q: 'ann' })).toEqual(found)
    expect(await linesFor(theirs.publisher, { q: 'ann' })).toEqual([])
  })

  it('finds a person with an accented name in any case', async () => {
    const own = await makePublisher('Émile')
    const found = ['Émile Owner changed a user: Émile Admin']
    await recordAs(own.publisher, 'update-user', { type: 'user', id: own.adminId })
    for (const q of ['Émile', 'émile owner', 'OWNER ÉMILE']) expect(await linesFor(superuser, { q }), q).toEqual(found)
  })

  it('records every download of readers, even an aborted one, but none that sent nothing', async () => {
    const ctx = { ...services.as(mine.publisher), origin: { entryPoint: 'api' as const, address: '192.0.2.9' } }
    const title = { publicationId: mine.publicationId }
    const before = (await rowsFor(mine.publisher)).length
    await exportReaders(ctx, title)
    await makeMailingFile(ctx, title)
    await textOf((await makeMailingFile(ctx, { ...title, dryRun: true })).chunks)
    expect(await rowsFor(mine.publisher)).toHaveLength(before)
    await textOf((await exportReaders(ctx, title)).chunks)
    await textOf((await makeMailingFile(ctx, title)).chunks)
    for await (const _ of (await makeMailingFile(ctx, title)).chunks) break
    expect(await linesFor(mine.publisher, { from: '01/07/2027', q: 'Owner' })).toEqual([
      'Mack Owner made a mailing file: Mack Weekly',
      'Mack Owner made a mailing file: Mailing file of Mack Weekly',
      'Mack Owner downloaded readers: Mack Weekly',
      'Mack Owner changed the account: Mack Owner',
    ])
    const [aborted] = await rowsFor(mine.publisher)
    expect(aborted).toMatchObject({ entryPoint: 'API', address: '192.0.2.9' })
    expect(aborted?.facts).toContainEqual({ name: 'Broke off', value: 'yes' })
  })

  it('is downloaded with the same filter, safe for a spreadsheet, and the download is logged', async () => {
    const risky = await makeUser(services, {
      firstName: '=cmd',
      lastName: 'x',
      parentPublisherId: mine.publisherId,
      userType: 'pubadmin',
    })
    await recordAs(staffActor(risky), 'update-account', { type: 'user', id: risky.id })
    const file = await exportAudit(services.as(mine.publisher), { action: 'update-account' })
    const rows = (await textOf(file.chunks)).trimEnd().split('\r\n')
    expect(file.fileName).toBe('activity_01072027.csv')
    expect(rows[0]).toBe('\ufeffWhen,Who,Email,What,About,Details,Channel,Address')
    expect(rows).toHaveLength(4)
    expect(rows[1]).toMatch(/^2027-06-30T23:30:00\.000Z,'=cmd x,/)
    expect(rows.join()).not.toContain('Zebra')
    expect((await rowsFor(mine.publisher))[0]).toMatchObject({
      action: 'export-audit',
      facts: [
        { name: 'Rows', value: '3' },
        { name: 'Filters', value: 'action' },
      ],
    })
    const all = await textOf((await exportAudit(services.as(superuser), {})).chunks)
    expect(all.split('\r\n')[0]).toMatch(/,Publisher$/)
    expect(all).toContain('Zebra Admin')
  })

  it('is deleted on schedule: addresses first, rows later', async () => {
    const log = () =>
      services.db.query<{ id: number; address: string | null }>(`SELECT id, address FROM audit_log ORDER BY id`)
    await services.db.run(`DELETE FROM audit_log`)
    services.clock.now = new Date('2028-01-01T00:00:00Z')
    await recordAs(mine.publisher, 'update-account', { type: 'user', id: mine.publisherId })
    services.clock.now = new Date('2028-03-31T00:00:00Z')
    await recordAs(mine.publisher, 'update-account', { type: 'user', id: mine.publisherId })
    expect(await cleanUp(services.as(system), {})).toMatchObject({ audit: { rows: 0, addresses: 0 } })
    services.clock.now = new Date('2028-03-31T00:00:01Z')
    expect(await cleanUp(services.as(system), {})).toMatchObject({ audit: { rows: 0, addresses: 1 } })
    expect((await log()).map(({ address }) => address)).toEqual([null, '192.0.2.7'])
    services.clock.now = new Date('2030-01-01T00:00:00Z')
    expect(await cleanUp(services.as(system), {})).toMatchObject({ audit: { rows: 1 } })
    expect(await log()).toHaveLength(1)
  })
})
