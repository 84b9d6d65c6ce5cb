import type { AppContext } from '../context.ts'
import { isLeaseLost } from './lease.ts'
import { cleanUpAfter } from './run-task.ts'
import type { Task, TaskHandler } from './task.ts'
import { taskKindOf } from './task-kinds.ts'
import { cancelNow, requestStop } from './tasks.rows.ts'

/**
 * Cancels an unfinished task in the current transaction: immediately, or, if a process is working on it and its kind requires that, at its next
 * checkpoint. Returns the task if it was cancelled immediately, else null.
 */
export async function cancelTask<Cursor>(
  ctx: AppContext,
  work: TaskHandler<Cursor>,
  task: Task<Cursor>,
): Promise<Task<Cursor> | null> {
  const isRunning = task.state === 'running' && !isLeaseLost(ctx, task)
  if (isRunning && taskKindOf(task.kind).cancels === 'after-step') {
    await requestStop(ctx.db, { id: task.id, now: ctx.now() })
    return null
  }
  const cancelled = (await cancelNow(ctx.db, { id: task.id, now: ctx.now() })) as Task<Cursor> | null
  if (cancelled) {
    await work.finish?.(ctx, cancelled)
    ctx.db.afterCommit(() => void cleanUpAfter(ctx, work, cancelled))
  }
  return cancelled
}
