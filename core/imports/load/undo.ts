import type { Database } from '#core/database.ts'
import { rowLock } from '#core/dialect.ts'
import { changedGroupsSql } from '#core/duplicates/likely-groups.rows.ts'
import type { BulkConnection } from '#core/ports/bulk.ts'
import { expectLease } from '#core/tasks/lease.ts'
import { addUndoCountsSql } from '../uploads.rows.ts'
import { changeTerms, expectReaders, markReadersChanged, storedNow, withRetries } from './apply.ts'
import { backedUpReader, backupColumns, readerColumnsInFull, restoredReader } from './backup-columns.ts'
import { dropReaderIndexes, ensureReaderIndexes, finishLoad } from './indexes.ts'
import { maxWriteMs, type UndoPlan, type UndoProgress, type UndoWatcher } from './load-plan.ts'
import { undoFailure } from './store-failure.ts'

interface Chunk {
  after: number
  upTo: number
}

type Counts = Omit<UndoProgress, 'isFinished'>
const countNames = ['removed', 'restored', 'broughtBack', 'leftAlone'] as const

interface Undo {
  work: BulkConnection
  plan: UndoPlan
  /** Readers per commit. */
  chunkRows: number
}

/** SQL: whether another reader now has the reference of this backup. */
const isTaken = (backup: string, condition = '') =>
  `EXISTS (SELECT 1 FROM readers t WHERE t.publication_id = ${backup}.publication_id AND t.unique_reference = ${backup}.unique_reference AND t.id <> ${backup}.id${condition})`

/**
 * Undoes an import, chunk by chunk: added readers are removed, changed ones get their previous row, removed ones are restored with the same id. Readers
 * changed since are left unchanged. Each chunk deletes its backups in the same commit, so that a later run resumes from there.
 */
export async function undoLoad(db: Database, plan: UndoPlan, watcher: UndoWatcher): Promise<UndoProgress> {
  const progress: UndoProgress = { removed: 0, restored: 0, broughtBack: 0, leftAlone: 0, isFinished: true }
  try {
    await dropReaderIndexes(db, plan.publicationId, plan.readers)
    const work = await db.bulk.connect('stage_rows')
    await undoInChunks({ work, plan, chunkRows: db.bulk.sizes.changed }, watcher, progress).finally(() => work.close())
    await watcher.run.extendLease(maxWriteMs)
    await finishLoad(db, progress.removed + progress.restored + progress.broughtBack)
    return progress
  } catch (error) {
    // The error of the undo is the one to report; missing indexes are built at the next start.
    await watcher.run.extendLease(maxWriteMs).catch(() => {})
    await ensureReaderIndexes(db).catch(() => {})
    throw undoFailure(db, error, progress)
  }
}

async function undoInChunks(undo: Undo, watcher: UndoWatcher, progress: UndoProgress): Promise<void> {
  const { work } = undo
  for (const step of [removeAdded, restoreChanged, restoreRemoved]) {
    for (let after = 0; ; ) {
      const upTo = await step.end(undo, after)
      if (upTo === null) break
      const chunk = { after, upTo }
      const counts = await withRetries(() => work.write(() => undoChunk(undo, watcher, progress, chunk, step.run)))
      for (const name of countNames) progress[name] += counts[name]
      watcher.settled({ ...progress })
      if (watcher.signal?.aborted) {
        progress.isFinished = false
        return
      }
      after = upTo
    }
  }
}

