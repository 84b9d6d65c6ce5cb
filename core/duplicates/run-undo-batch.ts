import type { AppContext } from '../context.ts'
import { isRetryable } from '../kernel/errors.ts'
import { lockReaders } from '../readers/readers.rows.ts'
import type { TaskHandler } from '../tasks/task.ts'
import { countUndone } from './merge-batches.rows.ts'
import { restoreMerge } from './undo-merge.ts'

const chunkSize = 20

type Merge = Parameters<typeof restoreMerge>[1]

/** Undoes the merges of a run, the latest first, chunk by chunk. `before`: the last merge that was processed. */
export const undoMergesHandler: TaskHandler<{ before: number }> = {
  transactions: 'engine',
  async open(ctx, { task }) {
    const batchId = task.subjectId ?? -1
    let before = task.cursor?.before ?? Number.MAX_SAFE_INTEGER
    let done = task.done
    return {
      async step() {
        const merges = await ctx.db.query<Merge>(
          `SELECT * FROM reader_merges WHERE batch_id = :batchId AND undone_at IS NULL AND id < :before ORDER BY id DESC LIMIT ${chunkSize}`,
          { batchId, before },
        )
        await lockSurvivors(ctx, merges)
        let undone = 0
        for (const merge of merges) if (await tryUndo(ctx, merge)) undone++
        await countUndone(ctx, batchId, { undone, kept: merges.length - undone })
        before = merges.at(-1)?.id ?? 0
        done += merges.length
        return { cursor: { before }, done, isLast: merges.length < chunkSize }
      },
    }
  },
}

/** Locks the merged readers of a chunk, which belong to one publication, before the first is restored: see `lockReader`. */
async function lockSurvivors(ctx: AppContext, merges: readonly Merge[]): Promise<void> {
  const survivorIds = merges.map(({ survivor_id }) => survivor_id)
  if (merges[0]) await lockReaders(ctx, merges[0].publication_id, survivorIds)
}

/** False for a merge that can no longer be undone. */
async function tryUndo(ctx: AppContext, merge: Merge): Promise<boolean> {
  try {
    await ctx.db.transaction(() => restoreMerge(ctx, merge))
    return true
  } catch (error) {
    // A full disk is not a fault of the group: the run is retried.
    if (isRetryable(error)) throw error
    return false
  }
}
