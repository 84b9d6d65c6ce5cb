import { beforeEach, describe, expect, it } from 'vitest'
import type { AppContext } from '#core/context.ts'
import type { ReaderRow } from '#core/readers/readers.rows.ts'
import { actorOf, makePublication } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { AddressMarks } from '../bounces/address-marks.rows.ts'
import { listDuplicates } from '../duplicates/list-duplicates.query.ts'
import { changeReaderAddress } from '../readers/change-reader-address.ts'
import { countWarnings } from './count-warnings.query.ts'
import { listWarning } from './list-warning.query.ts'
import { countedKeys, type DuplicateKey, type WarningKey, warningKeys } from './warnings.rules.ts'

const services = await openTestServices()
let publicationId: number
let ctx: AppContext

beforeEach(async () => {
  services.clock.now = new Date('2026-11-21T10:00:00Z')
  const publication = await makePublication(services)
  publicationId = publication.id
  for (const addressKey of ['lost@example.test', 'nobody@example.test'])
    await AddressMarks.insert(services, { publisherId: publication.publisherId, addressKey, bouncedAt: services.now() })
  ctx = services.as(await actorOf(services, 'publisher', publication.publisherId))
})

const validFields = {
  title: 'Ms',
  firstName: 'Ann',
  lastName: 'Penrose',
  fullName: 'Ms Ann Penrose',
  addressOne: '2 Quay',
  city: 'Fowey',
  postCode: 'PL23 1AT',
  subEndOn: '2028-01-01',
}
const addReader = (fields: Partial<ReaderRow> = {}) =>
  makeReader(services, publicationId, { ...validFields, ...fields })
const idsOf = async (list: WarningKey | 'all', more: object = {}) =>
  (await listWarning(ctx, { publicationId, list, ...more })).rows.map(({ id }) => id)

/** One reader per warning, with no other problem. Expired readers are in two lists. */
const faulty: Record<WarningKey, Partial<ReaderRow>> = {
  nofullname: { fullName: '' },
  nofirstname: { firstName: '' },
  expirednextthirty: { subEndOn: '2026-12-21' },
  expiredsubscriber: { subEndOn: '2026-10-21' },
  expiredlastthirty: { subEndOn: '2026-10-22' },
  nopostcode: { postCode: '' },
  badpostcodes: { postCode: 'PL23 1ZZZ' },
  badaddressdata: { addressOne: '', addressTwo: '2 Quay' },
  bouncedemails: { email: 'Lost@example.test' },
}

