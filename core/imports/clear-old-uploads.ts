import type { AppContext } from '../context.ts'
import { cancelTask } from '../tasks/cancel-task.ts'
import { checkHandler } from './check-upload.ts'
import { selectUploads } from './upload-row.ts'
import { undoDays } from './upload-states.ts'
import { cancelOldDrafts, clearUploadedFiles, deleteOldContent } from './uploads.rows.ts'

const dayMs = 86_400_000
/** For a file that was inspected and never confirmed. */
const undecidedDays = 1

/**
 * Ends uploads that were not confirmed within a day. Deletes the files of uploads that ended or failed, and the samples and rejected rows of imports
 * that can no longer be undone. Files whose upload never got a row (the process died in between) are deleted as well.
 */
export async function clearOldUploads(ctx: AppContext): Promise<number> {
  const now = ctx.now().getTime()
  const undecidedBefore = new Date(now - undecidedDays * dayMs)
  await cancelOldChecks(ctx, undecidedBefore)
  await cancelOldDrafts(ctx, undecidedBefore)
  await clearUploadedFiles(ctx, undecidedBefore)
  await deleteOldContent(ctx, new Date(now - undoDays * dayMs))
  const inUse = await ctx.db.query<{ stored_file: string }>(
    `SELECT stored_file FROM uploads WHERE stored_file IS NOT NULL
     UNION ALL SELECT f.stored_file FROM postcode_files f JOIN tasks t ON t.kind = 'import-postcodes' AND t.subject_id = f.id
       WHERE f.stored_file IS NOT NULL AND t.state IN ('waiting', 'running')
     UNION ALL SELECT r.stored_file FROM provider_reports r JOIN tasks t ON t.kind = 'read-provider-report' AND t.subject_id = r.id
       WHERE r.stored_file IS NOT NULL AND t.state IN ('waiting', 'running')`,
  )
  return ctx.uploadFiles.clear(undecidedBefore, new Set(inUse.map(({ stored_file }) => stored_file)))
}

/** Cancels the waiting and running checks of uploads from before this moment. */
async function cancelOldChecks(ctx: AppContext, before: Date): Promise<void> {
  const old = await selectUploads(ctx, `u.draft IN ('stored', 'dry-run') AND u.started_at < :before`, { before })
  for (const { state, check } of old)
    if (state === 'checking' && check) await ctx.db.transaction(() => cancelTask(ctx, checkHandler, check))
}
