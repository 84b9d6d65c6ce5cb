import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Database } from '#core/database.ts'
import { findLikelyDuplicates } from '#core/duplicates/find-likely-duplicates.ts'
import { listLikely } from '#core/duplicates/list-likely.query.ts'
import { listMerges } from '#core/duplicates/list-merges.query.ts'
import { mergeExact } from '#core/duplicates/merge-exact.ts'
import { undoMerges } from '#core/duplicates/undo-merges.ts'
import { fixReaders } from '#core/fixes/fix-readers.ts'
import { listFixes } from '#core/fixes/list-fixes.query.ts'
import { undoFix } from '#core/fixes/undo-fix.ts'
import { getPostcodes } from '#core/postcode-files/get-postcodes.query.ts'
import { storePostcodes } from '#core/postcode-files/store-postcodes.ts'
import { listRemovals } from '#core/removals/list-removals.query.ts'
import { removeReaders } from '#core/removals/remove-readers.ts'
import { restoreReaders } from '#core/removals/restore-readers.ts'
import { operator } from '#tests/support/factories.ts'
import { addOldPublication, addOldRow } from '#tests/support/old-rows.ts'
import { openMigratedServices } from '#tests/support/test-services.ts'
import { pieces } from '#tests/support/uploads.ts'
import { runWorker } from '#tests/support/worker.ts'

/** Postcode files, merges, searches and fixes in every state that they can have when their tables are migrated to tasks. */

const at = new Date('2026-11-20T10:00:00Z')
const by = { actor_kind: 'operator', actor_id: null }

/** A publication for each case, with the row that `add` has created in it. */
async function publications<Name extends string>(
  db: Database,
  names: readonly Name[],
  add: (publicationId: number, name: Name) => Promise<unknown>,
): Promise<Record<Name, number>> {
  const ids: Partial<Record<Name, number>> = {}
  for (const name of names) {
    const id = await addOldPublication(db)
    await add(id, name)
    ids[name] = id
  }
  return ids as Record<Name, number>
}

describe('postcode files from before 019', () => {
  it('are readable; those in progress are imported, and nobody is locked out', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'masthead-old-codes-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const stored = join(folder, 'codes.csv')
    const states = ['waiting', 'running', 'checking', 'done', 'replaced', 'failed'] as const
    let ids = {} as Record<(typeof states)[number] | 'command line', number>
    const services = await openMigratedServices('019-tasks', async (db) => {
      ids = await publications(db, [...states, 'command line'], (publication_id, name) =>
        addOldRow(db, 'postcode_files', {
          ...by,
          publication_id,
          state: name === 'command line' ? 'running' : name,
          is_live: name === 'done',
          file_name: 'codes.csv',
          stored_file: ['waiting', 'running', 'checking'].includes(name) ? `${stored}.${name}` : null,
          rows_done: 2,
          total_rows: 3,
          codes: 2,
          problem: name === 'failed' ? 'It holds no postcode' : null,
          started_at: at,
          finished_at: ['done', 'replaced', 'failed'].includes(name) ? at : null,
        }),
      )
      for (const name of ['waiting', 'running', 'checking'])
        writeFileSync(`${stored}.${name}`, 'PostCode\nM1 1AE\nM1 1AF\n')
    })
    const ctx = services.as(operator)
    const latest = async (name: keyof typeof ids) => (await getPostcodes(ctx, { publicationId: ids[name] })).latest
    expect(await latest('done')).toMatchObject({ state: 'done', isLive: true, rows: 2, totalRows: 3, finishedAt: at })
    expect(await latest('replaced')).toMatchObject({ state: 'replaced', startedAt: at })
    expect(await latest('failed')).toMatchObject({ state: 'failed', problem: 'It holds no postcode' })
    expect(await latest('command line')).toMatchObject({ state: 'failed' })
    for (const name of ['waiting', 'running', 'checking'] as const) expect((await latest(name))?.state).toBe('waiting')
    await runWorker(services)
    for (const name of ['waiting', 'running', 'checking'] as const)
      expect(await latest(name)).toMatchObject({ state: 'done', isLive: true, codes: 2 })
    for (const publicationId of Object.values(ids))
      await storePostcodes(ctx, { publicationId, fileName: 'next.csv', chunks: pieces('PostCode\nM1 1AE\n') })
  })
})

