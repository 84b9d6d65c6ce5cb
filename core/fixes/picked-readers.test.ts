import { beforeEach, describe, expect, it } from 'vitest'
import type { AppContext } from '#core/context.ts'
import { actorOf, makePublication } from '#tests/support/factories.ts'
import { copyReader, makeReader, readerRow } from '#tests/support/readers.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { textOf } from '#tests/support/text-of.ts'
import { removeReader } from '../readers/remove-reader.ts'
import { restoreReader } from '../readers/restore-reader.ts'
import { removeReaders } from '../removals/remove-readers.ts'
import { restoreReaders } from '../removals/restore-readers.ts'
import { exportWarning } from '../warnings/export-warning.ts'
import { listedIds, listWarning } from '../warnings/list-warning.query.ts'
import { fixReaders } from './fix-readers.ts'
import { previewFix, previewListFix } from './preview-fix.query.ts'
import { undoFix } from './undo-fix.ts'

const services = await openTestServices()
let publicationId: number
let publisherId: number
let ctx: AppContext
let ids: number[]

beforeEach(async () => {
  const publication = await makePublication(services)
  publicationId = publication.id
  publisherId = publication.publisherId
  ctx = services.as(await actorOf(services, 'publisher', publisherId))
  ids = []
  for (const n of [1, 2, 3, 4])
    ids.push(await makeReader(services, publicationId, { firstName: 'Ida', lastName: `Finch${n}`, fullName: '' }))
})

const countInList = async () => (await listWarning(ctx, { publicationId, list: 'nofullname' })).total

