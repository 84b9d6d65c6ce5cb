import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { cancelTask } from '../tasks/cancel-task.ts'
import type { TaskHandler } from '../tasks/task.ts'
import { selectTasks } from '../tasks/tasks.rows.ts'
import { useCase } from '../use-case.ts'
import { likelySearchHandler } from './run-likely-search.ts'
import { mergeHandler } from './run-merge-batch.ts'
import { undoMergesHandler } from './run-undo-batch.ts'

/**
 * Cancels the running operation: the search for likely duplicates, and a bulk merge or its undo, which stop after a few more groups. Groups that
 * are already merged or restored are kept.
 */
export const cancelLikelySearch = useCase({
  permission: 'reader:import',
  input: z.object({ publicationId: z.coerce.number('Required').int() }),
  async run(ctx, { publicationId }): Promise<{ searches: number; batches: number }> {
    const publication = await ownPublication(ctx, { id: publicationId })
    const searches = await cancelAll('find-likely', likelySearchHandler())
    const merges = await cancelAll('merge-duplicates', mergeHandler())
    const batches = merges + (await cancelAll('undo-merges', undoMergesHandler))
    const subject = { type: 'publication', id: publication.id, publisherId: publication.publisherId }
    await recordAudit(ctx, 'cancel-likely', subject, { searches, batches })
    return { searches, batches }

    async function cancelAll<Cursor>(
      kind: 'find-likely' | 'merge-duplicates' | 'undo-merges',
      handler: TaskHandler<Cursor>,
    ): Promise<number> {
      const tasks = await selectTasks<Cursor>(
        ctx.db,
        `kind = :kind AND publication_id = :publicationId AND state IN ('waiting', 'running')`,
        { kind, publicationId: publication.id },
      )
      let cancelled = 0
      for (const task of tasks) if (await cancelTask(ctx, handler, task)) cancelled++
      return cancelled
    }
  },
})
