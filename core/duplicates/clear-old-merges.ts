import type { AppContext } from '../context.ts'
import { emptyMerges } from './reader-merges.rows.ts'

/** How long the records of a merge that cannot be undone are kept: the change that prevents its undo may itself be undone. */
const keptDays = 30
/** Merges per transaction: few enough that locks are short. */
const perTransaction = 500

/**
 * Deletes the records of merges that can no longer be undone: they would outlast the readers whose data they contain. Returns how many merges were
 * affected.
 */
export async function clearOldMerges(ctx: AppContext): Promise<number> {
  let cleared = 0
  // A merge into a record that was itself merged later depends on the later one, which is cleared first.
  for (let count = await clearOnce(ctx); count > 0; count = await clearOnce(ctx)) cleared += count
  return cleared
}

/** One pass over all merges, the latest first. */
async function clearOnce(ctx: AppContext): Promise<number> {
  const mergedBefore = new Date(ctx.now().getTime() - keptDays * 86_400_000)
  let cleared = 0
  let before = Number.MAX_SAFE_INTEGER
  for (;;) {
    const merges = await ctx.db.query<{ id: number }>(
      `SELECT m.id FROM reader_merges m
       WHERE m.id < :before AND (m.undone_at IS NOT NULL OR (m.merged_at < :mergedBefore AND NOT (${canBeUndoneSql})))
         AND m.records_deleted_at IS NULL
       ORDER BY m.id DESC LIMIT ${perTransaction}`,
      { before, mergedBefore },
    )
    const ids = merges.map(({ id }) => Number(id))
    if (ids.length > 0) await ctx.db.transaction(() => emptyMerges(ctx, ids))
    cleared += ids.length
    if (ids.length < perTransaction) return cleared
    before = ids.at(-1) as number
  }
}

/**
 * The survivor is as the merge left it, or can still be restored to that by undoing its removal, an import, or a later merge: of others into it, which
 * has given it the next version, or of it into another.
 */
const canBeUndoneSql = `EXISTS (SELECT 1 FROM readers r WHERE r.id = m.survivor_id AND r.version = m.survivor_version)
  OR EXISTS (SELECT 1 FROM removed_readers g WHERE g.reader_id = m.survivor_id)
  OR EXISTS (SELECT 1 FROM reader_backups b WHERE b.id = m.survivor_id)
  OR EXISTS (SELECT 1 FROM reader_merges later WHERE later.survivor_id = m.survivor_id
    AND later.survivor_version = m.survivor_version + 1 AND later.undone_at IS NULL AND later.records_deleted_at IS NULL)
  OR EXISTS (SELECT 1 FROM merged_readers gone JOIN reader_merges later ON later.survivor_id = gone.survivor_id
    WHERE gone.reader_id = m.survivor_id AND later.id > m.id AND later.undone_at IS NULL AND later.records_deleted_at IS NULL)`
