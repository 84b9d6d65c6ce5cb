import type { AppContext } from '../context.ts'
import { asJson } from '../database.ts'
import { rowLock } from '../dialect.ts'
import { markChanged } from '../duplicates/likely-groups.rows.ts'
import { readersChanged } from '../readers/reader-editions.rows.ts'
import { rekeyRestored } from '../readers/rekey-home-readers.ts'
import type { TaskHandler } from '../tasks/task.ts'
import { type FixKind, fixKinds } from './fix-kinds.ts'
import { fixById } from './fix-row.ts'
import { writtenColumns } from './fixable-rows.query.ts'
import { type FixedRow, writeFixedRows } from './fixed-rows.ts'
import { countUndone, deleteFormerValues, ReaderFixes } from './reader-fixes.rows.ts'
import type { FixProgress } from './run-fix.ts'

/** Readers per transaction. */
const undoChunk = 500

type Image = FixedRow['image']

/**
 * The task: restores the readers of a fix chunk by chunk, in ascending order of id, except those that were changed since. `after`: the last
 * reader that was processed.
 */
export function undoFixHandler(onProgress?: FixProgress): TaskHandler<{ after: number }> {
  return {
    transactions: 'engine',
    async open(ctx, { task }) {
      const fix = await ReaderFixes.find(ctx, { id: task.subjectId ?? -1 })
      if (!fix) throw new Error(`There is no automatic fix ${task.subjectId}`)
      let after = task.cursor?.after ?? 0
      let done = task.cursor === null ? 0 : task.done
      return {
        async step() {
          const next = await undoNextChunk(ctx, { ...fix, after })
          after = next.last
          done += next.examined
          onProgress?.(await fixById(ctx, fix.id))
          return { cursor: { after }, done, isLast: next.examined < undoChunk }
        },
      }
    },
  }
}

interface ChunkRequest {
  id: number
  publicationId: number
  kind: FixKind
  after: number
}

async function undoNextChunk(
  ctx: AppContext,
  { id, publicationId, kind, after }: ChunkRequest,
): Promise<{ examined: number; last: number }> {
  const columns = writtenColumns(kind)
  const chunk = await ctx.db.query<{ reader_id: number }>(
    `SELECT reader_id FROM reader_fix_rows WHERE fix_id = :id AND reader_id > :after ORDER BY reader_id LIMIT ${undoChunk}`,
    { id, after },
  )
  const last = Number(chunk.at(-1)?.reader_id ?? after)
  const restored = await restorableRows(ctx, { id, publicationId, kind, after }, last)
  await writeFixedRows(ctx, restored, {
    publicationId,
    columns: columns.map(([, column]) => column),
    note: `Undone: ${fixKinds[kind].note}`,
  })
  // A search since the fix has compared the fixed records, whose versions may be reached again.
  if (restored.length > 0)
    await markChanged(
      ctx,
      publicationId,
      restored.map((row) => row.id),
    )
  // Their address keys were computed for the home country of that time.
  if (kind === 'addresses')
    await rekeyRestored(
      ctx,
      publicationId,
      restored.map((row) => row.id),
    )
  // A repeated undo then does not treat them as readers that were changed since.
  await deleteFormerValues(
    ctx,
    id,
    restored.map((row) => row.id),
  )
  if (restored.length > 0) await readersChanged(ctx.db, publicationId)
  await countUndone(ctx, id, { undone: restored.length, kept: chunk.length - restored.length })
  return { examined: chunk.length, last }
}

/** How many readers an undo would find unchanged since the fix, and how many were changed. */
export async function countUndo(
  ctx: AppContext,
  { id, publicationId }: { id: number; publicationId: number },
): Promise<{ unchanged: number; changed: number }> {
  const [row] = await ctx.db.query<{ images: number; unchanged: number }>(
    `SELECT count(*) AS images, count(r.id) AS unchanged FROM reader_fix_rows f
     LEFT JOIN readers r ON r.id = f.reader_id AND r.version = f.version AND r.publication_id = :publicationId
     WHERE f.fix_id = :id`,
    { id, publicationId },
  )
  const unchanged = Number(row?.unchanged ?? 0)
  return { unchanged, changed: Number(row?.images ?? 0) - unchanged }
}

/** The previous values of the readers up to this one that are unchanged since the fix, ready to be written. */
async function restorableRows(
  ctx: AppContext,
  { id, publicationId, kind, after }: ChunkRequest,
  last: number,
): Promise<FixedRow[]> {
  const columns = writtenColumns(kind)
  const rows = await ctx.db.query<Image & { id: number; version: number; image: string | Image }>(
    `SELECT r.id, r.version, f.before AS image, ${columns.map(([, column]) => `r.${column}`).join(', ')}
     FROM reader_fix_rows f JOIN readers r ON r.id = f.reader_id AND r.version = f.version AND r.publication_id = :publicationId
     WHERE f.fix_id = :id AND f.reader_id > :after AND f.reader_id <= :last ORDER BY r.id
     ${rowLock(ctx.db, { of: 'r' })}`,
    { id, publicationId, after, last },
  )
  const fields = new Set<string>(fixKinds[kind].fields)
  return rows.map((row): FixedRow => {
    const image = asJson<Image>(row.image)
    const changed = columns.filter(([field, column]) => fields.has(field) && row[column] !== image[column])
    return {
      id: row.id,
      // The version before the fix: an earlier fix, merge or import can then be undone after it.
      version: row.version - 1,
      columns: image,
      image,
      before: Object.fromEntries(changed.map(([field, column]) => [field, row[column] as string])),
    }
  })
}
