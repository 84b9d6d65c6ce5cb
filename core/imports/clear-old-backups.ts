import type { AppContext } from '../context.ts'
import { undoDays } from './upload-states.ts'

const dayMs = 86_400_000
/** Rows per statement: deleting a million in one statement would block others. */
const chunkSize = 20_000

/** Uploads (`alias`) whose backups are no longer needed `at` a moment: too old to be undone, and no undo is under way. */
export const expiredUploads = {
  sql: (alias: string) => `(${alias}.started_at < :replacedBefore AND NOT EXISTS (
     SELECT 1 FROM tasks n WHERE n.kind = 'undo-import' AND n.subject_id = ${alias}.id AND n.state IN ('waiting', 'running')))`,
  values: (at: Date) => ({ replacedBefore: new Date(at.getTime() - undoDays * dayMs) }),
}

/**
 * Deletes the backups of what imports changed or removed more than thirty days before `at`, with the history of readers that no longer exist
 * and cannot be restored (other history is deleted together with the reader's removed record). Returns how many backup rows were deleted.
 */
export async function clearOldBackups(ctx: AppContext, at: Date): Promise<number> {
  const uploads = await ctx.db.query<{ id: number }>(
    `SELECT id FROM uploads u WHERE ${expiredUploads.sql('u')}
       AND EXISTS (SELECT 1 FROM reader_backups b WHERE b.upload_id = u.id)`,
    expiredUploads.values(at),
  )
  let cleared = 0
  for (const { id } of uploads) cleared += await clearUpload(ctx, Number(id))
  return cleared
}

async function clearUpload(ctx: AppContext, uploadId: number): Promise<number> {
  let cleared = 0
  for (;;) {
    const [last] = await ctx.db.query<{ id: number | null }>(
      `SELECT max(id) AS id FROM (SELECT id FROM reader_backups WHERE upload_id = :uploadId ORDER BY id LIMIT ${chunkSize}) chunk`,
      { uploadId },
    )
    if (last?.id === null || last?.id === undefined) return cleared
    const chunk = { uploadId, upTo: last.id }
    const inChunk = `upload_id = :uploadId AND id <= :upTo`
    cleared += await ctx.db.transaction(async () => {
      await ctx.db.run(
        `DELETE FROM reader_events WHERE reader_id IN (
           SELECT b.id FROM reader_backups b WHERE ${inChunk} AND NOT EXISTS (SELECT 1 FROM readers r WHERE r.id = b.id)
             AND NOT EXISTS (SELECT 1 FROM reader_backups later WHERE later.id = b.id AND later.upload_id > :uploadId)
             AND NOT EXISTS (SELECT 1 FROM removed_readers g WHERE g.reader_id = b.id))`,
        chunk,
      )
      return ctx.db.run(`DELETE FROM reader_backups WHERE ${inChunk}`, chunk)
    })
  }
}
