import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { type AppError, denied, failureLevel, isRetryable, toAppError } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { holdLease, isLeaseLostError, type Lease, stoppedOnRequest } from './lease.ts'
import { enqueueTaskJob, interrupt, takeLease } from './start-task.ts'
import type { Task, TaskHandler, TaskHandlers, TaskSession } from './task.ts'
import { taskActor } from './task-actor.ts'
import { taskKindOf } from './task-kinds.ts'
import { backToWaiting, endRun, taskById } from './tasks.rows.ts'

/** The job: runs a waiting task to its end, or until it has to wait for a retry. A job for an earlier run does nothing. */
export const runTask = (handlers: TaskHandlers) =>
  useCase({
    permission: 'machine:operate',
    input: z.object({ taskId: z.number().int(), token: z.number().int() }),
    transaction: 'none',
    async run(ctx, { taskId, token }): Promise<void> {
      const waiting = await taskById(ctx.db, taskId)
      if (waiting?.state !== 'waiting' || waiting.token !== token) return
      const task = await ctx.db.transaction(() => takeLease(ctx, waiting))
      if (task) await work(ctx, handlers[task.kind], task, { mayRetry: true })
    },
  })

/**
 * Runs a task that this process has claimed while the caller waits. Returns the ended task, also if it was cancelled or stopped by the signal; an
 * error of the work is stored and then thrown again.
 */
export async function runInline<Cursor>(
  ctx: AppContext,
  handler: TaskHandler<Cursor>,
  task: Task<Cursor>,
  signal?: AbortSignal,
): Promise<Task<Cursor>> {
  const { task: ended, error } = await work(ctx, handler, task, { mayRetry: false, signal })
  if (error) throw error
  return ended
}

interface RunOptions {
  /** Whether a transient failure is retried by the worker. */
  mayRetry: boolean
  signal?: AbortSignal | undefined
}

interface Outcome<Cursor> {
  task: Task<Cursor>
  error?: unknown
}

async function work<Cursor>(
  ctx: AppContext,
  handler: TaskHandler<Cursor>,
  task: Task<Cursor>,
  options: RunOptions,
): Promise<Outcome<Cursor>> {
  const lease = holdLease(ctx, task, options.signal)
  let outcome: Outcome<Cursor>
  try {
    const taskContext = { ...ctx, actor: await taskActor(ctx, task) }
    const isDone = await runSteps(taskContext, handler, lease)
    outcome = isDone ? { task: await endDone(taskContext, handler, task) } : await endStopped(ctx, handler, lease)
  } catch (error) {
    if (lease.stop()) outcome = await endStopped(ctx, handler, lease)
    else if (isLeaseLostError(error)) outcome = await current(ctx, task)
    else outcome = { ...(await endFailed(ctx, handler, task, error, options)), error }
  } finally {
    await lease.end()
  }
  return outcome
}

/** Runs the steps of a task. Returns false if the run had to end before its last step. */
async function runSteps<Cursor>(ctx: AppContext, handler: TaskHandler<Cursor>, lease: Lease<Cursor>): Promise<boolean> {
  let session: TaskSession<Cursor> | undefined
  try {
    for (let isLast = false; !isLast; ) {
      await lease.checkNow()
      if (lease.stop()) return false
      session ??= await handler.open(ctx, lease)
      isLast = await takeStep(ctx, handler, session, lease)
    }
    return true
  } finally {
    await session?.close?.()
  }
}

async function takeStep<Cursor>(
  ctx: AppContext,
  { transactions }: TaskHandler<Cursor>,
  session: TaskSession<Cursor>,
  lease: Lease<Cursor>,
): Promise<boolean> {
  if (transactions === 'own') return (await session.step()).isLast
  return ctx.db.transaction(async () => {
    const { isLast, ...checkpoint } = await session.step()
    await lease.checkpoint(checkpoint)
    return isLast
  })
}

async function endDone<Cursor>(
  ctx: AppContext,
  handler: TaskHandler<Cursor>,
  task: Task<Cursor>,
): Promise<Task<Cursor>> {
  const ended = await end(ctx, handler, task, 'done', null)
  return ended ?? (await current(ctx, task)).task
}

/** Ends a run that was told to end: the task is cancelled, interrupted so that it can be resumed, or failed, or it no longer belongs to this run. */
async function endStopped<Cursor>(
  ctx: AppContext,
  handler: TaskHandler<Cursor>,
  lease: Lease<Cursor>,
): Promise<Outcome<Cursor>> {
  const { reason, problem } = lease.stop() ?? { reason: 'lost', problem: null }
  const { task } = lease
  if (reason === 'lost') return current(ctx, task)
  const before = (await current(ctx, task)).task
  const state = {
    denied: stateOfFailure(before),
    removed: 'cancelled' as const,
    stopped: taskKindOf(task.kind).onLost === 'resume' ? ('interrupted' as const) : ('cancelled' as const),
    cancelled: stateOfCancelled(before),
  }[reason]
  const ended = (await end(ctx, handler, task, state, problem)) ?? before
  return reason === 'denied' ? { task: ended, error: denied(problem ?? undefined) } : { task: ended }
}

