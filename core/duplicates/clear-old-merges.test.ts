import { beforeEach, expect, it } from 'vitest'
import type { AppContext } from '#core/context.ts'
import { asJson } from '#core/database.ts'
import { cleanUp } from '#core/maintenance/clean-up.ts'
import { openDatabase } from '#core/platform/database/open-database.ts'
import { removeReader } from '#core/readers/remove-reader.ts'
import { actorOf, makePublication, system } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { listMerges } from './list-merges.query.ts'
import { mergeReaders } from './merge-readers.ts'
import { ReaderMerges } from './reader-merges.rows.ts'
import { undoMerge } from './undo-merge.ts'

const services = await openTestServices()
let ctx: AppContext
let publicationId: number

beforeEach(async () => {
  services.clock.now = new Date('2026-11-21T10:00:00Z')
  const publication = await makePublication(services)
  publicationId = publication.id
  ctx = services.as(await actorOf(services, 'publisher', publication.publisherId))
})

const makeAnn = (fields = {}) =>
  makeReader(services, publicationId, { firstName: 'Ann', lastName: 'Lee', email: 'ann@example.org', ...fields })
const merge = (survivorId: number, otherId: number) =>
  mergeReaders(ctx, { publicationId, readerIds: [survivorId, otherId], survivorId })
const cleanUpAfter = (days: number) => {
  services.clock.advance({ days })
  return cleanUp(services.as(system), {})
}
/** How many records are stored for each merge, the earliest merge first. */
async function storedRecordCounts(): Promise<number[]> {
  const rows = await services.db.query<{ records: string | unknown[] }>(
    `SELECT records FROM reader_merges WHERE publication_id = :publicationId ORDER BY id`,
    { publicationId },
  )
  return rows.map(({ records }) => asJson<unknown[]>(records).length)
}

it('keeps the records of a merge for as long as it can be undone', async () => {
  const survivor = await makeAnn()
  const duplicate = await makeAnn()
  const lastSurvivor = await makeAnn()
  const firstMerge = await merge(survivor, duplicate)
  const secondMerge = await merge(lastSurvivor, survivor)
  expect(await cleanUpAfter(400)).toMatchObject({ merges: 0 })
  expect(await storedRecordCounts()).toEqual([2, 2])
  await undoMerge(ctx, { mergeId: secondMerge.mergeId })
  expect(await cleanUpAfter(1)).toMatchObject({ merges: 1 })
  expect(await storedRecordCounts()).toEqual([2, 0])
  expect(await undoMerge(ctx, { mergeId: firstMerge.mergeId })).toMatchObject({ restored: 1 })
})

it('keeps the records of a merge while a later one into the same reader can be undone, unless it was changed in between', async () => {
  const survivor = await makeAnn()
  const { mergeId } = await merge(survivor, await makeAnn())
  const later = await merge(survivor, await makeAnn())
  await cleanUpAfter(40)
  expect(await storedRecordCounts()).toEqual([2, 2])
  for (const id of [later.mergeId, mergeId])
    expect(await undoMerge(ctx, { mergeId: id })).toMatchObject({ restored: 1 })
  await merge(survivor, await makeAnn())
  await services.db.run(`UPDATE readers SET version = version + 1 WHERE id = :survivor`, { survivor })
  await merge(survivor, await makeAnn())
  await cleanUpAfter(40)
  expect(await storedRecordCounts()).toEqual([0, 0, 0, 2])
})

it('deletes the records of a merge with the record of a survivor that was removed', async () => {
  const survivor = await makeAnn()
  const duplicate = await makeAnn()
  const lastSurvivor = await makeAnn()
  await merge(survivor, duplicate)
  const { mergeId } = await merge(lastSurvivor, survivor)
  await removeReader(ctx, { id: lastSurvivor })
  await cleanUpAfter(29)
  expect(await storedRecordCounts()).toEqual([2, 2])
  expect(await cleanUpAfter(2)).toMatchObject({ readers: 1, merges: 2 })
  expect(await storedRecordCounts()).toEqual([0, 0])
  expect((await listMerges(ctx, { publicationId })).rows[0]).toMatchObject({ id: mergeId, canUndo: false, removed: 1 })
  await expect(undoMerge(ctx, { mergeId })).rejects.toMatchObject({ kind: 'conflict' })
  expect(await ReaderMerges.find(ctx, { id: Number(mergeId) })).toMatchObject({ recordsDeletedAt: services.now() })
})

it('deletes the records of a merge with the marketing data of the survivor', async () => {
  const ended = { subStartOn: '2015-01-01', subEndOn: '2021-12-01' }
  await merge(await makeAnn(ended), await makeAnn(ended))
  expect(await cleanUpAfter(40)).toMatchObject({ marketing: 1, merges: 1 })
  expect(await storedRecordCounts()).toEqual([0])
})

it('deletes the records of a merge 30 days later if the survivor was changed since', async () => {
  const survivor = await makeAnn()
  await merge(survivor, await makeAnn())
  await services.db.run(`UPDATE readers SET version = version + 1 WHERE id = :a`, { a: survivor })
  expect(await cleanUpAfter(29)).toMatchObject({ merges: 0 })
  expect(await cleanUpAfter(2)).toMatchObject({ merges: 1 })
})

it('searches the merges without reading any record', async () => {
  const { options } = services.db.sequelize as unknown as { options: { logging: unknown } }
  const statements: string[] = []
  options.logging = (line: string) => statements.push(line.replace(/^Executing \(\w+\): /, ''))
  try {
    await cleanUpAfter(1)
  } finally {
    options.logging = false
  }
  const searches = statements.filter((sql) => sql.includes('FROM reader_merges'))
  expect(searches).not.toEqual([])
  expect(searches.filter((sql) => /\brecords\b/.test(sql))).toEqual([])
  if (services.db.dialect !== 'sqlite') return
  // A separate connection: an explained statement pins its connection to the snapshot of that moment.
  const db = await openDatabase(services.databaseUrl)
  for (const sql of searches) {
    const plan = await db.query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    expect(plan[0]?.detail).toContain('COVERING INDEX reader_merges_with_records')
  }
  await db.close()
})
