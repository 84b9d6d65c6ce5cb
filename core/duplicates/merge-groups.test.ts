import { beforeEach, describe, expect, it } from 'vitest'
import type { AppContext } from '#core/context.ts'
import type { ReaderRow } from '#core/readers/readers.rows.ts'
import { actorOf, makePublication } from '#tests/support/factories.ts'
import { makeReader, readerRow } from '#tests/support/readers.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { runWorker } from '#tests/support/worker.ts'
import { markReadersDifferent } from './different-readers.rows.ts'
import { listDuplicates } from './list-duplicates.query.ts'
import { listMerges } from './list-merges.query.ts'
import { mergeList } from './merge-exact.ts'
import { mergeGroups } from './merge-groups.ts'
import { mergeReaders } from './merge-readers.ts'
import { undoMerge } from './undo-merge.ts'
import { undoMerges } from './undo-merges.ts'

const services = await openTestServices()
let publicationId: number
let publisherId: number
let ctx: AppContext

beforeEach(async () => {
  const publication = await makePublication(services)
  publicationId = publication.id
  publisherId = publication.publisherId
  ctx = services.as(await actorOf(services, 'publisher', publisherId))
})

const make = (fields: Partial<ReaderRow>) => makeReader(services, publicationId, fields)
const makePair = async (n: number, second: Partial<ReaderRow> = {}) => {
  const ann = { firstName: 'Ann', lastName: `Lee${n}`, postCode: 'PL23 1AT', email: `ann${n}@example.org` }
  const ids = [await make({ ...ann, telephone: '' }), await make({ ...ann, telephone: '01726 1', ...second })]
  return ids.map((id) => ({ id, version: 1 }))
}
const countDuplicates = async () => (await listDuplicates(ctx, { publicationId, list: 'duplicateemails' })).total

describe('groups picked from a page', () => {
  it('are merged by the survivor rule, counted as one run, and undone together', async () => {
    const groups = [await makePair(1), await makePair(2, { subPaid: 2400, subEndOn: '2099-03-31' }), await makePair(3)]
    const before = await Promise.all(groups.flat().map(({ id }) => readerRow(services, id)))
    const { batchId, ...counts } = await mergeGroups(ctx, { publicationId, groups: groups.slice(0, 2) })
    expect(counts).toEqual({ merged: 2, skipped: 0, removed: 2 })
    // The paid record is kept, with the data of the other one.
    expect(await readerRow(services, groups[1]?.[1]?.id ?? 0)).toMatchObject({ sub_paid: 2400 })
    expect(await countDuplicates()).toBe(1)
    expect((await listMerges(ctx, { publicationId })).batches[0]).toMatchObject({
      id: batchId,
      of: 'picked',
      merged: 2,
    })
    await undoMerges(ctx, { batchId })
    await runWorker(services)
    expect(await countDuplicates()).toBe(3)
    const after = await Promise.all(groups.flat().map(({ id }) => readerRow(services, id)))
    const content = (row: Record<string, unknown> | undefined) => ({
      ...row,
      version: 0,
      updated_at: 0,
      modified_by: 0,
    })
    expect(after.map(content)).toEqual(before.map(content))
  })

  it('are skipped when a record was changed after it was shown, and the others are merged', async () => {
    const changed = await makePair(1)
    const unchanged = await makePair(2)
    await services.db.run(`UPDATE readers SET version = 2 WHERE id = :id`, { id: changed[0]?.id ?? 0 })
    expect(await mergeGroups(ctx, { publicationId, groups: [changed, unchanged] })).toMatchObject({
      merged: 1,
      skipped: 1,
    })
    expect(await readerRow(services, changed[1]?.id ?? 0)).toBeDefined()
  })

  it('of another publisher, or by a user without permission, are not touched', async () => {
    const groups = [await makePair(1)]
    const stranger = services.as(await actorOf(services, 'publisher'))
    await expect(mergeGroups(stranger, { publicationId, groups })).rejects.toMatchObject({ kind: 'notFound' })
    const otherPublication = await makePublication(services, { publisherId })
    expect(await mergeGroups(ctx, { publicationId: otherPublication.id, groups })).toMatchObject({
      merged: 0,
      skipped: 1,
    })
    for (const type of ['admin', 'mailer'] as const) {
      const staff = services.as(await actorOf(services, type, publisherId))
      await expect(mergeGroups(staff, { publicationId, groups })).rejects.toMatchObject({ kind: 'denied' })
    }
    expect(await countDuplicates()).toBe(1)
  })
})

