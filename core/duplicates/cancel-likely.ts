import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { cancelTask } from '../tasks/cancel-task.ts'
import { selectTasks } from '../tasks/tasks.rows.ts'
import { useCase } from '../use-case.ts'
import { mergeWork } from './run-merge-batch.ts'

/** Stops what is under way: the search for likely duplicates, or a run of merges after its next few. What is merged stays merged. */
export const cancelLikely = useCase({
  permission: 'reader:import',
  input: z.object({ publicationId: z.coerce.number('Required').int() }),
  async run(ctx, { publicationId }): Promise<{ searches: number; batches: number }> {
    const publication = await ownPublication(ctx, { id: publicationId })
    const values = { publicationId: publication.id, now: ctx.now() }
    const searches = await ctx.db.run(
      `UPDATE likely_searches SET state = 'cancelled', locked_until = NULL, finished_at = :now
       WHERE publication_id = :publicationId AND state IN ('waiting', 'running')`,
      values,
    )
    // An undo that is under way comes to its end.
    const runs = await selectTasks(
      ctx.db,
      `kind = 'merge-duplicates' AND publication_id = :publicationId AND state IN ('waiting', 'running')`,
      { publicationId: publication.id },
    )
    let batches = 0
    for (const run of runs) if (await cancelTask(ctx, mergeWork(), run)) batches++
    const subject = { type: 'publication', id: publication.id, publisherId: publication.publisherId }
    await recordAudit(ctx, 'cancel-likely', subject, { searches, batches })
    return { searches, batches }
  },
})