describe('bulk merges from before 027', () => {
  it('are readable; those in progress are resumed, and nobody is locked out', async () => {
    const states = ['waiting', 'running', 'done', 'cancelled', 'failed', 'undoing', 'undone'] as const
    let ids = {} as Record<(typeof states)[number] | 'exact', number>
    const services = await openMigratedServices('027-merge-tasks', async (db) => {
      ids = await publications(db, [...states, 'exact'], async (publication_id, name) => {
        const search = { ...by, publication_id, state: 'done', asked_at: at, finished_at: at }
        const search_id = name === 'exact' ? 0 : await addOldRow(db, 'likely_searches', search)
        await addOldRow(db, 'merge_batches', {
          ...by,
          publication_id,
          search_id,
          state: name === 'exact' ? 'running' : name,
          min_confidence: 0.97,
          groups_asked: 3,
          groups_merged: 2,
          groups_left: 1,
          readers_removed: 2,
          groups_undone: name === 'undone' ? 1 : 0,
          problem: name === 'failed' ? 'The disk is full' : name === 'undone' ? '1 stayed merged' : null,
          started_at: at,
          finished_at: ['done', 'cancelled', 'failed', 'undoing', 'undone'].includes(name) ? at : null,
          undone_at: name === 'undone' ? at : null,
        })
      })
    })
    const ctx = services.as(operator)
    const batch = async (name: keyof typeof ids) => (await listMerges(ctx, { publicationId: ids[name] })).batches[0]
    for (const name of ['waiting', 'running'] as const) expect((await batch(name))?.state).toBe('waiting')
    expect(await batch('done')).toMatchObject({ state: 'done', merged: 2, left: 1, startedAt: at, problem: null })
    expect(await batch('cancelled')).toMatchObject({ state: 'cancelled', readersRemoved: 2 })
    expect(await batch('failed')).toMatchObject({ state: 'failed', problem: 'The disk is full' })
    expect(await batch('undoing')).toMatchObject({ state: 'done', problem: expect.stringContaining('broken off') })
    expect(await batch('undone')).toMatchObject({
      state: 'undone',
      undone: 1,
      undoneAt: at,
      problem: '1 merged reader was changed since and stayed merged',
    })
    expect(await batch('exact')).toMatchObject({ state: 'cancelled', canResume: false })
    await runWorker(services)
    for (const name of ['waiting', 'running'] as const) expect(await batch(name)).toMatchObject({ state: 'done' })
    const restarted = await undoMerges(ctx, { batchId: (await batch('undoing'))?.id })
    expect(restarted.state).toBe('undoing')
    await runWorker(services)
    for (const publicationId of Object.values(ids)) await mergeExact(ctx, { publicationId, list: 'duplicateemails' })
  })
})

describe('searches from before 028', () => {
  it('are readable; the newest in progress is restarted, and nobody is locked out', async () => {
    const states = ['waiting', 'running', 'done', 'cancelled', 'failed'] as const
    let ids = {} as Record<(typeof states)[number], number>
    const services = await openMigratedServices('028-search-and-fix-tasks', async (db) => {
      ids = await publications(db, states, async (publication_id, state) => {
        const search = { ...by, publication_id, asked_at: at, readers: 5, groups_found: 2, seconds: 1.5 }
        // An older search, whose process had ended.
        await addOldRow(db, 'likely_searches', { ...search, state: 'running', locked_until: at })
        await addOldRow(db, 'likely_searches', {
          ...search,
          state,
          problem: state === 'failed' ? 'The disk is full' : null,
          locked_until: state === 'waiting' || state === 'running' ? at : null,
          finished_at: state === 'waiting' || state === 'running' ? null : at,
        })
      })
    })
    const ctx = services.as(operator)
    const list = (name: keyof typeof ids) => listLikely(ctx, { publicationId: ids[name] })
    expect(await list('done')).toMatchObject({
      latest: null,
      search: { state: 'done', readers: 5, groups: 2, seconds: 1.5, part: 1, askedAt: at, finishedAt: at },
    })
    expect(await list('cancelled')).toMatchObject({ search: null, latest: { state: 'cancelled' } })
    expect(await list('failed')).toMatchObject({ latest: { state: 'failed', problem: 'The disk is full' } })
    for (const name of ['waiting', 'running'] as const)
      expect(await list(name)).toMatchObject({ search: null, latest: { state: 'waiting', finishedAt: null } })
    await runWorker(services)
    for (const name of ['waiting', 'running'] as const)
      expect(await list(name)).toMatchObject({ latest: null, search: { state: 'done', readers: 0 } })
    for (const publicationId of Object.values(ids)) await findLikelyDuplicates(ctx, { publicationId })
  })
})