/** The state of a task that a user stopped: interrupted if its kind ends at a checkpoint and it has one, otherwise cancelled. */
export function stateOfCancelled({ kind, cursor }: Task): 'interrupted' | 'cancelled' {
  return taskKindOf(kind).cancels === 'after-step' && cursor !== null ? 'interrupted' : 'cancelled'
}

/** Ends a run by an error. A temporary error is retried after a pause; any other ends the task, so that it blocks no other one. */
async function endFailed<Cursor>(
  ctx: AppContext,
  handler: TaskHandler<Cursor>,
  task: Task<Cursor>,
  thrown: unknown,
  { mayRetry }: RunOptions,
): Promise<Outcome<Cursor>> {
  const error = toAppError(thrown)
  const { attempts, backoffSeconds } = taskKindOf(task.kind)
  const problem = problemOf(error)
  const about = { error: thrown, task: task.id, kind: task.kind, attempt: task.attempts }
  ctx.log[failureLevel(thrown)](about, 'a task failed')
  return persist(ctx, task, async () => {
    // Read again: a checkpoint of this run has reset the number of attempts.
    const before = await taskById<Cursor>(ctx.db, task.id)
    if (!before) throw new Error('The task no longer exists')
    if (mayRetry && isRetryable(thrown) && before.attempts < attempts) {
      // A stop that was requested since the last heartbeat: the next run would not know about it.
      if (before.stopAskedAt)
        return (await end(ctx, handler, task, stateOfCancelled(before), stoppedOnRequest)) ?? before
      const wait = Math.min(backoffSeconds * 2 ** (before.attempts - 1), 3600) * 1000
      const isFromStart = task.onLost === 'restart'
      return ctx.db.transaction(async () => {
        const waiting = await backToWaiting(ctx.db, { id: task.id, token: task.token, isFromStart, problem })
        if (waiting) await enqueueTaskJob(ctx, waiting, new Date(ctx.now().getTime() + wait))
        return (waiting as Task<Cursor> | null) ?? before
      })
    }
    return (await end(ctx, handler, task, stateOfFailure(before), problem)) ?? before
  })
}

/** The state of a task that failed: interrupted if it has a checkpoint and can be resumed, otherwise failed. */
export function stateOfFailure({ onLost, cursor }: Task): 'interrupted' | 'failed' {
  return onLost !== 'restart' && cursor !== null ? 'interrupted' : 'failed'
}

function problemOf({ message, hint }: AppError): string {
  return [message, hint].filter(Boolean).join('. ')
}

/** Stores the end of a task and its effect on its subject in one transaction, then cleans up. Null if the lease is lost. */
export async function end<Cursor>(
  ctx: AppContext,
  handler: TaskHandler<Cursor>,
  task: Task<Cursor>,
  state: 'interrupted' | 'done' | 'failed' | 'cancelled',
  problem: string | null,
): Promise<Task<Cursor> | null> {
  if (state === 'interrupted') return interrupt(ctx, task, problem)
  const ended = await ctx.db.transaction(async () => {
    const row = (await endRun(ctx.db, task, { state, problem, now: ctx.now() })) as Task<Cursor> | null
    if (row) await handler.finish?.(ctx, row)
    return row
  })
  if (ended) await cleanUpAfter(ctx, handler, ended)
  return ended
}

/** Cleans up after an ended task. A failure is logged and does not change the end of the task. */
export async function cleanUpAfter<Cursor>(
  ctx: AppContext,
  handler: TaskHandler<Cursor>,
  task: Task<Cursor>,
): Promise<void> {
  try {
    await handler.cleanUp?.(ctx, task)
  } catch (error) {
    ctx.log.warn({ error, task: task.id }, 'the clean-up after a task failed')
  }
}

async function current<Cursor>(ctx: AppContext, task: Task<Cursor>): Promise<Outcome<Cursor>> {
  return { task: (await taskById<Cursor>(ctx.db, task.id)) ?? task }
}

/** The pauses between attempts, in milliseconds: a database server whose disk was full takes some seconds to restart. */
const pausesMs = [300, 1_000, 3_000]

/** Stores a failure. If the database itself has failed, this is retried; in the end, the lease expires and the sweep handles the task. */
async function persist<Cursor>(
  ctx: AppContext,
  task: Task<Cursor>,
  write: () => Promise<Task<Cursor>>,
): Promise<Outcome<Cursor>> {
  for (const pause of [...pausesMs, null]) {
    try {
      return { task: await write() }
    } catch (error) {
      if (pause === null) {
        ctx.log.error({ error, task: task.id }, 'the failure of a task could not be recorded')
        break
      }
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  return { task }
}
