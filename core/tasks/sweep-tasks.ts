import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { useCase } from '../use-case.ts'
import { isLeaseLost, stoppedOnRequest } from './lease.ts'
import { end, stateOfCancelled, stateOfFailure } from './run-task.ts'
import { enqueueTaskJob, interrupt, lostProcess } from './start-task.ts'
import type { Task, TaskHandlers } from './task.ts'
import { taskKindOf } from './task-kinds.ts'
import { backToWaiting, selectTasks } from './tasks.rows.ts'

/** The job that runs every minute: handles running tasks whose process has ended, and waiting tasks whose job was lost. */
export const sweepTasks = (handlers: TaskHandlers) =>
  useCase({
    permission: 'machine:operate',
    input: z.object({}),
    transaction: 'none',
    async run(ctx): Promise<void> {
      for (const task of await selectTasks(ctx.db, `state = 'running' ORDER BY id`))
        if (isLeaseLost(ctx, task)) await recoverLost(ctx, handlers, task)
      const jobless = await selectTasks(
        ctx.db,
        `state = 'waiting' AND NOT EXISTS (
           SELECT 1 FROM jobs WHERE dedupe_key = 'run-task-' || tasks.id || '-' || tasks.token AND state IN ('waiting', 'active'))
         ORDER BY id`,
      )
      for (const task of jobless) await requeue(ctx, task)
    },
  })

/** Requeues a task whose process is gone, if this process can take it over; otherwise ends or interrupts it, so that it blocks no other task. */
async function recoverLost(ctx: AppContext, handlers: TaskHandlers, task: Task): Promise<void> {
  const work = handlers[task.kind]
  if (task.stopAskedAt) {
    await end(ctx, work, task, stateOfCancelled(task), stoppedOnRequest)
    return
  }
  const canTakeOver = task.onLost !== 'interrupt' && (await (work.canTakeOver?.(ctx, task) ?? true))
  if (!canTakeOver) {
    if (task.onLost === 'restart') await end(ctx, work, task, 'failed', lostProcess)
    else await interrupt(ctx, task, lostProcess)
    return
  }
  if (task.attempts >= taskKindOf(task.kind).attempts) {
    const problem = `${lostProcess}, ${task.attempts} times without progress`
    await end(ctx, work, task, stateOfFailure(task), problem)
    return
  }
  await requeue(ctx, task)
}

async function requeue(ctx: AppContext, task: Task): Promise<void> {
  await ctx.db.transaction(async () => {
    const isFromStart = task.onLost === 'restart'
    const waiting = await backToWaiting(ctx.db, { ...task, isFromStart, problem: task.problem })
    if (waiting) await enqueueTaskJob(ctx, waiting)
  })
}