/** Undoes one chunk; its counts and the checkpoint are written in the same transaction. */
async function undoChunk(
  undo: Undo,
  { run: task, before }: UndoWatcher,
  progress: UndoProgress,
  chunk: Chunk,
  run: (undo: Undo, chunk: Chunk) => Promise<Partial<Counts>>,
): Promise<Counts> {
  const { work, plan } = undo
  const counts = { removed: 0, restored: 0, broughtBack: 0, leftAlone: 0, ...(await run(undo, chunk)) }
  const restoredReaders = counts.removed + counts.restored + counts.broughtBack
  const cursor = { ...before }
  for (const name of countNames) cursor[name] += progress[name] + counts[name]
  const done = cursor.removed + cursor.restored + cursor.broughtBack + cursor.leftAlone
  const checkpoint = task.checkpointSql({ cursor, phase: 'undoing', done })
  expectLease(await work.run(checkpoint.sql, checkpoint.values))
  const { sql, values } = addUndoCountsSql(plan.uploadId, { restored: restoredReaders, leftAlone: counts.leftAlone })
  await work.run(sql, values)
  if (restoredReaders > 0) await markReadersChanged(work, plan.publicationId)
  return counts
}

/** The last of the next chunk's readers, from a query that lists them in order; null when there are none. */
async function lastOf({ work, chunkRows }: Undo, readers: string, after: number): Promise<number | null> {
  const [row] = await work.all<{ id: number | null }>(
    `SELECT max(id) AS id FROM (${readers} AND id > ${after} ORDER BY id LIMIT ${chunkRows}) chunk`,
  )
  return row?.id === null || row?.id === undefined ? null : Number(row.id)
}

const within = (name: string, { after, upTo }: Chunk) => `${name}.id > ${after} AND ${name}.id <= ${upTo}`

/** Updates the terms of all readers of the chunk; those with an unchanged record keep theirs. */
function changeTermsWithin({ work, plan: { publicationId, today } }: Undo, { after, upTo }: Chunk): Promise<void> {
  const which = (readerId: string) => `${readerId} > ${after} AND ${readerId} <= ${upTo}`
  return changeTerms(work, { publicationId, today, which, endReason: 'undone', changed: 'undone' })
}

const removeAdded = {
  end(undo: Undo, after: number): Promise<number | null> {
    const { publicationId, uploadId } = undo.plan
    return lastOf(
      undo,
      `SELECT id FROM readers WHERE publication_id = ${publicationId} AND upload_id = ${uploadId}`,
      after,
    )
  },
  async run(undo: Undo, chunk: Chunk): Promise<Partial<Counts>> {
    const { work, plan } = undo
    const { publicationId, uploadId } = plan
    const added = `r.publication_id = ${publicationId} AND r.upload_id = ${uploadId} AND ${within('r', chunk)}`
    const leftAlone = await work.run(
      `INSERT INTO reader_backups (upload_id, kind, version_after, ${backupColumns})
       SELECT ${uploadId}, 'kept', r.version, ${backedUpReader} FROM readers r WHERE ${added} AND r.version <> 1
       ON CONFLICT (upload_id, id) DO NOTHING`,
    )
    const removed = await work.run(`DELETE FROM readers AS r WHERE ${added} AND r.version = 1`)
    await changeTermsWithin(undo, chunk)
    return { removed, leftAlone }
  },
}

/** A step over the backups of one kind. The backup of a finished reader is deleted; one that cannot be undone is marked. */
function overBackups(
  kind: 'updated' | 'removed',
  cannotUndo: string,
  restore: (undo: Undo, backups: string) => Promise<{ done: number; counts: (done: number) => Partial<Counts> }>,
) {
  return {
    end: (undo: Undo, after: number) =>
      lastOf(undo, `SELECT id FROM reader_backups WHERE upload_id = ${undo.plan.uploadId} AND kind = '${kind}'`, after),
    async run(undo: Undo, chunk: Chunk): Promise<Partial<Counts>> {
      const { work, plan } = undo
      const backups = `b.upload_id = ${plan.uploadId} AND b.kind = '${kind}' AND ${within('b', chunk)}`
      const leftAlone = await work.run(
        `UPDATE reader_backups AS b SET kind = 'left' WHERE ${backups} AND (${cannotUndo})`,
      )
      const { done, counts } = await restore(undo, backups)
      await changeTermsWithin(undo, chunk)
      // Fails if one of them was changed between the two statements.
      expectReaders(await work.run(`DELETE FROM reader_backups AS b WHERE ${backups}`), done)
      return { ...counts(done), leftAlone }
    },
  }
}