describe('readers picked from a list', () => {
  it('are removed together and restored together unchanged', async () => {
    const before = await Promise.all(ids.map((id) => readerRow(services, id)))
    const { id: removalId, ...counts } = await removeReaders(ctx, { publicationId, readerIds: ids.slice(0, 3) })
    expect(counts).toMatchObject({ state: 'done', removed: 3, gone: 0 })
    expect(await countInList()).toBe(1)
    expect(await restoreReaders(ctx, { removalId })).toMatchObject({ restored: 3, left: 0 })
    const restored = await Promise.all(ids.map((id) => readerRow(services, id)))
    expect(restored).toEqual(before)
    await expect(restoreReaders(ctx, { removalId })).rejects.toMatchObject({ kind: 'notFound' })
  })

  it('are restored except those whose reference was reused or who were restored separately', async () => {
    const { id: removalId } = await removeReaders(ctx, { publicationId, readerIds: ids.slice(0, 3) })
    const [removedRow] = await services.db.query<{ record: string | { unique_reference: string } }>(
      `SELECT record FROM removed_readers WHERE reader_id = :id`,
      { id: ids[0] ?? 0 },
    )
    const record = typeof removedRow?.record === 'string' ? JSON.parse(removedRow.record) : removedRow?.record
    await makeReader(services, publicationId, { uniqueReference: record.unique_reference })
    await restoreReader(ctx, { id: ids[1] })
    expect(await restoreReaders(ctx, { removalId })).toMatchObject({ restored: 1, left: 1 })
  })

  it('cannot be changed by another publisher', async () => {
    const stranger = services.as(await actorOf(services, 'publisher'))
    await expect(removeReaders(stranger, { publicationId, readerIds: ids })).rejects.toMatchObject({ kind: 'notFound' })
    // The readers are not found in another publication of the same publisher.
    const otherPublication = await makePublication(services, { publisherId })
    await expect(removeReaders(ctx, { publicationId: otherPublication.id, readerIds: ids })).rejects.toMatchObject({
      kind: 'notFound',
    })
    for (const type of ['admin', 'mailer'] as const) {
      const staff = services.as(await actorOf(services, type, publisherId))
      await expect(removeReaders(staff, { publicationId, readerIds: ids })).rejects.toMatchObject({ kind: 'denied' })
    }
    const { id: removalId } = await removeReaders(ctx, { publicationId, readerIds: ids })
    await expect(restoreReaders(stranger, { removalId })).rejects.toMatchObject({ kind: 'notFound' })
    expect(await countInList()).toBe(0)
  })

  it('are fixed and exported, and no others', async () => {
    const picked = ids.slice(1, 3)
    const fix = await fixReaders(ctx, { publicationId, kind: 'full-names', readerIds: picked })
    expect(fix).toMatchObject({ state: 'done', fixed: 2 })
    expect(await countInList()).toBe(2)
    await undoFix(ctx, { fixId: fix.id })
    expect(await countInList()).toBe(4)
    const { chunks, total } = await exportWarning(ctx, { publicationId, list: 'nofullname', readerIds: picked })
    expect(total).toBe(2)
    const text = await textOf(chunks)
    expect(text.match(/Finch\d/g)).toEqual(['Finch2', 'Finch3'])
    // None of the picked readers is in a list of another publication.
    const otherPublication = await makePublication(services, { publisherId })
    const none = await exportWarning(ctx, { publicationId: otherPublication.id, list: 'all', readerIds: picked })
    expect(none.total).toBe(0)
  })

  it('are exported by a search, whatever characters it has', async () => {
    const fields = { title: '', firstName: '', lastName: '', fullName: '' }
    await makeReader(services, publicationId, { ...fields, lastName: "O'Brien", uniqueReference: `A\\'1:list` })
    await makeReader(services, publicationId, { ...fields, lastName: 'Other', uniqueReference: 'A2' })
    const exported = async (q: string, list: 'nofullname' | 'all' = 'nofullname') => {
      const { chunks } = await exportWarning(ctx, { publicationId, list, q })
      return (await textOf(chunks)).match(/Finch\d|O'Brien|Other/g) ?? []
    }
    expect(await exported('finch2')).toEqual(['Finch2'])
    expect(await exported("o'b")).toEqual(["O'Brien"])
    expect(await exported(`A\\'1:l`)).toEqual(["O'Brien"])
    expect(await exported(`\\' OR 1=1 --`, 'all')).toEqual([])
    // Dots alone leave nothing to compare.
    expect(await exported('...', 'all')).toEqual([])
  })

  it('are previewed as they will be fixed, without those that have left the list', async () => {
    const named = await makeReader(services, publicationId, { fullName: 'Ida Finch' })
    const nobody = await makeReader(services, publicationId, { title: '', firstName: '', lastName: '', fullName: '' })
    const picked = [...ids.slice(1, 3), named, nobody]
    const preview = await previewFix(ctx, { publicationId, kind: 'full-names', readerIds: picked })
    expect(preview).toMatchObject({ total: 3, examined: 3, fixable: 2, leftAlone: 1 })
    expect(preview.samples.map(({ id, before, after }) => [id, before.fullName, after.fullName])).toEqual([
      [ids[1], '', expect.stringContaining('Ida Finch2')],
      [ids[2], '', expect.stringContaining('Ida Finch3')],
    ])
    expect(await fixReaders(ctx, { publicationId, kind: 'full-names', readerIds: picked })).toMatchObject({
      fixed: preview.fixable,
      leftAlone: preview.leftAlone,
    })
  })

  it('show the first twenty changes', async () => {
    for (let n = 0; n < 20; n++)
      ids.push(await makeReader(services, publicationId, { firstName: 'Al', lastName: 'Day', fullName: '' }))
    const { samples, ...counts } = await previewFix(ctx, { publicationId, kind: 'full-names', readerIds: ids })
    expect(counts).toMatchObject({ fixable: 24, leftAlone: 0 })
    expect(samples.map(({ id }) => id)).toEqual(ids.slice(0, 20))
  })

  it('can be all that match a filter, without paging', async () => {
    expect((await listedIds(ctx, { publicationId, list: 'nofullname' })).sort()).toEqual([...ids].sort())
    expect(await listedIds(ctx, { publicationId, list: 'nofullname', q: 'finch3' })).toEqual([ids[2]])
    const stranger = services.as(await actorOf(services, 'publisher'))
    await expect(listedIds(stranger, { publicationId, list: 'all' })).rejects.toMatchObject({ kind: 'notFound' })
  })

  it('cannot be all that match if one of them has come into the list since it was shown, though there are as many', async () => {
    const shownAt = services.now()
    services.clock.now = new Date(shownAt.getTime() + 60_000)
    const shown = { publicationId, list: 'nofullname', count: ids.length, shownAt: shownAt.toISOString() }
    expect(await listedIds(ctx, shown)).toHaveLength(ids.length)
    await removeReaders(ctx, { publicationId, readerIds: ids.slice(0, 1) })
    await makeReader(services, publicationId, { firstName: 'Al', lastName: 'Day', fullName: '' })
    expect(await countInList()).toBe(ids.length)
    await expect(listedIds(ctx, shown)).rejects.toMatchObject({
      kind: 'conflict',
      message: '1 reader in this list was added or changed since it was shown',
    })
  })
})

describe('all readers of a list that was shown', () => {
  it.each([
    [
      'one',
      async (id: number) => {
        await removeReader(ctx, { id })
        return () => restoreReader(ctx, { id })
      },
    ],
    [
      'several',
      async (id: number) => {
        const { id: removalId } = await removeReaders(ctx, { publicationId, readerIds: [id] })
        return () => restoreReaders(ctx, { removalId })
      },
    ],
  ])('do not include a restored one, whether %s were removed', async (_, remove) => {
    const restore = await remove(ids[0] ?? 0)
    services.clock.now = new Date(services.now().getTime() + 60_000)
    const shown = { publicationId, list: 'nofullname', count: 3, shownAt: services.now().toISOString() }
    services.clock.now = new Date(services.now().getTime() + 60_000)
    await removeReader(ctx, { id: ids[1] })
    await restore()
    expect(await countInList()).toBe(3)
    await expect(listedIds(ctx, shown)).rejects.toMatchObject({
      message: '1 reader in this list was added or changed since it was shown',
    })
  })
})

describe('a fix of a whole list', () => {
  it('fixes the readers that its preview counted, not those who were added since', async () => {
    const preview = await previewListFix(ctx, { publicationId, kind: 'full-names' })
    expect(preview).toMatchObject({ total: 4, fixable: 4 })
    expect([...(preview.readerIds ?? [])].sort()).toEqual([...ids].sort())
    const addedLater = await makeReader(services, publicationId, { firstName: 'Al', lastName: 'Day', fullName: '' })
    const fix = await fixReaders(ctx, { publicationId, kind: 'full-names', readerIds: preview.readerIds ?? undefined })
    expect(fix).toMatchObject({ state: 'done', fixed: 4 })
    expect(await readerRow(services, addedLater)).toMatchObject({ full_name: '' })
  })

  it('has a preview of an empty list too, and does not name the readers of a long one', async () => {
    expect(await previewListFix(ctx, { publicationId, kind: 'addresses' })).toMatchObject({ total: 0, readerIds: null })
    await copyReader(services, ids[0] ?? 0, 2000)
    const preview = await previewListFix(ctx, { publicationId, kind: 'full-names' })
    expect(preview).toMatchObject({ total: 2004, readerIds: null, fingerprint: expect.any(String) })
  })
})
