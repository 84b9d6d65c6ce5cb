import { beforeEach, expect, it } from 'vitest'
import { updateAccount } from '#core/accounts/update-account.ts'
import type { AppContext } from '#core/context.ts'
import { mergeReaders } from '#core/duplicates/merge-readers.ts'
import { undoMerge } from '#core/duplicates/undo-merge.ts'
import { importReaders } from '#core/imports/import-readers.ts'
import { undoImport } from '#core/imports/undo-import.ts'
import { PostcodeFiles } from '#core/postcode-files/postcode-files.rows.ts'
import { removePostcodes } from '#core/postcode-files/remove-postcodes.ts'
import { actorOf, makePublication, operator, system } from '#tests/support/factories.ts'
import { readerFiles } from '#tests/support/reader-files.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { runWorker } from '#tests/support/worker.ts'
import { removeReaders } from '../removals/remove-readers.ts'
import { restoreReaders } from '../removals/restore-readers.ts'
import { readersVersion } from './reader-editions.rows.ts'
import { rekeyHomeReaders } from './rekey-home-readers.ts'
import { removeReader } from './remove-reader.ts'
import { restoreReader } from './restore-reader.ts'

const services = await openTestServices()
const { importInto, fileOf } = readerFiles(() => services)
let ctx: AppContext
let publicationId: number
let publisherId: number
let urlKey: string

beforeEach(async () => {
  const publication = await makePublication(services)
  publicationId = publication.id
  publisherId = publication.publisherId
  urlKey = publication.urlKey
  ctx = services.as(await actorOf(services, 'publisher', publisherId))
})

async function movePublisherTo(country: string): Promise<void> {
  await updateAccount(ctx, { country })
  await runWorker(services)
}

/** A file in which SW1A 1AA is the only valid postcode. */
async function makePostcodeFile(): Promise<void> {
  const file = { publicationId, fileName: 'codes.csv', storedFile: null, bytes: 1, rejects: [], isLive: true }
  const fileId = await PostcodeFiles.insert(services, file)
  await services.db.run(`INSERT INTO postcodes (file_id, post_code) VALUES (:fileId, 'SW1A1AA')`, { fileId })
}

async function keysOf(id: number): Promise<[string, string, number]> {
  const [row] = await services.db.query<{ mail_sort: string; post_code_state: string; version: number }>(
    `SELECT mail_sort, post_code_state, version FROM readers WHERE id = :id`,
    { id },
  )
  return [String(row?.mail_sort), String(row?.post_code_state), Number(row?.version)]
}

it('sorts readers without a country, and checks their postcodes, for the new country of the publisher', async () => {
  const make = (fields: object) => makeReader(services, publicationId, { addressOne: '1 High St', ...fields })
  const american = await make({ postCode: '10001' })
  const british = await make({ postCode: 'SW1A 1AA' })
  const unlisted = await make({ postCode: 'PL23 1AQ' })
  const withoutPostcode = await make({})
  const french = await make({ postCode: '75001', country: 'FR' })
  const all = [american, british, unlisted, withoutPostcode, french]
  const before = await Promise.all(all.map(keysOf))
  expect(before[0]?.slice(0, 2)).toEqual(['1~510001', 'queried'])
  const edition = await readersVersion(services.db, publicationId)

  await movePublisherTo('US')
  const [, , , , frenchKeys] = before
  expect(await Promise.all(all.map(keysOf))).toEqual([
    ['3US510001', 'ok', 1],
    ['3USSW11A11AA', 'queried', 1],
    ['3USPL3231AQ', 'queried', 1],
    ['3US', 'missing', 1],
    frenchKeys,
  ])
  expect(await readersVersion(services.db, publicationId)).toBeGreaterThan(edition)

  // Another change of the account leaves the readers unchanged.
  const unchanged = await readersVersion(services.db, publicationId)
  await updateAccount(ctx, { country: 'US', companyName: 'Harbour Press' })
  expect(
    await services.db.query(`SELECT id FROM jobs WHERE name = 'rekey-home-readers' AND state = 'waiting'`),
  ).toEqual([])
  expect(await readersVersion(services.db, publicationId)).toBe(unchanged)

  // In the United Kingdom again, the publication's own postcode file decides as well.
  await makePostcodeFile()
  await movePublisherTo('GB')
  const [, britishKeys, unlistedKeys] = before
  expect(await Promise.all([american, british, unlisted].map(keysOf))).toEqual([
    before[0],
    britishKeys,
    [unlistedKeys?.[0], 'queried', 1],
  ])
})

