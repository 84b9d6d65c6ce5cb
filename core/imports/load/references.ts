import type { Database } from '#core/database.ts'
import type { BulkConnection } from '#core/ports/bulk.ts'
import { takeReferencesSql } from '#core/publications/publications.rows.ts'
import { deleteStaged, everything, type LineRange } from './compare.ts'
import { referenceMaker } from './load.ts'
import type { EncodePlan } from './row-batch.ts'

const batchSize = 5_000

/**
 * Generates references for the new readers of the range that have none. The numbers are taken on another connection, so that others need not
 * wait for the import to commit; gaps in them do no harm.
 */
export async function makeReferences(
  work: BulkConnection,
  db: Database,
  plan: EncodePlan,
  range: LineRange,
): Promise<void> {
  const make = referenceMaker(plan, async (count, shift) => {
    const [row] = await db.transaction(() =>
      db.query<{ references_made: number; reference_shift: number }>(takeReferencesSql, {
        count,
        shift,
        publicationId: plan.publicationId,
      }),
    )
    if (!row) throw new Error('The publication no longer exists')
    return row
  })
  await deleteStaged(work, 'stage_references', everything)
  for (let { after } = range; ; ) {
    const rows = await work.all<{ line: number }>(
      `SELECT s.line FROM stage_plan p JOIN stage_rows s ON s.line = p.line
       WHERE p.kind = 'new' AND p.line > ? AND p.line <= ? AND s.unique_reference IS NULL
         AND NOT EXISTS (SELECT 1 FROM stage_references f WHERE f.line = p.line) ORDER BY p.line LIMIT ${batchSize}`,
      [after, range.upTo],
    )
    const first = rows[0]?.line
    const last = rows.at(-1)?.line
    if (first === undefined || last === undefined) return
    await work.run(
      'CREATE INDEX IF NOT EXISTS stage_rows_reference ON stage_rows (unique_reference) WHERE unique_reference IS NOT NULL',
    )
    const references = await make(rows.length)
    const pairs = JSON.stringify(rows.map(({ line }, index) => [Number(line), references[index]]))
    await work.run(
      work.dialect === 'sqlite'
        ? `INSERT INTO stage_references SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)`
        : `INSERT INTO stage_references SELECT (value->>0)::bigint, value->>1 FROM jsonb_array_elements(?::jsonb)`,
      [pairs],
    )
    // A generated reference may already be used by a reader or in the file: that row gets another.
    const deleted = await work.run(
      `DELETE FROM stage_references WHERE line >= ? AND line <= ? AND (
         EXISTS (SELECT 1 FROM readers r WHERE r.publication_id = ${plan.publicationId} AND r.unique_reference = stage_references.unique_reference)
         OR EXISTS (SELECT 1 FROM stage_rows s WHERE s.unique_reference = stage_references.unique_reference))`,
      [first, last],
    )
    if (deleted === 0) after = Number(last)
  }
}
