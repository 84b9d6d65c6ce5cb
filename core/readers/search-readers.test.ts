import { beforeAll, describe, expect, it } from 'vitest'
import { actorOf, makePublication } from '#tests/support/factories.ts'
import { copyReader } from '#tests/support/readers.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import type { Actor } from '../access/actor.ts'
import { openEnd } from '../kernel/dates.ts'
import { getReader } from './get-reader.query.ts'
import { allOptedOut } from './opt-outs.rules.ts'
import { readersChanged } from './reader-editions.rows.ts'
import { deriveReader } from './reader-keys.rules.ts'
import { type ReaderRow, Readers } from './readers.rows.ts'
import { matchingReaders, searchReaders } from './search-readers.query.ts'

const services = await openTestServices()

let publicationId: number
let publisher: Actor
let stranger: Actor
const ids: Record<string, number> = {}

const people: (Partial<ReaderRow> & { uniqueReference: string })[] = [
  {
    uniqueReference: 'HL0000001',
    firstName: 'Zoë',
    lastName: 'Brontë',
    email: 'Zoe@Example.test',
    postCode: 'SW1A 1AA',
    companyName: 'Quay & Sons',
  },
  {
    uniqueReference: 'HL0000002',
    firstName: 'Ann',
    lastName: "O'Brien",
    email: 'ann@example.test',
    postCode: 'AB10 1AA',
    isDeleted: true,
  },
  {
    uniqueReference: 'hl0000003',
    firstName: 'Bob',
    lastName: 'Obrien-Smith',
    postCode: 'SW1A 2BB',
    subEndOn: '2025-01-31',
  },
  { uniqueReference: 'X_1', companyName: '100% Print', email: 'post%room@example.test', subType: '' },
  { uniqueReference: 'X_2', fullName: 'Dr Mary Quill', subStartOn: '2027-01-01', subEndOn: openEnd },
]

beforeAll(async () => {
  const publication = await makePublication(services, { publicationName: 'Harbour Light' })
  publicationId = publication.id
  publisher = await actorOf(services, 'publisher', publication.publisherId)
  stranger = await actorOf(services, 'publisher')
  const otherPublication = await makePublication(services)
  for (const person of people) ids[person.uniqueReference] = await makeReader(publicationId, person)
  await makeReader(otherPublication.id, { uniqueReference: 'HL0000001', firstName: 'Foreign', lastName: 'Brontë' })
})

async function makeReader(
  publicationId: number,
  person: Partial<ReaderRow> & { uniqueReference: string },
): Promise<number> {
  const texts = {
    firstName: '',
    lastName: '',
    fullName: '',
    email: '',
    companyName: '',
    addressOne: '',
    addressTwo: '',
    addressThree: '',
  }
  const fields = {
    ...texts,
    addressFour: '',
    city: '',
    postCode: '',
    country: '',
    subType: 'print' as const,
    ...person,
  }
  const row = {
    publicationId,
    subStartOn: '2026-01-01',
    subEndOn: '2026-12-31',
    subRenewOn: '2026-12-31',
    origin: 'file' as const,
  }
  return services.db.transaction(async () => {
    const id = await Readers.insert(services, {
      ...allOptedOut(),
      ...row,
      ...fields,
      ...deriveReader(fields, 'GB'),
    })
    await readersChanged(services.db, publicationId)
    return id
  })
}

const search = (input: object, actor = publisher) =>
  searchReaders(services.as(actor), { publicationId, size: 10, ...input })
const references = async (input: object) => (await search(input)).rows.map((row) => row.uniqueReference)

