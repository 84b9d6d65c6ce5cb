import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { conflict } from '../kernel/errors.ts'
import { ownTask } from '../tasks/own-task.ts'
import { runInline } from '../tasks/run-task.ts'
import { startInline, startTask, type TaskRequest } from '../tasks/start-task.ts'
import { useCase } from '../use-case.ts'
import { type FixView, fixById, fixesBusy, fixesLock, undoDays } from './fix-row.ts'
import { ReaderFixes } from './reader-fixes.rows.ts'
import type { FixProgress } from './run-fix.ts'
import { countUndo, undoFixHandler } from './run-undo-fix.ts'

/** Up to this many readers are restored immediately; the worker restores more. */
const maxInline = 2000

/** Restores the readers of a fix as they were, within thirty days. Readers that were changed since are left unchanged, and are counted. */
export const undoFix = useCase({
  permission: 'reader:import',
  input: z.object({
    fixId: z.coerce.number('The fix was not found').int(),
    isWaiting: z.boolean().default(false),
    /** Returns what the undo would do, and changes nothing. */
    dryRun: z.boolean().default(false),
    onProgress: z.custom<FixProgress>().optional(),
    signal: z.custom<AbortSignal>().optional(),
  }),
  transaction: 'none',
  async run(ctx, { fixId, isWaiting, dryRun, onProgress, signal }): Promise<FixView> {
    const fix = await undoableFix(ctx, fixId)
    const { fixed } = fix
    if (dryRun) {
      const { unchanged, changed } = await countUndo(ctx, fix)
      return { ...fix, state: 'undone', undone: fix.undone + unchanged, kept: changed }
    }
    if (fixed > maxInline && !isWaiting) {
      await ctx.db.transaction(() => beginUndo(ctx, fixId, (taskRequest) => startTask(ctx, 'undo-fix', taskRequest)))
      return fixById(ctx, fixId)
    }
    const task = await ctx.db.transaction(() =>
      beginUndo(ctx, fixId, (taskRequest) => startInline<{ after: number }>(ctx, 'undo-fix', taskRequest)),
    )
    await runInline(ctx, undoFixHandler(onProgress), task, signal)
    return fixById(ctx, fixId)
  },
})

/** The fix, if the actor may see it and it can be undone. */
async function undoableFix(ctx: AppContext, fixId: number): Promise<FixView> {
  await ownTask(ctx, 'fix-readers', fixId)
  const fix = await fixById(ctx, fixId)
  const { state, canUndo, fixed } = fix
  if (state === 'waiting' || state === 'running')
    throw conflict('This fix is still running', { hint: 'Wait until it has finished.' })
  if (state === 'undoing') throw conflict('This fix is already being undone', { hint: 'Wait until it has finished.' })
  if (state === 'undone') throw conflict('This fix has already been undone')
  if (canUndo) return fix
  throw conflict(
    fixed === 0
      ? 'This fix changed no reader'
      : `This fix is more than ${undoDays} days old and can no longer be undone`,
  )
}

/** Starts the task of an undo, in the running transaction. */
async function beginUndo<Started>(
  ctx: AppContext,
  fixId: number,
  start: (taskRequest: TaskRequest) => Promise<Started>,
): Promise<Started> {
  const { id: undoOf, publicationId, publisherId } = await ownTask(ctx, 'fix-readers', fixId)
  const { fixed, undone, kind } = await undoableFix(ctx, fixId)
  const publication = { id: Number(publicationId), publisherId: Number(publisherId) }
  // The readers that were left unchanged are tried again.
  await ReaderFixes.update(ctx, { id: fixId }, { kept: 0 })
  const started = await start({
    publication,
    subjectId: fixId,
    lockKey: fixesLock(publication.id),
    total: fixed - undone,
    undoOf,
    busy: (holder) => fixesBusy(ctx, holder),
  })
  const subject = { type: 'publication', ...publication }
  await recordAudit(ctx, 'undo-fix', subject, { fix: fixId, kind })
  return started
}
