import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams'
import type { Database } from '#core/database.ts'
import type { Reject } from '#core/reader-files/reader-file-store.ts'
import { takeReferences } from '#core/readers/next-unique-reference.ts'
import type { EncodePlan, RowBatch } from '../reader-files/row-batch.ts'
import { borrowClient } from './postgres-client.ts'
import {
  fillReferences,
  lockLength,
  type ReaderLoad,
  referenceMaker,
  rowAgain,
  rowOfLine,
  takenReject,
} from './reader-load.ts'
import { loadedColumns, rowTextFor } from './reader-row-text.ts'

const columns = loadedColumns.join(', ')
const merge = `INSERT INTO readers (${columns}) SELECT ${columns} FROM reader_stage ON CONFLICT (publication_id, unique_reference) DO NOTHING`

/** PostgreSQL: COPY into a temporary stage, then one INSERT SELECT and a commit every twenty thousand rows. */
export async function openPostgresLoad(db: Database, plan: EncodePlan, now: () => Date): Promise<ReaderLoad> {
  const { client, giveBack } = await borrowClient(db.sequelize)
  const again = rowAgain(plan)
  const rowText = rowTextFor(plan)
  // On a connection of its own: a number that is not used in the end is no loss, and COPY leaves no room for a question.
  const makeReferences = referenceMaker(plan, async (count, shift) => {
    const [row] = await db.query<{ references_made: number; reference_shift: number }>(takeReferences, {
      count,
      shift,
      publicationId: plan.publicationId,
    })
    if (!row) throw new Error('The publication is gone')
    return row
  })
  await client.query(
    `CREATE TEMP TABLE IF NOT EXISTS reader_stage ON COMMIT DELETE ROWS AS SELECT ${columns} FROM readers WITH NO DATA`,
  )
  let copy: CopyStreamQuery | undefined
  let isOpen = false
  let batches: RowBatch[] = []
  let rejects: Reject[] = []
  let failure: unknown

  async function begin(): Promise<void> {
    await client.query('BEGIN')
    isOpen = true
    startCopy()
  }

  function startCopy(): void {
    copy = client.query(copyFrom(`COPY reader_stage (${columns}) FROM STDIN`))
    copy.on('error', (error) => {
      failure ??= error
    })
  }

  async function write(text: string): Promise<void> {
    if (failure !== undefined) throw failure
    if (copy && !copy.write(Buffer.from(text))) await Promise.race([once(copy, 'drain'), finished(copy)])
  }

  async function endCopy(): Promise<void> {
    if (!copy) return
    copy.end()
    await finished(copy)
    copy = undefined
  }

  /** Rows of the stage whose reference another reader holds, with the line of this file that holds it, if one does. */
  async function refuse(): Promise<number> {
    const { rows } = await client.query<{ line: number; reference: string; holder_line: number | null }>(
      `SELECT s.upload_line AS line, s.unique_reference AS reference, CASE WHEN r.upload_id = $2 THEN r.upload_line END AS holder_line
       FROM reader_stage s JOIN readers r ON r.publication_id = $1 AND r.unique_reference = s.unique_reference
       WHERE r.upload_id IS DISTINCT FROM $2 OR r.upload_line <> s.upload_line`,
      [plan.publicationId, plan.uploadId],
    )
    let retried = ''
    let count = 0
    for (const { line, reference, holder_line } of rows) {
      const batch = batches.find(({ lines }) => line >= (lines[0] ?? 0) && line <= (lines.at(-1) ?? 0))
      if (!batch) continue
      const row = rowOfLine(batch, line)
      const { cells, read } = again(batch, row)
      if (read.values[1] !== '') rejects.push(takenReject(line, reference, cells, holder_line))
      else {
        retried += rowText(read, (await makeReferences(1))[0] ?? '', line)
        count++
      }
    }
    if (count === 0) return 0
    await client.query('TRUNCATE reader_stage')
    startCopy()
    await write(retried)
    await endCopy()
    const { rowCount } = await client.query(merge)
    return (rowCount ?? 0) + ((rowCount ?? 0) < count ? await refuse() : 0)
  }

  return {
    chunkRows: 20_000,
    async add(batch) {
      if (!isOpen) await begin()
      if (batch.rows > 0) await write(await fillReferences(batch.text, makeReferences))
      batches.push(batch)
      for (const reject of batch.rejects) rejects.push(reject)
    },
    async settle(records) {
      if (!isOpen) await begin()
      await endCopy()
      const staged = batches.reduce((sum, { rows }) => sum + rows, 0)
      let added = staged === 0 ? 0 : ((await client.query(merge)).rowCount ?? 0)
      if (added < staged) added += await refuse()
      rejects.sort((a, b) => a.line - b.line)
      if (rejects.length > 0) {
        await client.query(
          `INSERT INTO upload_rejects (upload_id, line, column_name, value, reason, cells)
           SELECT $1, line, "column", value, reason, cells::jsonb
           FROM jsonb_to_recordset($2::jsonb) AS r (line bigint, "column" text, value text, reason text, cells text) ORDER BY line`,
          [plan.uploadId, JSON.stringify(rejects)],
        )
      }
      await client.query(
        `UPDATE uploads SET records_done = $1, added = added + $2, failed = failed + $3, locked_until = $4 WHERE id = $5`,
        [records, added, rejects.length, new Date(now().getTime() + lockLength), plan.uploadId],
      )
      await client.query('COMMIT')
      isOpen = false
      const settled = { added, rejects }
      batches = []
      rejects = []
      return settled
    },
    async close() {
      if (copy) {
        copy.destroy(new Error('The import was ended'))
        await finished(copy).catch(() => {})
      }
      await client.query('DROP TABLE IF EXISTS reader_stage').catch(() => {})
      await giveBack()
    },
  }
}