describe('searching readers', () => {
  it('matches prefixes, without regard to case, accents and punctuation', async () => {
    expect(await references({ lastName: 'BRONTE' })).toEqual(['HL0000001'])
    expect(await references({ lastName: 'o’brien' })).toEqual(['HL0000002', 'hl0000003'])
    expect(await references({ fullName: 'ann obr' })).toEqual(['HL0000002'])
    expect(await references({ fullName: 'Mary Q' })).toEqual(['X_2'])
    expect(await references({ email: 'zoe@' })).toEqual(['HL0000001'])
    expect(await references({ companyName: 'quay sons' })).toEqual(['HL0000001'])
    expect(await references({ postZip: 'sw1a1' })).toEqual(['HL0000001'])
    expect(await references({ uniqueReference: 'hl' })).toEqual(['HL0000001', 'HL0000002', 'hl0000003'])
    expect(await references({ lastName: 'rien' })).toEqual([])
  })

  it('requires every given field to match, and for q any one of them', async () => {
    expect(await references({ lastName: 'obrien', postZip: 'SW1A' })).toEqual(['hl0000003'])
    expect(await references({ q: 'sw1a' })).toEqual(['HL0000001', 'hl0000003'])
    expect(await references({ q: 'quay' })).toEqual(['HL0000001'])
    expect(await references({ q: 'nobody' })).toEqual([])
  })

  it('reads all matches in the order of the pages, each once, whoever is added or removed meanwhile', async () => {
    const { id } = await makePublication(services, { publisherId: (publisher as { publisherId: number }).publisherId })
    const original = await makeReader(id, { uniqueReference: 'ALL', lastName: 'Moss', fullName: 'Mr Moss' })
    await copyReader(services, original, 1_200)
    await makeReader(id, { uniqueReference: 'ALLA', lastName: 'Adams', fullName: 'Adams' })
    const remove = (reader = 0) => services.db.run('DELETE FROM readers WHERE id = :reader', { reader })
    for (const query of [
      { uniqueReference: 'all' },
      { fullName: 'm' },
      { lastName: 'moss', uniqueReference: 'ALL-1' },
    ]) {
      const idsByPage: number[] = []
      const { pages: pageCount } = await search({ publicationId: id, size: 100, ...query })
      for (let page = 1; page <= pageCount; page++)
        idsByPage.push(...(await search({ publicationId: id, size: 100, page, ...query })).rows.map((row) => row.id))
      const { total, chunks } = await matchingReaders(services.as(publisher), { publicationId: id, ...query })
      // The last of the list is removed before it is read, the first after it.
      const added = await makeReader(id, { uniqueReference: 'ALL-1+', lastName: 'Moss', fullName: 'M' })
      await remove(idsByPage.at(-1))
      const allIds: number[] = []
      for await (const chunk of chunks) {
        if (allIds.length === 0) await remove(idsByPage[0])
        allIds.push(...chunk.map((row) => row.id))
      }
      expect(allIds).toEqual(idsByPage.slice(0, -1))
      expect(total).toBe(idsByPage.length)
      expect((await search({ publicationId: id, ...query })).total).toBe(total - 1)
      await remove(added)
    }
    const none = await matchingReaders(services.as(publisher), { publicationId: id, lastName: '...' })
    expect(none.total).toBe(0)
    const foreign = matchingReaders(services.as(stranger), { publicationId: id, lastName: 'moss' })
    await expect(foreign).rejects.toMatchObject({ kind: 'notFound' })
  })

  it('takes % and _ literally, and finds nobody by punctuation alone', async () => {
    expect(await references({ email: 'post%' })).toEqual(['X_1'])
    expect(await references({ email: 'a%' })).toEqual([])
    expect(await references({ uniqueReference: 'X_' })).toEqual(['X_1', 'X_2'])
    expect(await references({ uniqueReference: '_' })).toEqual([])
    expect(await references({ lastName: '...' })).toEqual([])
  })

  it('counts a name that matches with and without an honorific once, across pages', async () => {
    const { id } = await makePublication(services, { publisherId: (publisher as { publisherId: number }).publisherId })
    const names = ['Mr Moss', 'Mrs Moss', 'Moss', 'Dr Moss', 'Miss Mossop', 'Mr Adams', 'Adams Mr']
    for (const [n, fullName] of names.entries()) await makeReader(id, { uniqueReference: `H${n}`, fullName })
    const found = async (fullName: string, more: object = {}) => {
      const { rows, total } = await search({ publicationId: id, fullName, ...more })
      return { total, names: rows.map((row) => row.fullName) }
    }
    expect(await found('m')).toEqual({
      total: 6,
      names: ['Dr Moss', 'Miss Mossop', 'Moss', 'Mr Adams', 'Mr Moss', 'Mrs Moss'],
    })
    expect(await found('moss')).toMatchObject({ total: 5 })
    expect((await found('mr m')).names).toEqual(['Mr Moss'])
    for (let n = 0; n < 30; n++) await makeReader(id, { uniqueReference: `M${n}`, fullName: `Moss ${10 + n}` })
    const seen = [1, 2, 3, 4].map(async (page) => (await found('moss', { page })).names)
    const all = (await Promise.all(seen)).flat()
    expect(all).toHaveLength(35)
    expect(new Set(all).size).toBe(35)
    expect((await found('moss', { sort: '-name' })).names[0]).toBe('Mrs Moss')
  })

  it('sorts by the searched field, unless another is given', async () => {
    expect(await references({ postZip: 'S' })).toEqual(['HL0000001', 'hl0000003'])
    expect(await references({ postZip: 'S', sort: '-reference' })).toEqual(['hl0000003', 'HL0000001'])
    expect(await references({ email: 'p' })).toEqual(['X_1'])
  })

  it('sorts both ways with blanks last, across pages', async () => {
    const byName = ['HL0000002', 'hl0000003', 'X_2', 'HL0000001', 'X_1']
    const bySurname = ['HL0000001', 'HL0000002', 'hl0000003', 'X_1', 'X_2']
    expect(await references({})).toEqual(bySurname)
    expect(await references({ sort: 'name' })).toEqual(byName)
    expect(await references({ sort: '-name' })).toEqual(['HL0000001', 'X_2', 'hl0000003', 'HL0000002', 'X_1'])
    expect(await references({ sort: 'email' })).toEqual(['HL0000002', 'X_1', 'HL0000001', 'hl0000003', 'X_2'])
    expect(await references({ sort: '-ends' })).toEqual(['X_2', 'X_1', 'HL0000002', 'HL0000001', 'hl0000003'])
    expect(await references({ sort: 'password; DROP TABLE readers' })).toEqual(bySurname)
  })

  it('pages through everybody once', async () => {
    for (let n = 0; n < 21; n++)
      await makeReader(publicationId, {
        uniqueReference: `P${n}`,
        lastName: n < 9 ? '' : `Page ${n}`,
        email: 'pages@x.test',
      })
    const seen: string[] = []
    for (let page = 1; page <= 3; page++) {
      const found = await search({ page, sort: 'surname' })
      expect(found).toMatchObject({ total: 26, pages: 3, page, size: 10 })
      seen.push(...found.rows.map((row) => row.uniqueReference))
    }
    expect(new Set(seen).size).toBe(26)
    expect((await search({ email: 'pages@', size: 25 })).total).toBe(21)
    expect(await search({ page: 99 })).toMatchObject({ rows: [], total: 26 })
  })

  it('shows the state of each subscription', async () => {
    const rows = (await search({ size: 100 })).rows
    const terms = Object.fromEntries(
      people.map(({ uniqueReference }) => [
        uniqueReference,
        rows.find((row) => row.uniqueReference === uniqueReference)?.term,
      ]),
    )
    expect(terms).toEqual({
      HL0000001: 'current',
      HL0000002: 'current',
      hl0000003: 'expired',
      X_1: 'none',
      X_2: 'future',
    })
    expect(rows.find((row) => row.uniqueReference === 'HL0000002')?.isDeleted).toBe(true)
  })

  it('hides other publishers’ readers, and refuses mailers and visitors', async () => {
    await expect(search({}, stranger)).rejects.toMatchObject({ kind: 'notFound' })
    await expect(search({}, await actorOf(services, 'mailer'))).rejects.toMatchObject({ kind: 'denied' })
    await expect(search({}, { kind: 'visitor' })).rejects.toMatchObject({ kind: 'unauthenticated' })
  })
})

