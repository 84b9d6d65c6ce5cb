import { z } from 'zod'
import { recordAudit } from '../access/audit.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { type BatchRow, batchView, type MergeBatchView } from './merge-batch-row.ts'

/** Asks for a whole run of merges to be undone; the worker does it. Merged readers that were changed since stay merged, and are told. */
export const undoMerges = useCase({
  permission: 'reader:import',
  input: z.object({ batchId: z.coerce.number('The run of merges was not found').int() }),
  async run(ctx, { batchId }): Promise<MergeBatchView> {
    const { publisherId } = tenantOf(ctx)
    const [found] = await ctx.db.query<BatchRow & { publisher_id: number }>(
      `SELECT b.*, p.publisher_id FROM merge_batches b JOIN publications p ON p.id = b.publication_id
       WHERE b.id = :batchId AND p.removed_at IS NULL ${publisherId === undefined ? '' : 'AND p.publisher_id = :publisherId'}`,
      { batchId, publisherId: publisherId ?? null },
    )
    if (!found) throw notFound('The run of merges')
    const [row] = await ctx.db.query<BatchRow>(
      `UPDATE merge_batches SET state = 'undoing', problem = NULL WHERE id = :batchId AND state IN ('done', 'cancelled', 'failed', 'undone')
         AND groups_merged > groups_undone RETURNING *`,
      { batchId },
    )
    if (!row)
      throw conflict(
        found.state === 'undone' ? 'This run of merges was undone before' : 'This run of merges is not over yet',
      )
    await ctx.jobs.enqueue('undo-merges', { batchId }, { publisherId: found.publisher_id })
    const subject = { type: 'publication', id: found.publication_id, publisherId: found.publisher_id }
    await recordAudit(ctx, 'undo-merges', subject, { batch: batchId, merged: found.groups_merged })
    return batchView(row)
  },
})