describe('a whole list', () => {
  it('does not merge two readers marked as different, even after one of them was merged into another', async () => {
    const annLee = { firstName: 'Ann', lastName: 'Lee', fullName: 'Ann Lee', postCode: 'PL23 1AT' }
    const different = await make(annLee)
    const merged = await make(annLee)
    const survivor = await make(annLee)
    await markReadersDifferent(ctx, publicationId, [different, merged])
    await mergeReaders(ctx, { publicationId, readerIds: [merged, survivor], survivorId: survivor })
    expect(await mergeList(ctx, { publicationId, list: 'duplicatefullname' })).toMatchObject({ merged: 0, left: 1 })
    for (const id of [different, survivor]) expect(await readerRow(services, id)).toBeDefined()
    const laterSurvivor = await make(annLee)
    await mergeReaders(ctx, { publicationId, readerIds: [survivor, laterSurvivor], survivorId: laterSurvivor })
    expect(await mergeList(ctx, { publicationId, list: 'duplicatefullname' })).toMatchObject({ merged: 0, left: 1 })
    // Somebody who looks at both may still merge them.
    expect(await mergeReaders(ctx, { publicationId, readerIds: [different, laterSurvivor] })).toMatchObject({
      removed: 1,
    })
  })

  it('merges groups whose readers are marked as different from those of another group only', async () => {
    const [ofFirstPair] = await makePair(1)
    const [ofSecondPair] = await makePair(2)
    await markReadersDifferent(ctx, publicationId, [Number(ofFirstPair?.id), Number(ofSecondPair?.id)])
    expect(await mergeList(ctx, { publicationId, list: 'duplicateemails' })).toMatchObject({ merged: 2, left: 0 })
  })

  it('the undo of a merge keeps the marks as different that were made since, for every reader that was merged', async () => {
    const ids = [await make({}), await make({}), await make({}), await make({})] as const
    const [survivor, merged, different, stranger] = ids
    await markReadersDifferent(ctx, publicationId, [merged, different])
    services.clock.advance({ minutes: 1 })
    const { mergeId } = await mergeReaders(ctx, { publicationId, readerIds: [survivor, merged], survivorId: survivor })
    services.clock.advance({ minutes: 1 })
    // The first of them repeats what the merge added.
    for (const other of [different, stranger]) await markReadersDifferent(ctx, publicationId, [survivor, other])
    await undoMerge(ctx, { mergeId })
    const marks = await services.db.query<{ a: number; b: number }>(
      `SELECT reader_a AS a, reader_b AS b FROM readers_apart WHERE publication_id = :publicationId ORDER BY reader_a, reader_b`,
      { publicationId },
    )
    expect(marks).toEqual([survivor, merged].flatMap((a) => [different, stranger].map((b) => ({ a, b }))))
  })

  it('the undo of a merge removes the marks as different that the merge added', async () => {
    const annLee = { firstName: 'Ann', lastName: 'Lee', fullName: 'Ann Lee', postCode: 'PL23 1AT' }
    const survivor = await make(annLee)
    const merged = await make(annLee)
    const different = await make({ ...annLee, postCode: 'TR11 3XA' })
    await markReadersDifferent(ctx, publicationId, [merged, different])
    const marks = () => services.db.query(`SELECT reader_a AS a, reader_b AS b FROM readers_apart WHERE publication_id = :publicationId ORDER BY id`, { publicationId }) // biome-ignore format: a row
    const { mergeId } = await mergeReaders(ctx, { publicationId, readerIds: [survivor, merged], survivorId: survivor })
    expect(await marks()).toEqual([{ a: merged, b: different }, { a: survivor, b: different }]) // biome-ignore format: a row
    await undoMerge(ctx, { mergeId })
    expect(await marks()).toEqual([{ a: merged, b: different }])
    // A mark of the survivor's own stays.
    await markReadersDifferent(ctx, publicationId, [survivor, different])
    const secondMerge = await mergeReaders(ctx, { publicationId, readerIds: [survivor, merged], survivorId: survivor })
    await undoMerge(ctx, { mergeId: secondMerge.mergeId })
    expect(await marks()).toEqual([{ a: merged, b: different }, { a: survivor, b: different }]) // biome-ignore format: a row
  })

  it('does not merge couples who share an email, or an initial and a postcode', async () => {
    const shared = { lastName: 'Smith', postCode: 'PL23 1AT', email: 'smiths@example.org' }
    const couple = [await make({ ...shared, title: 'Mr', firstName: 'J' }), await make({ ...shared, title: 'Mrs', firstName: 'J' })] // biome-ignore format: a row
    for (const list of ['duplicatefullname', 'duplicateemails'] as const)
      expect(await mergeList(ctx, { publicationId, list })).toMatchObject({ merged: 0, left: 1 })
    for (const id of couple) expect(await readerRow(services, id)).toBeDefined()
  })

  it('is merged at once when it is short, and undone', async () => {
    for (let n = 0; n < 33; n++) await makePair(n)
    const { id, state, merged, of } = await mergeList(ctx, { publicationId, list: 'duplicateemails' })
    expect({ state, merged, of }).toEqual({ state: 'done', merged: 33, of: 'duplicateemails' })
    expect(await countDuplicates()).toBe(0)
    await undoMerges(ctx, { batchId: id })
    await runWorker(services)
    expect(await countDuplicates()).toBe(33)
  })

  it('is merged by the worker when it is long', async () => {
    const pair = await makePair(0)
    const rowsOfPair = async () => (await Promise.all(pair.map(({ id }) => readerRow(services, id)))).filter(Boolean)
    await services.db.run(
      `INSERT INTO reader_counts (publication_id, list, edition, counted_on, readers)
       SELECT publication_id, 'duplicateemails', edition, :today, 301 FROM reader_editions WHERE publication_id = :publicationId`,
      { publicationId, today: services.now().toISOString().slice(0, 10) },
    )
    const { id, state } = await mergeList(ctx, { publicationId, list: 'duplicateemails' })
    expect(state).toBe('waiting')
    expect(await rowsOfPair()).toHaveLength(2)
    await runWorker(services)
    expect((await listMerges(ctx, { publicationId })).batches[0]).toMatchObject({ id, state: 'done', merged: 1 })
    expect(await rowsOfPair()).toHaveLength(1)
    expect(await countDuplicates()).toBe(0)
  })
})