describe('a reader’s record', () => {
  it('shows fields, subscription, consent and history to its own publisher only', async () => {
    const id = ids.HL0000001 ?? 0
    await services.db.run(
      `INSERT INTO reader_events (reader_id, publication_id, kind, sub_type, start_on, end_on, amount, currency, actor_kind, created_at)
       VALUES (:id, :publicationId, 'subscribed', 'print', '2026-01-01', '2026-12-31', 2999, 'GBP', 'system', :now)`,
      { id, publicationId, now: services.now() },
    )
    const reader = await getReader(services.as(publisher), { id })
    expect(reader).toMatchObject({
      lastName: 'Brontë',
      publicationName: 'Harbour Light',
      subscription: { type: 'print', endOn: '2026-12-31', state: 'current', paid: null },
      pubOffers: true,
      partnerOffersSms: true,
      history: [{ kind: 'subscribed', startOn: '2026-01-01', paid: { amount: 2999, currency: 'GBP' } }],
      orders: [],
      modifiedBy: null,
    })
    expect(reader.history[0]?.at).toBeInstanceOf(Date)
    await expect(getReader(services.as(stranger), { id })).rejects.toMatchObject({ kind: 'notFound' })
    await expect(getReader(services.as(publisher), { id: 'nonsense' })).rejects.toMatchObject({ kind: 'invalid' })
  })
})
