import type { AppContext } from '../context.ts'
import { emptyMerges } from './reader-merges.rows.ts'

/** A merge that is older and cannot be undone keeps no records: until then a change of the survivor may be undone itself. */
const keptDays = 30
/** Merges per transaction: few enough that locks are short. */
const perTransaction = 500

/**
 * Deletes the records of merges that can no longer be undone: they would outlast the readers whose data they are. Returns how many merges were
 * affected.
 */
export async function clearOldMerges(ctx: AppContext): Promise<number> {
  let cleared = 0
  // A merge into a record that was itself merged later depends on the later one, which is cleared first.
  for (let found = await clearOnce(ctx); found > 0; found = await clearOnce(ctx)) cleared += found
  return cleared
}

/** One pass over all merges, the latest first. */
async function clearOnce(ctx: AppContext): Promise<number> {
  const mergedBefore = new Date(ctx.now().getTime() - keptDays * 86_400_000)
  let cleared = 0
  let before = Number.MAX_SAFE_INTEGER
  for (;;) {
    const found = await ctx.db.query<{ id: number }>(
      `SELECT m.id FROM reader_merges m
       WHERE m.id < :before AND (m.undone_at IS NOT NULL OR (m.merged_at < :mergedBefore AND NOT (${canBeUndoneSql})))
         AND m.records_deleted_at IS NULL
       ORDER BY m.id DESC LIMIT ${perTransaction}`,
      { before, mergedBefore },
    )
    const ids = found.map(({ id }) => Number(id))
    if (ids.length > 0) await ctx.db.transaction(() => emptyMerges(ctx, ids))
    cleared += ids.length
    if (ids.length < perTransaction) return cleared
    before = ids.at(-1) as number
  }
}

/** The survivor is as the merge left it, or can still be brought back so: from its removal, an import or a later merge. */
const canBeUndoneSql = `EXISTS (SELECT 1 FROM readers r WHERE r.id = m.survivor_id AND r.version = m.survivor_version)
  OR EXISTS (SELECT 1 FROM removed_readers g WHERE g.reader_id = m.survivor_id)
  OR EXISTS (SELECT 1 FROM reader_backups b WHERE b.id = m.survivor_id)
  OR EXISTS (SELECT 1 FROM merged_readers gone JOIN reader_merges later ON later.survivor_id = gone.survivor_id
    WHERE gone.reader_id = m.survivor_id AND later.id > m.id AND later.undone_at IS NULL AND later.records_deleted_at IS NULL)`