describe('the warnings', () => {
  it('list exactly the readers with that fault, and the counts agree', async () => {
    await addReader()
    const readerOf = {} as Record<WarningKey, number>
    for (const key of warningKeys) readerOf[key] = await addReader(faulty[key])
    for (const key of warningKeys) {
      const expected =
        key === 'expiredsubscriber' ? [readerOf.expiredlastthirty, readerOf.expiredsubscriber] : [readerOf[key]]
      expect(await idsOf(key), key).toEqual(expected)
    }
    const counts = await countWarnings(ctx, { publicationId })
    for (const key of warningKeys) expect(counts[key], key).toBe(key === 'expiredsubscriber' ? 2 : 1)
    expect((await listWarning(ctx, { publicationId, list: 'all' })).total).toBe(warningKeys.length + 1)
  })

  it('leave out deactivated readers, open ends, and readers without a subscription', async () => {
    for (const key of warningKeys) await addReader({ ...faulty[key], isDeleted: true })
    await addReader({ subEndOn: '2100-01-01' })
    await addReader({ subEndOn: '2020-01-01', subType: '' })
    // Ireland delivers without a postcode.
    await addReader({ postCode: '', country: 'IE' })
    const counts = await countWarnings(ctx, { publicationId })
    for (const key of warningKeys) {
      expect(counts[key], key).toBe(0)
      expect(await idsOf(key), key).toEqual([])
    }
    expect(await idsOf('all', { size: 25 })).toHaveLength(warningKeys.length + 3)
  })

  it('treat the last day as part of the subscription', async () => {
    const today = await addReader({ subEndOn: '2026-11-21' })
    const yesterday = await addReader({ subEndOn: '2026-11-20' })
    const inThirtyDays = await addReader({ subEndOn: '2026-12-21' })
    await addReader({ subEndOn: '2026-12-22' })
    expect(await idsOf('expirednextthirty')).toEqual([today, inThirtyDays])
    expect(await idsOf('expiredsubscriber')).toEqual([yesterday])
  })

  it('are paged, sorted and filtered by the server', async () => {
    const names = ['Delta', 'Alpha', 'Charlie', 'Bravo', ...Array.from({ length: 9 }, (_, n) => `Zulu ${n}`)]
    const ids = []
    for (const name of names)
      ids.push(
        await addReader({
          fullName: name,
          lastName: name,
          subEndOn: '2026-12-01',
          email: `${name.slice(0, 1)}@x.test`,
        }),
      )
    const list = { publicationId, list: 'expirednextthirty' as const }
    const firstPage = await listWarning(ctx, { ...list, sort: 'name' })
    expect(firstPage).toMatchObject({ total: 13, pages: 2, size: 10 })
    expect(firstPage.rows.slice(0, 4).map(({ fullName }) => fullName)).toEqual(['Alpha', 'Bravo', 'Charlie', 'Delta'])
    const lastPage = await listWarning(ctx, { ...list, sort: '-name', page: 2 })
    expect(lastPage.rows.map(({ fullName }) => fullName)).toEqual(['Charlie', 'Bravo', 'Alpha'])
    const filtered = await listWarning(ctx, { ...list, q: 'char' })
    expect(filtered).toMatchObject({ total: 1, rows: [{ id: ids[2] }] })
    expect(await listWarning(ctx, { ...list, q: 'nobody' })).toMatchObject({ total: 0, rows: [], pages: 1 })
  })
})

describe('the exact duplicates', () => {
  it('are readers with the same non-blank keys, without deactivated ones', async () => {
    const ann = await addReader({ email: 'ann@example.org' })
    const sameAnn = await addReader({ fullName: 'MS ÁNN  PENROSE', email: 'ANN@example.org', addressOne: '2, Quay' })
    const brother = await addReader({ fullName: 'Bob Penrose', firstName: 'Bob', addressOne: '3 Quay' })
    const neighbour = await addReader({ fullName: 'Zoë Lux', lastName: 'Lux', addressOne: '4 Quay' })
    await addReader({ isDeleted: true, email: 'ann@example.org' })
    for (let copy = 0; copy < 2; copy++)
      await addReader({ postCode: '', addressOne: '', email: '', fullName: 'No Code' })
    const expected: Record<DuplicateKey, number[]> = {
      duplicatefullname: [ann, sameAnn],
      duplicatelastname: [ann, sameAnn, brother],
      duplicatepostcode: [ann, sameAnn, brother, neighbour],
      duplicateaddress: [ann, sameAnn],
      duplicateemails: [ann, sameAnn],
    }
    const counts = await countWarnings(ctx, { publicationId })
    for (const [list, ids] of Object.entries(expected)) {
      const page = await listDuplicates(ctx, { publicationId, list })
      expect(
        page.rows.map(({ readers }) => readers.map(({ id }) => id)),
        list,
      ).toEqual([ids])
      expect([page.total, counts[list as DuplicateKey], page.rows[0]?.count], list).toEqual([1, 1, ids.length])
    }
  })

  it('are paged by group, sorted by key or size, and filtered by the beginning of a key', async () => {
    const codes = ['PL23 1AA', 'PL23 1AB', 'PL23 1AD', ...Array.from({ length: 9 }, (_, n) => `EX1 ${n + 1}AA`)]
    for (const postCode of codes) for (let copy = 0; copy < 2; copy++) await addReader({ postCode })
    await addReader({ postCode: 'PL23 1AB' })
    const list = { publicationId, list: 'duplicatepostcode' as const }
    const firstPage = await listDuplicates(ctx, list)
    expect(firstPage).toMatchObject({ total: 12, pages: 2 })
    expect(firstPage.rows).toHaveLength(10)
    expect(firstPage.rows[0]?.keys).toEqual(['EX11AA'])
    expect((await listDuplicates(ctx, { ...list, sort: '-key' })).rows[0]?.keys).toEqual(['PL231AD'])
    expect((await listDuplicates(ctx, { ...list, sort: '-count' })).rows[0]).toMatchObject({
      count: 3,
      keys: ['PL231AB'],
    })
    expect(await listDuplicates(ctx, { ...list, q: 'pl23' })).toMatchObject({ total: 3 })
    expect(await listDuplicates(ctx, { ...list, q: '%' })).toMatchObject({ total: 0 })
  })
})