it('writes no reader when repeated for the same country, even if the publication’s postcode file queries a postcode', async () => {
  const unlisted = await makeReader(services, publicationId, { postCode: 'PL23 1AQ' })
  const armedForces = await makeReader(services, publicationId, { postCode: 'BFPO 58' })
  await makePostcodeFile()
  await movePublisherTo('US')
  await movePublisherTo('GB')
  expect((await keysOf(unlisted))[1]).toBe('queried')
  expect((await keysOf(armedForces))[1]).toBe('ok')
  const edition = await readersVersion(services.db, publicationId)
  expect(await rekeyHomeReaders(services.as(system), { publisherId })).toEqual({ changed: 0 })
  await movePublisherTo('JE')
  expect(await readersVersion(services.db, publicationId)).toBe(edition)
})

it('sorts readers who are restored after the country has changed', async () => {
  const make = (postCode: string) => makeReader(services, publicationId, { postCode })
  const readers = { one: await make('10001'), several: await make('10002'), kept: await make('10003') }
  const merged = await make('10004')
  await removeReader(ctx, { id: readers.one })
  const { id: removalId } = await removeReaders(ctx, { publicationId, readerIds: [readers.several] })
  const { mergeId } = await mergeReaders(ctx, {
    publicationId,
    readerIds: [readers.kept, merged],
    survivorId: readers.kept,
  })
  await movePublisherTo('US')
  await restoreReader(ctx, { id: readers.one })
  await restoreReaders(ctx, { removalId })
  await undoMerge(ctx, { mergeId })
  const keys = await Promise.all([...Object.values(readers), merged].map(keysOf))
  expect(keys.map(([sort, state]) => [sort, state])).toEqual([1, 2, 3, 4].map((n) => [`3US51000${n}`, 'ok']))
})

it('checks restored readers against the postcode file of the day they return', async () => {
  const make = (fields: object) => makeReader(services, publicationId, { postCode: 'PL23 1AQ', ...fields })
  const single = await make({})
  const british = await make({ country: 'GB' })
  const several = await make({})
  const kept = await make({})
  const merged = await make({ country: 'GB' })
  const french = await make({ country: 'FR' })
  const all = [single, british, several, kept, merged, french]
  const remove = async () => {
    for (const id of [single, british, french]) await removeReader(ctx, { id })
    const { id: removalId } = await removeReaders(ctx, { publicationId, readerIds: [several] })
    const { mergeId } = await mergeReaders(ctx, { publicationId, readerIds: [kept, merged], survivorId: kept })
    return { removalId, mergeId }
  }
  const restore = async ({ removalId, mergeId }: Awaited<ReturnType<typeof remove>>) => {
    for (const id of [single, british, french]) await restoreReader(ctx, { id })
    await restoreReaders(ctx, { removalId })
    await undoMerge(ctx, { mergeId })
    return Promise.all(all.map(async (id) => (await keysOf(id))[1]))
  }
  const frenchState = (await keysOf(french))[1]
  const removedWithoutFile = await remove()
  await makePostcodeFile()
  expect(await restore(removedWithoutFile)).toEqual([...Array(5).fill('queried'), frenchState])

  const removedWithFile = await remove()
  await removePostcodes(ctx, { publicationId })
  expect(await restore(removedWithFile)).toEqual([...Array(5).fill('ok'), frenchState])
})

it('leaves other readers unchanged when it checks a restored one', async () => {
  const otherReader = await makeReader(services, publicationId, { postCode: 'PL23 1AQ' })
  const id = await makeReader(services, publicationId, { postCode: 'PL23 1AQ' })
  await removeReader(ctx, { id })
  await makePostcodeFile()
  await restoreReader(ctx, { id })
  // Only the check of the whole file changes the others.
  expect((await keysOf(otherReader))[1]).toBe('ok')
  expect((await keysOf(id))[1]).toBe('queried')
})

it('sorts readers whose import is undone after the country has changed', async () => {
  const id = await makeReader(services, publicationId, { postCode: '10001' })
  const { uploadId } = await importInto({ urlKey }, 'UniqueReference,LastName\nANOTHER,Bo\n', 'replace')
  await movePublisherTo('US')
  await undoImport(services.as(operator), { uploadId })
  expect((await keysOf(id)).slice(0, 2)).toEqual(['3US510001', 'ok'])
})

it('sorts readers of an import that began before the country changed', async () => {
  const { db } = services
  const importing = Object.assign(Object.create(db), {
    bulk: Object.assign(Object.create(db.bulk), {
      async connect(table: string) {
        await movePublisherTo('US')
        return db.bulk.connect(table)
      },
    }),
  })
  const file = fileOf('UniqueReference,LastName,PostCode\nNEW,Bo,10001\n')
  await importReaders({ ...services.as(operator), db: importing }, { urlKey, file, mode: 'replace' })
  const [reader] = await db.query<{ id: number }>(
    `SELECT id FROM readers WHERE publication_id = :publicationId AND unique_reference = 'NEW'`,
    { publicationId },
  )
  expect((await keysOf(Number(reader?.id))).slice(0, 2)).toEqual(['3US510001', 'ok'])
})
