import type { AppContext } from '../context.ts'
import { undoDays } from './upload-states.rules.ts'

const dayLength = 86_400_000
/** A file that was looked at and never confirmed. */
const undecidedDays = 1

/**
 * Ends uploads that nobody confirmed for a day, and takes away the files of those that are over or have failed, samples and rejected rows
 * when they cannot be undone any more. Files whose upload never got a row (the process died between) go as well.
 */
export async function clearOldUploads(ctx: AppContext): Promise<number> {
  const now = ctx.now().getTime()
  const undecided = { before: new Date(now - undecidedDays * dayLength), now: ctx.now() }
  await ctx.db.run(
    `UPDATE uploads SET state = 'cancelled', turn = turn + 1, inspection = NULL, preview = NULL, stored_file = NULL, finished_at = :now
     WHERE state IN ('stored', 'checking', 'checked') AND started_at < :before`,
    undecided,
  )
  await ctx.db.run(
    `UPDATE uploads SET stored_file = NULL
     WHERE stored_file IS NOT NULL AND (state IN ('done', 'undone', 'cancelled') OR (state = 'failed' AND started_at < :before))`,
    { before: undecided.before },
  )
  const old = new Date(now - undoDays * dayLength)
  await ctx.db.run(
    `UPDATE uploads SET stored_file = NULL, inspection = NULL, preview = NULL
     WHERE started_at < :old AND state NOT IN ('waiting', 'running', 'interrupted', 'undoing')
       AND (stored_file IS NOT NULL OR inspection IS NOT NULL)`,
    { old },
  )
  await ctx.db.run(
    `DELETE FROM upload_rejects WHERE upload_id IN (
       SELECT id FROM uploads WHERE started_at < :old AND state NOT IN ('waiting', 'running', 'interrupted', 'undoing'))`,
    { old },
  )
  const kept = await ctx.db.query<{ stored_file: string }>(
    `SELECT stored_file FROM uploads WHERE stored_file IS NOT NULL
     UNION ALL SELECT f.stored_file FROM postcode_files f JOIN tasks t ON t.kind = 'import-postcodes' AND t.subject_id = f.id
       WHERE f.stored_file IS NOT NULL AND t.state IN ('waiting', 'running')`,
  )
  return ctx.uploadFiles.clear(undecided.before, new Set(kept.map(({ stored_file }) => stored_file)))
}
