import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { maxSelected } from '../readers/reader-selection.input.ts'
import { runInline } from '../tasks/run-task.ts'
import { startInline, startTask, type TaskRequest } from '../tasks/start-task.ts'
import type { Task } from '../tasks/task.ts'
import { useCase } from '../use-case.ts'
import { ReaderRemovals } from './reader-removals.rows.ts'
import { ownRemoval, type RemovalView, removalById, removalsBusy, removalsLock } from './removal-row.ts'
import type { RemovalProgress } from './run-removal.ts'
import { restoreNext, undoRemovalHandler } from './run-undo-removal.ts'

/** Up to this many readers are restored immediately; the worker restores more. */
const maxInline = maxSelected

export interface ReadersRestored {
  /** `restoring`: the worker does it. */
  state: 'restoring' | 'ended'
  /** Whether every reader was tried: it was not stopped. */
  isComplete: boolean
  restored: number
  /** Readers whose reference belongs to another reader by now: they stay removed. */
  left: number
}

/**
 * Restores the readers of a removal, each as it was, within thirty days. Those whose reference now belongs to another reader stay removed and are
 * counted. More than 2,000 are left to the worker unless `isWaiting`.
 */
export const restoreReaders = useCase({
  permission: 'reader:import',
  input: z.object({
    removalId: z.coerce.number('The removal was not found').int(),
    isWaiting: z.boolean().default(false),
    /** Returns what would be restored, and changes nothing. */
    dryRun: z.boolean().default(false),
    onProgress: z.custom<RemovalProgress>().optional(),
    signal: z.custom<AbortSignal>().optional(),
  }),
  transaction: 'none',
  async run(ctx, { removalId, isWaiting, dryRun, onProgress, signal }): Promise<ReadersRestored> {
    const { removal } = await restorable(ctx, removalId)
    if (dryRun) return countRestorable(ctx, removal)
    if (removal.removed - removal.restored <= maxInline) return ctx.db.transaction(() => restoreNow(ctx, removalId))
    const begin = <Started extends Task>(start: (work: TaskRequest) => Promise<Started>) =>
      ctx.db.transaction(() => beginUndo(ctx, removalId, start))
    if (!isWaiting) {
      await begin((work) => startTask(ctx, 'undo-removal', work))
      return { state: 'restoring', isComplete: false, restored: 0, left: 0 }
    }
    const task = await begin((work) => startInline<{ after: number }>(ctx, 'undo-removal', work))
    const { state } = await runInline(ctx, undoRemovalHandler(onProgress), task, signal)
    const { restored, notRestored } = await removalById(ctx, removalId)
    return { state: 'ended', isComplete: state === 'done', restored: restored - removal.restored, left: notRestored }
  },
})

/** The removal and its publication, if the actor may see it and it has readers that can be restored now. */
async function restorable(ctx: AppContext, removalId: number): ReturnType<typeof ownRemoval> {
  const own = await ownRemoval(ctx, removalId)
  const { state, canRestore } = own.removal
  if (state === 'waiting' || state === 'running')
    throw conflict('These readers are still being removed', { hint: 'Wait until it has finished, or stop it.' })
  if (state === 'restoring')
    throw conflict('These readers are already being restored', { hint: 'Wait until it has finished.' })
  if (!canRestore) throw notFound('A reader to restore')
  return own
}

/** Restores the readers in the running transaction. */
async function restoreNow(ctx: AppContext, removalId: number): Promise<ReadersRestored> {
  const { publication } = await lockedForUndo(ctx, removalId)
  const { restored, notRestored } = await restoreNext(
    ctx,
    { id: removalId, publicationId: publication.id },
    { after: 0, limit: maxInline },
  )
  if (restored === 0) {
    if (notRestored === 0) throw notFound('A reader to restore')
    throw conflict('The references of these readers belong to other readers now', {
      hint: 'Give those readers other references first, then restore these',
    })
  }
  const subject = { type: 'publication', ...publication }
  await recordAudit(ctx, 'restore-readers', subject, { removal: removalId, readers: restored })
  return { state: 'ended', isComplete: true, restored, left: notRestored }
}

/** Starts the task of an undo, in the running transaction. */
async function beginUndo<Started>(
  ctx: AppContext,
  removalId: number,
  start: (work: TaskRequest) => Promise<Started>,
): Promise<Started> {
  const { publication, removal } = await lockedForUndo(ctx, removalId)
  return start({
    publication,
    subjectId: removalId,
    lockKey: removalsLock(publication.id),
    total: removal.removed - removal.restored,
    busy: (holder) => removalsBusy(ctx, holder),
  })
}

/** Locks the removal, so that nobody resumes it meanwhile. The readers that stayed removed are tried again. */
async function lockedForUndo(ctx: AppContext, removalId: number): ReturnType<typeof ownRemoval> {
  await ReaderRemovals.update(ctx, { id: removalId }, { notRestored: 0 })
  return restorable(ctx, removalId)
}

async function countRestorable(ctx: AppContext, { id }: RemovalView): Promise<ReadersRestored> {
  const [row] = await ctx.db.query<{ stored: number; taken: number }>(
    `SELECT count(*) AS stored, count(r.id) AS taken FROM removed_readers g
     LEFT JOIN readers r ON r.publication_id = g.publication_id AND r.unique_reference = g.record ->> 'unique_reference'
     WHERE g.removal_id = :id`,
    { id },
  )
  const left = Number(row?.taken ?? 0)
  return { state: 'ended', isComplete: true, restored: Number(row?.stored ?? 0) - left, left }
}
