import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { isAppError } from '../kernel/errors.ts'
import { countOf } from '../kernel/words.ts'
import { restoreMerge } from '../readers/undo-merge.ts'
import { useCase } from '../use-case.ts'
import { type BatchRow, batchView, type MergeBatchView } from './merge-batch-row.ts'

const chunk = 20

/** Undoes the merges of a run, the last one first, chunk by chunk. */
export const runUndoBatch = useCase({
  permission: 'machine:operate',
  input: z.object({ batchId: z.number().int() }),
  transaction: 'none',
  run: (ctx, { batchId }) => undoBatch(ctx, batchId),
})

async function undoBatch(ctx: AppContext, batchId: number): Promise<MergeBatchView | null> {
  let before = Number.MAX_SAFE_INTEGER
  let kept = 0
  for (;;) {
    const done = await ctx.db.transaction(async () => {
      const [batch] = await ctx.db.query<BatchRow>(
        `SELECT * FROM merge_batches WHERE id = :batchId AND state = 'undoing'`,
        { batchId },
      )
      if (!batch) return null
      const merges = await ctx.db.query<Parameters<typeof restoreMerge>[1]>(
        `SELECT * FROM reader_merges WHERE batch_id = :batchId AND undone_at IS NULL AND id < :before ORDER BY id DESC LIMIT ${chunk}`,
        { batchId, before },
      )
      let undone = 0
      for (const merge of merges) {
        if (await undoOne(ctx, merge)) undone++
        else kept++
      }
      before = merges.at(-1)?.id ?? 0
      const isOver = merges.length < chunk
      const [after] = await ctx.db.query<BatchRow>(
        `UPDATE merge_batches SET groups_undone = groups_undone + :undone, state = :state, problem = :problem,
           undone_at = CASE WHEN :isOver THEN ${ctx.db.dialect === 'postgres' ? 'CAST(:now AS TIMESTAMPTZ)' : ':now'} ELSE undone_at END
         WHERE id = :batchId RETURNING *`,
        {
          batchId,
          undone,
          state: isOver ? 'undone' : 'undoing',
          isOver,
          now: ctx.now(),
          problem:
            kept === 0
              ? null
              : `${countOf(kept, 'merged reader was', 'merged readers were')} changed since and stayed merged`,
        },
      )
      return after ?? null
    })
    if (!done) return null
    if (done.state !== 'undoing') return batchView(done)
  }
}

/** False for a merge that cannot be undone any more. */
async function undoOne(ctx: AppContext, merge: Parameters<typeof restoreMerge>[1]): Promise<boolean> {
  try {
    await ctx.db.transaction(() => restoreMerge(ctx, merge))
    return true
  } catch (error) {
    if (!isAppError(error)) throw error
    return false
  }
}
