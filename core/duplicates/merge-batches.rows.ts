import type { AppContext } from '../context.ts'
import { defaulted, defineTable, id, integer, nullable, real, ref, text } from '../table.ts'
import type { DuplicateKey } from '../warnings/warnings.rules.ts'

/** The results of bulk merges and their undos; their tasks hold the progress. */
export const MergeBatches = defineTable('merge_batches', {
  id: id(),
  publicationId: ref(),
  /** 0 for a list of exact duplicates, which no search finds, and for groups that a user picked. */
  searchId: ref(),
  minConfidence: real(),
  /** The list of exact duplicates that it processes; null for all other groups. */
  list: nullable(text<DuplicateKey>()),
  groupsAsked: integer(),
  groupsMerged: defaulted(integer()),
  /** Groups that were not merged: they had changed, were not certainly one reader, or had subscriptions that one record cannot hold. */
  groupsLeft: defaulted(integer()),
  readersRemoved: defaulted(integer()),
  groupsUndone: defaulted(integer()),
  /** Groups that stayed merged when the others were undone: their reader had changed since. */
  groupsKept: defaulted(integer()),
})

interface MergeCounts {
  /** Requested groups that were not counted before. */
  asked?: number
  merged: number
  left: number
  removed: number
}

/** Adds the results of a chunk of a run, in its transaction. */
export async function countMerged(
  ctx: AppContext,
  batchId: number,
  { asked = 0, merged, left, removed }: MergeCounts,
): Promise<void> {
  await ctx.db.run(
    `UPDATE merge_batches SET groups_asked = groups_asked + :asked, groups_merged = groups_merged + :merged,
       groups_left = groups_left + :left, readers_removed = readers_removed + :removed WHERE id = :batchId`,
    { batchId, asked, merged, left, removed },
  )
}

/** Adds the results of a chunk of an undo, in its transaction. */
export async function countUndone(
  ctx: AppContext,
  batchId: number,
  { undone, kept }: { undone: number; kept: number },
): Promise<void> {
  await ctx.db.run(
    `UPDATE merge_batches SET groups_undone = groups_undone + :undone, groups_kept = groups_kept + :kept WHERE id = :batchId`,
    { batchId, undone, kept },
  )
}
