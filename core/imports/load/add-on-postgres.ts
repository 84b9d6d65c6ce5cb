import type { Database } from '#core/database.ts'
import type { OpenCopy } from '#core/ports/bulk.ts'
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
import { loadedColumns, rowTextFor } from './row-text.ts'

const emptyBytes = new Uint8Array()
const columns = loadedColumns.join(', ')
/** In the order of the file: the stage may hold a short row before an earlier long one, and of several rows with the same reference the first wins. */
const merge = `INSERT INTO readers (${columns}) SELECT ${columns} FROM reader_stage ORDER BY upload_line
  ON CONFLICT (publication_id, unique_reference) DO NOTHING`
/** Enough to sort a chunk in memory. */
const sortMemory = `SET LOCAL work_mem = '64MB'`

/** PostgreSQL: COPY into a temporary stage, then one INSERT SELECT and a commit every twenty thousand rows. */
export async function openPostgresLoad(
  db: Database,
  plan: EncodePlan,
  uploadRun: { uploadId: number; run: LoadRun<ImportCursor> },
): Promise<ReaderLoad> {
  const client = await db.bulk.postgres()
  const reparseRow = makeRowReparser(plan)
  const rowText = rowTextFor(plan)
  // On a separate connection, since no query can run during a COPY; an unused number does no harm.
  const makeReferences = referenceMaker(plan, async (count, shift) => {
    const [row] = await db.query<{ references_made: number; reference_shift: number }>(takeReferencesSql, {
      count,
      shift,
      publicationId: plan.publicationId,
    })
    if (!row) throw new Error('The publication no longer exists')
    return row
  })
  await client.query(
    `CREATE TEMP TABLE IF NOT EXISTS reader_stage ON COMMIT DELETE ROWS AS SELECT ${columns} FROM readers WITH NO DATA`,
  )
  let copy: OpenCopy | undefined
  let isOpen = false
  /** The last reader before the chunk: higher ids belong to the chunk. */
  let newestId = 0
  let batches: RowBatch[] = []
  let rejects: Reject[] = []

  async function begin(): Promise<void> {
    await client.query('BEGIN')
    await client.query(sortMemory)
    isOpen = true
    newestId = Number((await client.query<{ id: number | null }>('SELECT max(id) AS id FROM readers')).rows[0]?.id ?? 0)
    startCopy()
  }

  function startCopy(): void {
    copy = client.copyIn(`COPY reader_stage (${columns}) FROM STDIN`)
  }

  async function endCopy(): Promise<void> {
    await copy?.end()
    copy = undefined
  }

  /** Rejects the rows of the chunk that were not inserted because their references are taken. Returns how many were inserted after all. */
  async function rejectMissingRows(): Promise<number> {
    const { rows } = await client.query<{ lines: string | null }>(
      `SELECT string_agg(upload_line::text, ',') AS lines FROM readers WHERE id > $1 AND upload_id = $2`,
      [newestId, plan.uploadId],
    )
    const missing = notInserted(plan, batches, new Set((rows[0]?.lines ?? '').split(',').map(Number)))
    const withReference = missing.filter(({ reference }) => reference !== '')
    if (withReference.length > 0) {
      const owners = await client.query<ReferenceOwner>(
        `SELECT unique_reference, upload_id, upload_line FROM readers WHERE publication_id = $1 AND unique_reference = ANY ($2)`,
        [plan.publicationId, withReference.map(({ reference }) => reference)],
      )
      rejects.push(...duplicateReferenceRejects(plan, withReference, owners.rows))
    }
    let added = 0
    for (const { batch, row, reference } of missing) {
      if (reference !== '') continue
      // A user has already entered the generated reference: the next one is tried.
      while (
        (await insertOne(
          rowText(reparseRow(batch, row).read, (await makeReferences(1))[0] ?? '', batch.lines[row] ?? 0),
        )) === 0
      );
      added++
    }
    return added
  }

  async function insertOne(text: string): Promise<number> {
    await client.query('TRUNCATE reader_stage')
    startCopy()
    await copy?.write(text)
    await endCopy()
    return (await client.query(merge)).rowCount ?? 0
  }

  async function write(sql: string, values: readonly (string | number | null)[]): Promise<number> {
    let n = 0
    return (
      (
        await client.query(
          sql.replaceAll('?', () => `$${++n}`),
          [...values],
        )
      ).rowCount ?? 0
    )
  }

  return {
    chunkRows: db.bulk.sizes.added,
    async add(batch) {
      if (!isOpen) await begin()
      if (batch.rows > 0)
        await copy?.write(batch.placeholders === 0 ? batch.text : await fillReferences(batch, makeReferences))
      batches.push({ ...batch, text: emptyBytes })
      for (const reject of batch.rejects) rejects.push(reject)
    },
    async settle(records) {
      if (!isOpen) await begin()
      await endCopy()
      const staged = batches.reduce((sum, { rows }) => sum + rows, 0)
      let added = staged === 0 ? 0 : ((await client.query(merge)).rowCount ?? 0)
      if (added < staged) added += await rejectMissingRows()
      if (added > 0) await client.query(beginAddedTermsSql(plan, newestId))
      rejects.sort((a, b) => a.line - b.line)
      if (rejects.length > 0) {
        await client.query(
          `INSERT INTO upload_rejects (upload_id, line, column_name, value, reason, further, cells)
           SELECT $1, line, "column", value, reason, further::jsonb, cells::jsonb
           FROM jsonb_to_recordset($2::jsonb) AS r (line bigint, "column" text, value text, reason text, further text, cells text)
           ORDER BY line`,
          [plan.uploadId, JSON.stringify(rejects)],
        )
      }
      await settleChunk(write, uploadRun, { records, added, failed: rejects.length })
      await client.query(readersChangedSql.replace(':publicationId', String(plan.publicationId)))
      await client.query('COMMIT')
      isOpen = false
      const settled = { added, rejects }
      batches = []
      rejects = []
      return settled
    },
    async close() {
      await copy?.abort(new Error('The import was ended'))
      await client.query('DROP TABLE IF EXISTS reader_stage').catch(() => {})
      await client.release()
    },
  }
}