describe('fixes from before 028', () => {
  /** Two readers of a fix of full names: one that it has processed, one that it has not. */
  async function addReaders(db: Database, publication_id: number, isFixed: boolean) {
    const fixedFields = { full_name: 'Ann Lee', key_name: 'ann lee', version: 2 }
    const unfixed = { first_name: 'Ann', last_name: 'Lee' }
    const fixed = { first_name: 'Ann', last_name: 'Lee', ...fixedFields }
    const add = (unique_reference: string, fields: object) =>
      addOldRow(db, 'readers', {
        publication_id,
        unique_reference,
        post_code_state: 'ok',
        address_state: 'ok',
        ...fields,
      })
    return { first: await add('R1', fixed), second: await add('R2', isFixed ? fixed : unfixed) }
  }

  it('are readable; those in progress are resumed where they stopped, and nobody is locked out', async () => {
    const states = ['waiting', 'running', 'done', 'failed', 'undoing', 'undone'] as const
    let ids = {} as Record<(typeof states)[number], number>
    const services = await openMigratedServices('028-search-and-fix-tasks', async (db) => {
      ids = await publications(db, states, async (publication_id, state) => {
        const isUndo = state === 'undoing'
        const { first, second } = await addReaders(db, publication_id, isUndo)
        const fix_id = await addOldRow(db, 'reader_fixes', {
          ...by,
          publication_id,
          kind: 'full-names',
          state,
          last_reader_id: first,
          fixed: state === 'waiting' ? 0 : isUndo ? 2 : 1,
          left_alone: state === 'running' ? 1 : 0,
          undone: state === 'undone' ? 1 : 0,
          // The first of the two was changed since, and has been processed.
          kept: isUndo ? 1 : 0,
          problem: state === 'failed' ? 'The disk is full' : null,
          started_at: at,
          finished_at: state === 'waiting' || state === 'running' ? null : at,
          undone_at: state === 'undone' ? at : null,
        })
        const before = JSON.stringify({
          title: '',
          first_name: 'Ann',
          last_name: 'Lee',
          full_name: '',
          key_name: '',
          key_surname: '',
        })
        for (const [reader_id, version] of [
          [first, 1],
          [second, 2],
        ] as const)
          if (isUndo || (reader_id === first && state !== 'waiting'))
            await addOldRow(db, 'reader_fix_rows', { fix_id, reader_id, version, before })
      })
    })
    const ctx = services.as(operator)
    const fix = async (name: keyof typeof ids) => (await listFixes(ctx, { publicationId: ids[name] }))[0]
    expect(await fix('done')).toMatchObject({ state: 'done', fixed: 1, canUndo: true, startedAt: at, finishedAt: at })
    expect(await fix('failed')).toMatchObject({ state: 'failed', problem: 'The disk is full', canResume: false })
    expect(await fix('undone')).toMatchObject({ state: 'undone', undone: 1, undoneAt: at, canUndo: false })
    for (const name of ['waiting', 'running'] as const) expect(await fix(name)).toMatchObject({ state: 'waiting' })
    expect(await fix('undoing')).toMatchObject({ state: 'undoing', undone: 0, kept: 1 })
    await runWorker(services)
    expect(await fix('waiting')).toMatchObject({ state: 'done', fixed: 1, leftAlone: 0 })
    expect(await fix('running')).toMatchObject({ state: 'done', fixed: 2, leftAlone: 0 })
    expect(await fix('undoing')).toMatchObject({ state: 'undone', undone: 1, kept: 1 })
    expect((await undoFix(ctx, { fixId: (await fix('failed'))?.id })).state).toBe('undone')
    for (const publicationId of Object.values(ids))
      expect((await fixReaders(ctx, { publicationId, kind: 'name-fields' })).state).toBe('done')
  })
})

describe('readers removed together before 142', () => {
  it('are restored by the number that they had, and later removals get other numbers', async () => {
    let batchId = 0
    let publicationId = 0
    const services = await openMigratedServices('142-reader-removals', async (db) => {
      publicationId = await addOldPublication(db)
      const row = async (reference: string) => {
        const id = await addOldRow(db, 'readers', {
          publication_id: publicationId,
          unique_reference: reference,
          version: 1,
        })
        const [record] = await db.query<Record<string, unknown>>(`SELECT * FROM readers WHERE id = :id`, { id })
        await db.transaction(() => db.run(`DELETE FROM readers WHERE id = :id`, { id }))
        return addOldRow(db, 'removed_readers', {
          publication_id: publicationId,
          reader_id: id,
          record: JSON.stringify(record),
          actor_kind: 'operator',
          removed_at: at,
        })
      }
      await row('alone')
      batchId = await row('one')
      await row('two')
      await db.transaction(() =>
        db.run(`UPDATE removed_readers SET batch_id = :batchId WHERE id >= :batchId`, { batchId }),
      )
    })
    services.clock.now = new Date(at.getTime() + 86_400_000)
    const ctx = services.as(operator)
    expect(await listRemovals(ctx, { publicationId })).toMatchObject([
      { id: batchId, list: null, state: 'done', removed: 2, createdAt: at, canRestore: true },
    ])
    expect(await restoreReaders(ctx, { removalId: batchId })).toMatchObject({ restored: 2, left: 0 })
    const removal = await removeReaders(ctx, { publicationId, list: 'all', count: 2 })
    expect(removal.removed).toBe(2)
    expect(removal.id).toBeGreaterThan(batchId)
  })
})
