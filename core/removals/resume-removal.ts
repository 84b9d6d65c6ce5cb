import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { conflict } from '../kernel/errors.ts'
import { ownTask } from '../tasks/own-task.ts'
import { runInline } from '../tasks/run-task.ts'
import { resumeInline, resumeTask } from '../tasks/start-task.ts'
import type { Task } from '../tasks/task.ts'
import { useCase } from '../use-case.ts'
import { ReaderRemovals } from './reader-removals.rows.ts'
import { type RemovalView, removalById, removalsBusy } from './removal-row.ts'
import { type RemovalProgress, removalHandler } from './run-removal.ts'

/**
 * Resumes an interrupted removal from the reader it had reached, on behalf of the user who requests it. The worker runs it, or this process if the
 * caller waits for it.
 */
export const resumeRemoval = useCase({
  permission: 'reader:import',
  input: z.object({
    removalId: z.coerce.number('The removal was not found').int(),
    isWaiting: z.boolean().default(false),
    onProgress: z.custom<RemovalProgress>().optional(),
    signal: z.custom<AbortSignal>().optional(),
  }),
  transaction: 'none',
  async run(ctx, { removalId, isWaiting, onProgress, signal }): Promise<RemovalView> {
    const task = await ctx.db.transaction(() => resume(ctx, removalId, isWaiting ? resumeInline : resumeTask))
    if (isWaiting) await runInline(ctx, removalHandler(onProgress), task as Task<{ after: number }>, signal)
    return removalById(ctx, removalId)
  },
})

async function resume(
  ctx: AppContext,
  removalId: number,
  resumeWith: (ctx: AppContext, task: Task, busy: (holder: Task) => ReturnType<typeof removalsBusy>) => Promise<Task>,
): Promise<Task> {
  const task = await ownTask(ctx, 'remove-readers', removalId)
  // Nobody restores its readers meanwhile.
  await ReaderRemovals.find(ctx, { id: removalId }, { isLocked: true })
  if (!(await removalById(ctx, removalId)).canResume)
    throw conflict('This removal cannot be resumed', {
      hint: 'It is running, has ended, or its readers were restored: check the list again.',
    })
  const resumed = await resumeWith(ctx, task, (holder) => removalsBusy(ctx, holder))
  const subject = { type: 'publication', id: Number(task.publicationId), publisherId: task.publisherId }
  await recordAudit(ctx, 'resume-removal', subject, { removal: removalId })
  return resumed
}
