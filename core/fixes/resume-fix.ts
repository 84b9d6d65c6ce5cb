import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { conflict } from '../kernel/errors.ts'
import { ownTask } from '../tasks/own-task.ts'
import { runInline } from '../tasks/run-task.ts'
import { resumeInline, resumeTask } from '../tasks/start-task.ts'
import type { Task } from '../tasks/task.ts'
import { useCase } from '../use-case.ts'
import { type FixView, fixById, fixesBusy } from './fix-row.ts'
import { type FixTold, fixWork } from './run-fix.ts'

/**
 * Goes on with a fix that stopped on its way, from the reader it had come to and in the name of whoever asks for it. The worker does it, or
 * this process where somebody waits for it.
 */
export const resumeFix = useCase({
  permission: 'reader:import',
  input: z.object({
    fixId: z.coerce.number('The fix was not found').int(),
    isWaiting: z.boolean().default(false),
    onProgress: z.custom<FixTold>().optional(),
    signal: z.custom<AbortSignal>().optional(),
  }),
  transaction: 'none',
  async run(ctx, { fixId, isWaiting, onProgress, signal }): Promise<FixView> {
    const task = await ctx.db.transaction(() => resume(ctx, fixId, isWaiting ? resumeInline : resumeTask))
    if (isWaiting) await runInline(ctx, fixWork(onProgress), task, signal)
    return fixById(ctx, fixId)
  },
})

type Resume = (
  ctx: AppContext,
  task: Task<{ after: number }>,
  busy: (holder: Task) => ReturnType<typeof fixesBusy>,
) => Promise<Task>

async function resume(ctx: AppContext, fixId: number, by: Resume): Promise<Task<{ after: number }>> {
  const task = await ownTask<{ after: number }>(ctx, 'fix-readers', fixId)
  const { kind, canResume } = await fixById(ctx, fixId)
  if (!canResume)
    throw conflict('There is nothing to go on with in this fix', {
      hint: 'It is under way, has come to its end, or was undone: put the list right once more.',
    })
  const resumed = (await by(ctx, task, (holder) => fixesBusy(ctx, holder))) as Task<{ after: number }>
  const subject = { type: 'publication', id: Number(task.publicationId), publisherId: task.publisherId }
  await recordAudit(ctx, 'resume-fix', subject, { fix: fixId, kind })
  return resumed
}