describe('the counts', () => {
  const storedCounts = async () =>
    Number(
      (
        await services.db.query<{ n: number }>(
          `SELECT COUNT(*) AS n FROM reader_counts WHERE publication_id = :publicationId`,
          {
            publicationId,
          },
        )
      )[0]?.n,
    )

  it('are cached until the readers or the day change', async () => {
    const id = await addReader({ subEndOn: '2026-11-25' })
    expect(await countWarnings(ctx, { publicationId })).toMatchObject({ expirednextthirty: 1, duplicatepostcode: 0 })
    expect(await storedCounts()).toBe(countedKeys.length)
    // A write that does not increment the edition of the readers: nothing invalidates the cached counts.
    await services.db.run(`UPDATE readers SET full_name = '' WHERE id = :id`, { id })
    expect(await countWarnings(ctx, { publicationId })).toMatchObject({ nofullname: 0 })
    const address = {
      ...validFields,
      companyName: '',
      addressTwo: '',
      addressThree: '',
      state: '',
      postCode: '',
      country: 'GB',
    }
    await services.db.transaction(() => changeReaderAddress(ctx, { readerId: id, publicationId, address }))
    expect(await countWarnings(ctx, { publicationId })).toMatchObject({ nopostcode: 1, expirednextthirty: 1 })
    services.clock.now = new Date('2026-11-27T10:00:00Z')
    expect(await countWarnings(ctx, { publicationId })).toMatchObject({ expirednextthirty: 0, expiredsubscriber: 1 })
    expect(await storedCounts()).toBe(countedKeys.length)
  })

  it('that fail leave the others in place', async () => {
    await addReader(faulty.nofullname)
    const query: AppContext['db']['query'] = (sql, values) => {
      if (sql.includes(`post_code_state = 'missing'`)) throw new Error('the disk is full')
      return services.db.query(sql, values)
    }
    const db = new Proxy(services.db, {
      get: (target, name) =>
        name === 'query' ? query : (Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)),
    })
    const counts = await countWarnings({ ...ctx, db }, { publicationId })
    expect(counts).toMatchObject({ nofullname: 1, nopostcode: null, badpostcodes: 0, duplicateemails: 0 })
    expect(await countWarnings(ctx, { publicationId })).toMatchObject({ nofullname: 1, nopostcode: 0 })
  })

  it('are hidden from other publishers', async () => {
    const stranger = services.as(await actorOf(services, 'publisher'))
    await expect(countWarnings(stranger, { publicationId })).rejects.toMatchObject({ kind: 'notFound' })
    await expect(listWarning(stranger, { publicationId, list: 'nopostcode' })).rejects.toMatchObject({
      kind: 'notFound',
    })
    await expect(listDuplicates(stranger, { publicationId, list: 'duplicateemails' })).rejects.toMatchObject({
      kind: 'notFound',
    })
    const admin = services.as(await actorOf(services, 'admin', (ctx.actor as { publisherId: number }).publisherId))
    await expect(countWarnings(admin, { publicationId })).rejects.toMatchObject({ kind: 'denied' })
  })
})
