import { beforeEach, describe, expect, it } from 'vitest'
import type { AppContext } from '#core/context.ts'
import { fixReaders } from '#core/fixes/fix-readers.ts'
import { undoFix } from '#core/fixes/undo-fix.ts'
import { undoImport } from '#core/imports/undo-import.ts'
import type { PublicationRow } from '#core/publications/publications.rows.ts'
import { editReader } from '#core/readers/edit-reader.ts'
import { getReader } from '#core/readers/get-reader.query.ts'
import { actorOf, makePublication, operator } from '#tests/support/factories.ts'
import { readerFiles } from '#tests/support/reader-files.ts'
import { makeReader, readerRow } from '#tests/support/readers.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { runWorker } from '#tests/support/worker.ts'
import { findLikelyDuplicates } from './find-likely-duplicates.ts'
import { listLikely } from './list-likely.query.ts'
import { mergeReaders } from './merge-readers.ts'
import { undoMerge } from './undo-merge.ts'

const services = await openTestServices()
const { importInto } = readerFiles(() => services)
let publication: PublicationRow
let ctx: AppContext

beforeEach(async () => {
  publication = await makePublication(services)
  ctx = services.as(await actorOf(services, 'publisher', publication.publisherId))
})

const merge = (readerIds: number[], survivorId?: number) =>
  mergeReaders(ctx, { publicationId: publication.id, readerIds, survivorId })
const fix = (kind: 'full-names' | 'name-fields' | 'addresses') =>
  fixReaders(ctx, { publicationId: publication.id, kind })
const readers = () =>
  services.db.query<{ id: number }>('SELECT * FROM readers WHERE publication_id = :id ORDER BY id', {
    id: publication.id,
  })
const undo = (uploadId: number | null) => undoImport(services.as(operator), { uploadId })

/** A row without the time and the author of its last change. */
const content = (row: Record<string, unknown> | undefined) => {
  const { updated_at: _at, modified_by: _by, ...rest } = row ?? {}
  return rest
}

describe('changes undone in reverse order', () => {
  const twins = 'UniqueReference,FirstName,LastName\nA1,Ann,Lee\nA2,Ann,Lee\n'

  it('are an import and the fix of its readers', async () => {
    const { uploadId } = await importInto(publication, twins, 'add')
    const { id: fixId, fixed } = await fix('full-names')
    expect(fixed).toBe(2)
    expect(await undoFix(ctx, { fixId })).toMatchObject({ undone: 2 })
    expect(await undo(uploadId)).toMatchObject({ removed: 2, leftAlone: 0 })
  })

  it('are an import and the merge of its readers', async () => {
    const { uploadId } = await importInto(publication, twins, 'add')
    const { mergeId } = await merge((await readers()).map(({ id }) => id))
    await undoMerge(ctx, { mergeId })
    expect(await undo(uploadId)).toMatchObject({ removed: 2, leftAlone: 0 })
  })

  it('are two fixes of one reader', async () => {
    const fields = { fullName: 'Dr. Ann Lee', addressOne: '1 High Street, Ely', postCode: 'CB7 4AA' }
    const id = await makeReader(services, publication.id, fields)
    const before = content(await readerRow(services, id))
    const first = await fix('name-fields')
    const second = await fix('addresses')
    expect([first.fixed, second.fixed]).toEqual([1, 1])
    for (const { id: fixId } of [second, first]) expect(await undoFix(ctx, { fixId })).toMatchObject({ undone: 1 })
    expect(content(await readerRow(services, id))).toEqual(before)
  })

  it('are two merges into one reader', async () => {
    const [kept, first, second] = [
      await makeReader(services, publication.id, { fullName: 'Ann Lee' }),
      await makeReader(services, publication.id, { email: 'ann@example.org' }),
      await makeReader(services, publication.id, { telephone: '12' }),
    ]
    const before = (await readers()).map(content)
    const merges = [await merge([kept, first], kept), await merge([kept, second], kept)]
    await expect(undoMerge(ctx, { mergeId: merges[0]?.mergeId })).rejects.toMatchObject({ kind: 'conflict' })
    for (const { mergeId } of merges.reverse()) await undoMerge(ctx, { mergeId })
    expect((await readers()).map(content)).toEqual(before)
  })
})

describe('a form opened on a merged reader', () => {
  it('does not overwrite a change made after the undo of the merge', async () => {
    const ids = [await makeReader(services, publication.id), await makeReader(services, publication.id)]
    services.clock.advance({ minutes: 1 })
    const { mergeId, survivorId: id } = await merge(ids)
    const { version, updatedAt } = await getReader(ctx, { id })
    services.clock.advance({ minutes: 1 })
    await undoMerge(ctx, { mergeId })
    await editReader(ctx, { id, city: 'York' })
    expect(await getReader(ctx, { id })).toMatchObject({ version })
    const form = { id, city: 'Hull', version, versionAt: updatedAt.toISOString() }
    await expect(editReader(ctx, form)).rejects.toMatchObject({ kind: 'conflict' })
  })
})

describe('a likely group found before an undo', () => {
  const robert = { firstName: 'Robert', lastName: 'Thompson', addressOne: '14 Mill Street', city: 'Fowey' }
  const same = { ...robert, postCode: 'PL23 1AQ', email: 'bob@example.org' }

  /** Makes the readers a likely group by `change`, which returns its undo; then edits the second, so that it has the version that was compared. */
  async function isStillListed(other: object, change: (ids: [number, number]) => Promise<() => Promise<unknown>>) {
    const ids: [number, number] = [
      await makeReader(services, publication.id, same),
      await makeReader(services, publication.id, { ...same, ...other, uniqueReference: 'X2' }),
    ]
    const undoChange = await change(ids)
    await findLikelyDuplicates(ctx, { publicationId: publication.id })
    await runWorker(services)
    const listed = async () => (await listLikely(ctx, { publicationId: publication.id })).rows.length
    expect(await listed()).toBe(1)
    const { version } = await getReader(ctx, { id: ids[1] })
    await undoChange()
    await editReader(ctx, { id: ids[1], city: 'York' })
    expect(await getReader(ctx, { id: ids[1] })).toMatchObject({ version })
    return (await listed()) > 0
  }

  it('of an import is no longer listed', async () => {
    expect(
      await isStillListed({ lastName: 'Quill', email: '' }, async () => {
        const file = 'UniqueReference,LastName,Email\nX2,Thomson,bob@example.org\n'
        const { uploadId } = await importInto(publication, file, 'combine')
        return () => undo(uploadId)
      }),
    ).toBe(false)
  })

  it('of a fix is no longer listed', async () => {
    expect(
      await isStillListed({ firstName: '', lastName: '', fullName: 'Robert Thompson' }, async () => {
        const { id: fixId } = await fix('name-fields')
        return () => undoFix(ctx, { fixId })
      }),
    ).toBe(false)
  })

  it('of a merge is no longer listed', async () => {
    expect(
      await isStillListed({ email: '' }, async ([, id]) => {
        const third = await makeReader(services, publication.id, { email: same.email })
        const { mergeId } = await merge([id, third], id)
        return () => undoMerge(ctx, { mergeId })
      }),
    ).toBe(false)
  })
})
