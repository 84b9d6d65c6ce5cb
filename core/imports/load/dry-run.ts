import type { Database } from '#core/database.ts'
import { duplicateReferenceReject, makeRowReparser, type ReaderLoad, rowOfLine } from './load.ts'
import type { Reject } from './load-plan.ts'
import { referenceIndex } from './read-row.rules.ts'
import { batchText, type EncodePlan, type RowBatch } from './row-batch.ts'

/** A line whose reference is already taken, and the earlier line that has it (null: an existing reader has it). */
interface Conflict {
  line: number
  holder_line: number | null
}

/** Stores the references of a batch in a temporary table and returns which of them are taken. Changes nothing else in the database. */
interface SeenReferences {
  add(batch: RowBatch): Promise<Conflict[]>
  close(): Promise<void>
}

/** The dry run of a load: the same counts, without writing. */
export async function openDryRun(db: Database, plan: EncodePlan): Promise<ReaderLoad> {
  const seenReferences = db.dialect === 'sqlite' ? await seenOnSqlite(db, plan) : await seenOnPostgres(db, plan)
  const reparseRow = makeRowReparser(plan)
  let rejects: Reject[] = []
  let added = 0
  return {
    chunkRows: db.bulk.sizes.added,
    async add(batch) {
      added += batch.rows
      for (const reject of batch.rejects) rejects.push(reject)
      if (batch.rows === 0) return
      for (const { line, holder_line } of await seenReferences.add(batch)) {
        const { cells, read } = reparseRow(batch, rowOfLine(batch, line))
        rejects.push(duplicateReferenceReject(line, read.values[referenceIndex] as string, cells, holder_line))
        added--
      }
    },
    async settle() {
      const settled = { added, rejects: rejects.sort((a, b) => a.line - b.line) }
      added = 0
      rejects = []
      return settled
    },
    close: () => seenReferences.close(),
  }
}

async function seenOnSqlite(db: Database, plan: EncodePlan): Promise<SeenReferences> {
  const handle = await db.bulk.sqlite('PRAGMA temp_store=FILE;')
  await handle.run('CREATE TEMP TABLE seen (reference TEXT PRIMARY KEY, line INTEGER) WITHOUT ROWID')
  await handle.run('CREATE TEMP TABLE batch (reference TEXT, line INTEGER)')
  return {
    async add(batch) {
      await handle.run('BEGIN')
      await handle.run('DELETE FROM temp.batch')
      await handle.run(batchText(batch.text))
      await handle.run(
        'INSERT OR IGNORE INTO temp.seen SELECT reference, line FROM temp.batch WHERE reference IS NOT NULL',
      )
      const conflicts = await handle.all<Conflict>(
        `SELECT b.line, CASE WHEN r.id IS NULL THEN s.line END AS holder_line
         FROM temp.batch b JOIN temp.seen s ON s.reference = b.reference
         LEFT JOIN readers r ON r.publication_id = ? AND r.unique_reference = b.reference
         WHERE r.id IS NOT NULL OR s.line <> b.line ORDER BY b.line`,
        [plan.publicationId],
      )
      await handle.run('COMMIT')
      return conflicts
    },
    close: () => handle.close(),
  }
}

async function seenOnPostgres(db: Database, plan: EncodePlan): Promise<SeenReferences> {
  const client = await db.bulk.postgres()
  await client.query('CREATE TEMP TABLE seen (reference text PRIMARY KEY, line bigint)')
  await client.query('CREATE TEMP TABLE batch (reference text, line bigint)')
  return {
    async add(batch) {
      await client.query('TRUNCATE batch')
      const copy = client.copyIn('COPY batch FROM STDIN')
      await copy.write(batch.text)
      await copy.end()
      await client.query(
        'INSERT INTO seen SELECT reference, line FROM batch WHERE reference IS NOT NULL ORDER BY line ON CONFLICT DO NOTHING',
      )
      const { rows } = await client.query<Conflict>(
        `SELECT b.line, CASE WHEN r.id IS NULL THEN s.line END AS holder_line
         FROM batch b JOIN seen s ON s.reference = b.reference
         LEFT JOIN readers r ON r.publication_id = $1 AND r.unique_reference = b.reference
         WHERE r.id IS NOT NULL OR s.line <> b.line ORDER BY b.line`,
        [plan.publicationId],
      )
      return rows
    },
    async close() {
      await client.query('DROP TABLE IF EXISTS seen, batch').catch(() => {})
      await client.release()
    },
  }
}
