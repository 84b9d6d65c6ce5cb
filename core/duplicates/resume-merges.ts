import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { conflict } from '../kernel/errors.ts'
import { ownTask } from '../tasks/own-task.ts'
import { resumeTask } from '../tasks/start-task.ts'
import { useCase } from '../use-case.ts'
import { batchView, type MergeBatchView, mergeBatchById, mergesBusy } from './merge-batch-row.ts'

/** Resumes an interrupted bulk merge, on behalf of the user who requests it; the worker executes it. */
export const resumeMerges = useCase({
  permission: 'reader:import',
  input: z.object({ batchId: z.coerce.number('The bulk merge was not found').int() }),
  async run(ctx, { batchId }): Promise<MergeBatchView> {
    const task = await ownTask(ctx, 'merge-duplicates', batchId)
    if (!batchView(await mergeBatchById(ctx, batchId)).canResume)
      throw conflict('This bulk merge cannot be resumed', {
        hint: 'It is under way, has ended, or its groups are from an older search: search again, then merge.',
      })
    await resumeTask(ctx, task, mergesBusy)
    const subject = { type: 'publication', id: Number(task.publicationId), publisherId: task.publisherId }
    await recordAudit(ctx, 'resume-merges', subject, { batch: batchId })
    return batchView(await mergeBatchById(ctx, batchId))
  },
})
