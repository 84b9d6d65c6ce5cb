import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { startTask } from '../tasks/start-task.ts'
import { useCase } from '../use-case.ts'
import { batchView, type MergeBatchView, mergeBatch, mergeBatches } from './merge-batch-row.ts'
import { mergesOf } from './merge-likely.ts'

/** Asks for a whole run of merges to be undone; the worker does it. Merged readers that were changed since stay merged, and are told. */
export const undoMerges = useCase({
  permission: 'reader:import',
  input: z.object({ batchId: z.coerce.number('The run of merges was not found').int() }),
  async run(ctx, { batchId }): Promise<MergeBatchView> {
    const { publisherId } = tenantOf(ctx)
    const [found] = await mergeBatches(
      ctx.db,
      `b.id = :batchId AND EXISTS (
         SELECT 1 FROM publications p WHERE p.id = b.publication_id AND p.removed_at IS NULL
           ${publisherId === undefined ? '' : 'AND p.publisher_id = :publisherId'})`,
      { batchId, publisherId: publisherId ?? null },
    )
    if (!found) throw notFound('The run of merges')
    const { state, merged, undone } = batchView(found)
    if (state === 'waiting' || state === 'running' || state === 'undoing')
      throw conflict('This run of merges is not over yet')
    if (merged <= undone)
      throw conflict(state === 'undone' ? 'This run of merges was undone before' : 'This run of merges is not over yet')
    // Those that stayed merged are looked at again.
    await ctx.db.run(`UPDATE merge_batches SET groups_kept = 0 WHERE id = :batchId`, { batchId })
    await startTask(ctx, 'undo-merges', {
      ...mergesOf({ id: found.publication_id, publisherId: found.publisher_id }, batchId, merged - undone),
      undoOf: found.task_id,
    })
    const subject = { type: 'publication', id: found.publication_id, publisherId: found.publisher_id }
    await recordAudit(ctx, 'undo-merges', subject, { batch: batchId, merged })
    return batchView(await mergeBatch(ctx.db, batchId))
  },
})
