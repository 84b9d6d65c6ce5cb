import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { conflict } from '../kernel/errors.ts'
import { ownTask } from '../tasks/own-task.ts'
import { startTask } from '../tasks/start-task.ts'
import { useCase } from '../use-case.ts'
import { batchView, type MergeBatchView, mergeBatchById } from './merge-batch-row.ts'
import { MergeBatches } from './merge-batches.rows.ts'
import { bulkMergeTask } from './merge-likely-duplicates.ts'

/** Requests the undo of a whole bulk merge; the worker executes it. Merged readers that were changed since stay merged, and are reported. */
export const undoMerges = useCase({
  permission: 'reader:import',
  input: z.object({ batchId: z.coerce.number('The bulk merge was not found').int() }),
  async run(ctx, { batchId }): Promise<MergeBatchView> {
    const { id: taskId } = await ownTask(ctx, 'merge-duplicates', batchId)
    const row = await mergeBatchById(ctx, batchId)
    const { state, merged, undone } = batchView(row)
    if (state === 'waiting' || state === 'running')
      throw conflict('This bulk merge has not finished yet', {
        hint: 'Wait until it has finished, or stop it first: Manage Data, Likely duplicates.',
      })
    if (state === 'undoing')
      throw conflict('This bulk merge is already being undone', { hint: 'Wait until it has finished.' })
    if (state === 'undone') throw conflict('This bulk merge has already been undone')
    if (merged <= undone) throw conflict('This bulk merge has nothing left to undo')
    // Groups that an earlier undo left merged are tried again.
    await MergeBatches.update(ctx, { id: batchId }, { groupsKept: 0 })
    await startTask(ctx, 'undo-merges', {
      ...bulkMergeTask({ id: row.publication_id, publisherId: row.publisher_id }, batchId, merged - undone),
      undoOf: taskId,
    })
    const subject = { type: 'publication', id: row.publication_id, publisherId: row.publisher_id }
    await recordAudit(ctx, 'undo-merges', subject, { batch: batchId, merged })
    return batchView(await mergeBatchById(ctx, batchId))
  },
})
