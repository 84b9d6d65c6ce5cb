import type { Database } from '#core/database.ts'
import { takeReferencesSql } from '#core/publications/publications.rows.ts'
import { readersChangedSql } from '#core/readers/reader-editions.rows.ts'
import type { ImportCursor } from '../upload-row.ts'
import { beginAddedTermsSql } from './apply.ts'
import {
  duplicateReferenceRejects,
  fillReferences,
  makeRowReparser,
  notInserted,
  type ReaderLoad,
  type ReferenceOwner,
  referenceMaker,
  settleChunk,
} from './load.ts'
import type { LoadRun, Reject } from './load-plan.ts'
import type { EncodePlan, RowBatch } from './row-batch.ts'
import { batchStatement, rowTextFor, sqlText } from './row-text.ts'

const emptyBytes = new Uint8Array()

/**
 * SQLite: one literal INSERT per batch on a separate handle, while the next batch is prepared; a commit every ten thousand rows, so that a checkout
 * waits a third of a second at most. Between commits the other writers of this process get their turn.
 */
export async function openSqliteLoad(
  db: Database,
  plan: EncodePlan,
  uploadRun: { uploadId: number; run: LoadRun<ImportCursor> },
): Promise<ReaderLoad> {
  const handle = await db.bulk.sqlite('PRAGMA cache_size=-32768;PRAGMA wal_autocheckpoint=4000;')
  const reparseRow = makeRowReparser(plan)
  const rowText = rowTextFor(plan)
  const makeReferences = referenceMaker(plan, async (count, shift) => {
    const [row] = await handle.all<{ references_made: number; reference_shift: number }>(
      takeReferencesSql
        .replace(':shift', String(shift))
        .replace(':count', String(count))
        .replace(':publicationId', String(plan.publicationId)),
    )
    if (!row) throw new Error('The publication no longer exists')
    return row
  })
  let rejects: Reject[] = []
  let added = 0
  let batches: RowBatch[] = []
  /** The last reader before the chunk: higher ids belong to the chunk. */
  let newestId = 0
  let running: Promise<void> = Promise.resolve()
  let releaseWriteLock: (() => void) | undefined

  async function begin(): Promise<void> {
    await new Promise<void>((resolveTurn) => {
      void db.bulk.withWriteLock(
        () =>
          new Promise<void>((resolve) => {
            releaseWriteLock = resolve
            resolveTurn()
          }),
      )
    })
    await handle.run('BEGIN IMMEDIATE')
    const [newest] = await handle.all<{ id: number | null }>('SELECT max(id) AS id FROM readers')
    newestId = newest?.id ?? 0
  }

  function release(): void {
    releaseWriteLock?.()
    releaseWriteLock = undefined
  }

  /** Inserts a batch that was prepared while the previous one was being inserted. */
  async function insertBatch(batch: RowBatch): Promise<void> {
    // References are queried on the same handle, after the running statement.
    const text = await fillReferences(batch, makeReferences)
    await running
    running = handle.run(text).then(({ changes }) => {
      added += changes
    })
    // Awaited by the next batch or by settle; until then a failure must not count as unhandled.
    running.catch(() => {})
  }

  /** Rejects the rows of the chunk that were not inserted because their references are taken. */
  async function rejectMissingRows(): Promise<void> {
    // One text value, which is far cheaper than ten thousand row objects.
    const [row] = await handle.all<{ lines: string | null }>(
      `SELECT group_concat(upload_line) AS lines FROM readers WHERE id > ${newestId}`,
    )
    const missing = notInserted(plan, batches, new Set((row?.lines ?? '').split(',').map(Number)))
    for (const { batch, row, reference } of missing) if (reference === '') await insertWithNewReference(batch, row)
    const withReference = missing.filter(({ reference }) => reference !== '')
    if (withReference.length === 0) return
    const owners = await handle.all<ReferenceOwner>(
      `SELECT unique_reference, upload_id, upload_line FROM readers
       WHERE publication_id = ${plan.publicationId} AND unique_reference IN (${withReference.map(({ reference }) => sqlText(reference)).join(',')})`,
    )
    rejects.push(...duplicateReferenceRejects(plan, withReference, owners))
  }

  /** Inserts a row with the next reference that no user has entered already. */
  async function insertWithNewReference(batch: RowBatch, row: number): Promise<void> {
    for (;;) {
      const [reference = ''] = await makeReferences(1)
      const { changes } = await handle.run(
        batchStatement(plan, [rowText(reparseRow(batch, row).read, reference, batch.lines[row] as number)]),
      )
      added += changes
      if (changes === 1) return
    }
  }

  async function writeRejects(): Promise<void> {
    for (let from = 0; from < rejects.length; from += 200) {
      const rows = rejects
        .slice(from, from + 200)
        .map(
          ({ line, column, value, reason, further, cells }) =>
            `(${plan.uploadId},${line},${sqlText(column)},${sqlText(value)},${sqlText(reason)},${further === null ? 'NULL' : sqlText(further)},${sqlText(cells)})`,
        )
      await handle.run(
        `INSERT INTO upload_rejects (upload_id, line, column_name, value, reason, further, cells) VALUES ${rows.join(',')}`,
      )
    }
  }

  return {
    chunkRows: db.bulk.sizes.added,
    async add(batch) {
      if (!releaseWriteLock) await begin()
      if (batch.rows > 0) await insertBatch(batch)
      batches.push({ ...batch, text: emptyBytes })
      for (const reject of batch.rejects) rejects.push(reject)
    },
    async settle(records) {
      if (!releaseWriteLock) await begin()
      await running
      if (added < batches.reduce((sum, { rows }) => sum + rows, 0)) await rejectMissingRows()
      rejects.sort((a, b) => a.line - b.line)
      await writeRejects()
      if (added > 0) await handle.run(beginAddedTermsSql(plan, newestId))
      const write = async (sql: string, values: readonly (string | number | null)[]) =>
        (await handle.run(sql, [...values])).changes
      await settleChunk(write, uploadRun, { records, added, failed: rejects.length })
      await handle.run(readersChangedSql.replace(':publicationId', String(plan.publicationId)))
      await handle.run('COMMIT')
      release()
      const settled = { added, rejects }
      added = 0
      batches = []
      rejects = []
      return settled
    },
    async close() {
      await running.catch(() => {})
      if (releaseWriteLock) await handle.run('ROLLBACK').catch(() => {})
      release()
      await handle.close()
    },
  }
}
