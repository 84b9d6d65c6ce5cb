import type { AppContext } from '../context.ts'
import { isLeaseLost } from './lease.ts'
import { clearAway } from './run-task.ts'
import type { Task, TaskWork } from './task.ts'
import { taskKindOf } from './task-kinds.ts'
import { askToStop, cancelNow } from './tasks.rows.ts'

/**
 * Cancels a task that has not come to its end, in the running transaction: at once, or, where its kind has to come to a checkpoint first
 * and somebody is working on it, a moment later. Returns the task if that is the end of it.
 */
export async function cancelTask<Cursor>(
  ctx: AppContext,
  work: TaskWork<Cursor>,
  task: Task<Cursor>,
): Promise<Task<Cursor> | null> {
  const isAtWork = task.state === 'running' && !isLeaseLost(ctx, task)
  if (isAtWork && taskKindOf(task.kind).cancels === 'after-step') {
    await askToStop(ctx.db, { id: task.id, now: ctx.now() })
    return null
  }
  const cancelled = (await cancelNow(ctx.db, { id: task.id, now: ctx.now() })) as Task<Cursor> | null
  if (cancelled) {
    await work.ended?.(ctx, cancelled)
    ctx.db.afterCommit(() => void clearAway(ctx, work, cancelled))
  }
  return cancelled
}
