import type { AppContext } from '../context.ts'
import { isLeaseLost, stoppedOnRequest } from './lease.ts'
import { cleanUpAfter, end, stateOfCancelled } from './run-task.ts'
import type { Task, TaskHandler } from './task.ts'
import { taskKindOf } from './task-kinds.ts'
import { cancelNow, requestStop, taskById } from './tasks.rows.ts'

/**
 * Cancels an unfinished task in the current transaction: immediately or, if a process is working on it and its kind requires it, at the next
 * checkpoint, from which it can be resumed. Returns the task if it was cancelled immediately, otherwise null.
 */
export async function cancelTask<Cursor>(
  ctx: AppContext,
  handler: TaskHandler<Cursor>,
  task: Task<Cursor>,
): Promise<Task<Cursor> | null> {
  if (task.state === 'running' && taskKindOf(task.kind).cancels === 'after-step') {
    if (!isLeaseLost(ctx, task)) {
      await requestStop(ctx.db, { id: task.id, now: ctx.now() })
      return null
    }
    // The process is gone: the task ends as it would have ended at its next checkpoint.
    if (stateOfCancelled(task) === 'interrupted') {
      if (await end(ctx, handler, task, 'interrupted', stoppedOnRequest)) return null
      const changed = await taskById<Cursor>(ctx.db, task.id)
      return changed && cancelTask(ctx, handler, changed)
    }
  }
  const cancelled = (await cancelNow(ctx.db, { id: task.id, now: ctx.now() })) as Task<Cursor> | null
  if (cancelled) {
    await handler.finish?.(ctx, cancelled)
    ctx.db.afterCommit(() => void cleanUpAfter(ctx, handler, cancelled))
  }
  return cancelled
}
