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
import { previewRows } from './preview-fix.query.ts'
import { ReaderFixes } from './reader-fixes.rows.ts'
import { type FixProgress, fixHandler } from './run-fix.ts'

/**
 * Resumes an interrupted fix from the reader it had reached, on behalf of the user who requests it. The worker runs it, or this process if the
 * caller waits for it.
 */
export const resumeFix = useCase({
  permission: 'reader:import',
  input: z.object({
    fixId: z.coerce.number('The fix was not found').int(),
    isWaiting: z.boolean().default(false),
    /** Returns what the fix would do, and changes nothing. */
    dryRun: z.boolean().default(false),
    onProgress: z.custom<FixProgress>().optional(),
    signal: z.custom<AbortSignal>().optional(),
  }),
  transaction: 'none',
  async run(ctx, { fixId, isWaiting, dryRun, onProgress, signal }): Promise<FixView> {
    if (dryRun) return previewResumed(ctx, fixId)
    const task = await ctx.db.transaction(() => resume(ctx, fixId, isWaiting ? resumeInline : resumeTask))
    if (isWaiting) await runInline(ctx, fixHandler(onProgress), task, signal)
    return fixById(ctx, fixId)
  },
})

type Resume = (
  ctx: AppContext,
  task: Task<{ after: number }>,
  busy: (holder: Task) => ReturnType<typeof fixesBusy>,
) => Promise<Task>

async function resume(ctx: AppContext, fixId: number, resumeWith: Resume): Promise<Task<{ after: number }>> {
  const { task, fix } = await resumableFix(ctx, fixId)
  const resumed = (await resumeWith(ctx, task, (holder) => fixesBusy(ctx, holder))) as Task<{ after: number }>
  const subject = { type: 'publication', id: Number(task.publicationId), publisherId: task.publisherId }
  await recordAudit(ctx, 'resume-fix', subject, { fix: fixId, kind: fix.kind })
  return resumed
}

/** The fix and its task, if the actor may see it and it was interrupted. */
async function resumableFix(ctx: AppContext, fixId: number): Promise<{ task: Task<{ after: number }>; fix: FixView }> {
  const task = await ownTask<{ after: number }>(ctx, 'fix-readers', fixId)
  const fix = await fixById(ctx, fixId)
  if (fix.canResume) return { task, fix }
  throw conflict('This fix cannot be resumed', {
    hint: 'It is running, has ended, or was undone: fix the list again.',
  })
}

/** The fix as it would be after processing the remaining readers. */
async function previewResumed(ctx: AppContext, fixId: number): Promise<FixView> {
  const { task, fix } = await resumableFix(ctx, fixId)
  const { publicationId, kind, readerId } = fix
  const remaining = await previewRows(ctx, {
    publicationId,
    kind,
    readerId,
    readerIds: (await ReaderFixes.find(ctx, { id: fixId }))?.readerIds ?? null,
    after: task.cursor?.after ?? 0,
    max: null,
  })
  return { ...fix, state: 'done', fixed: fix.fixed + remaining.fixable, leftAlone: fix.leftAlone + remaining.leftAlone }
}
