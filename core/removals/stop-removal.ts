import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { cancelTask } from '../tasks/cancel-task.ts'
import { ownTask } from '../tasks/own-task.ts'
import { useCase } from '../use-case.ts'
import { ownRemoval, type RemovalView, removalById } from './removal-row.ts'
import { removalHandler } from './run-removal.ts'
import { undoRemovalHandler } from './run-undo-removal.ts'

/** Stops a removal, or the undo of one, that is waiting or running: what is done stays, and the other readers are not touched. */
export const stopRemoval = useCase({
  permission: 'reader:import',
  input: z.object({ removalId: z.coerce.number('The removal was not found').int() }),
  async run(ctx, { removalId }): Promise<RemovalView & { stopped: 'removal' | 'undo' | null }> {
    const { removal, publication } = await ownRemoval(ctx, removalId)
    const isUndo = removal.state === 'restoring'
    if (!isUndo && removal.state !== 'waiting' && removal.state !== 'running') return { ...removal, stopped: null }
    const task = await ownTask<{ after: number }>(ctx, isUndo ? 'undo-removal' : 'remove-readers', removalId)
    const isStopped = (await cancelTask(ctx, isUndo ? undoRemovalHandler() : removalHandler(), task)) !== null
    const after = await removalById(ctx, removalId)
    if (isStopped)
      await recordAudit(
        ctx,
        'stop-removal',
        { type: 'publication', ...publication },
        { removal: removalId, removed: after.removed, restored: after.restored },
      )
    return { ...after, stopped: isStopped ? (isUndo ? 'undo' : 'removal') : null }
  },
})