const termColumns = ['sub_type', 'sub_start_on', 'sub_end_on', 'sub_renew_on', 'sub_paid']

const restoreChanged = overBackups(
  'updated',
  `NOT EXISTS (SELECT 1 FROM readers r WHERE r.id = b.id AND r.version = b.version_after) OR ${isTaken('b')}`,
  async ({ work, plan }, backups) => {
    await work.run(
      `INSERT INTO reader_events (reader_id, publication_id, kind, sub_type, start_on, end_on, amount, currency, note, actor_kind, actor_id, created_at)
       SELECT b.id, b.publication_id, 'import-undone', b.sub_type, b.sub_start_on, b.sub_end_on, b.sub_paid, b.sub_currency,
         'Import ${plan.uploadId} undone', '${plan.actorKind}', ${plan.actorId ?? 'NULL'}, '${storedNow(work, plan.now)}'
       FROM reader_backups b JOIN readers r ON r.id = b.id
       WHERE ${backups} AND (${termColumns.map((column) => `r.${column} IS DISTINCT FROM b.${column}`).join(' OR ')})`,
    )
    // The version is restored as well: an earlier import, merge or fix can then be undone after this one.
    const sets = readerColumnsInFull.flatMap((column, index) =>
      column === 'id' ? [] : [`${column} = ${restoredReader[index]}`],
    )
    const done = await work.run(
      `UPDATE readers AS r SET ${sets.join(', ')} FROM reader_backups b WHERE r.id = b.id AND r.version = b.version_after AND ${backups}`,
    )
    // A search since the import has compared the changed records, whose versions may be reached again.
    await work.run(changedGroupsSql(String(plan.publicationId), `SELECT b.id FROM reader_backups b WHERE ${backups}`))
    return { done, counts: (restored) => ({ restored }) }
  },
)

const restoreRemoved = overBackups(
  'removed',
  `EXISTS (SELECT 1 FROM readers r WHERE r.id = b.id) OR ${isTaken('b')}`,
  async ({ work }, backups) => {
    // Locked: what happens to a reader from now on waits, and is written to the restored record.
    const done = await work.run(
      `INSERT INTO readers (${readerColumnsInFull.join(', ')}) SELECT ${restoredReader.join(', ')} FROM reader_backups b WHERE ${backups}
       ${rowLock(work)}`,
    )
    return { done, counts: (broughtBack) => ({ broughtBack }) }
  },
)

/** What an undo would do, without changing anything. */
export async function countUndo(db: Database, { publicationId, uploadId }: UndoPlan): Promise<Counts> {
  const countRows = async (sql: string) =>
    Number((await db.query<{ count: number }>(`SELECT count(*) AS count FROM ${sql}`))[0]?.count ?? 0)
  const added = `readers r WHERE r.publication_id = ${publicationId} AND r.upload_id = ${uploadId}`
  const backups = (kind: string) => `reader_backups b WHERE b.upload_id = ${uploadId} AND b.kind = '${kind}'`
  const isUntouched = 'EXISTS (SELECT 1 FROM readers r WHERE r.id = b.id AND r.version = b.version_after)'
  // The readers that the import added are removed first.
  const isFree = `NOT ${isTaken('b', ` AND (t.upload_id IS DISTINCT FROM ${uploadId} OR t.version <> 1)`)}`
  const removed = await countRows(`${added} AND r.version = 1`)
  const restored = await countRows(`${backups('updated')} AND ${isUntouched} AND ${isFree}`)
  const broughtBack = await countRows(
    `${backups('removed')} AND NOT EXISTS (SELECT 1 FROM readers r WHERE r.id = b.id) AND ${isFree}`,
  )
  const all = (await countRows(added)) + (await countRows(backups('updated'))) + (await countRows(backups('removed')))
  return { removed, restored, broughtBack, leftAlone: all - removed - restored - broughtBack }
}
