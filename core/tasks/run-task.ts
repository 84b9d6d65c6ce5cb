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

/** The job: runs a waiting task to its end, or until it waits for a retry. A job meant for an earlier run does nothing. */
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
 * Works on a task that this process has claimed, on the caller's behalf. Returns the ended task, also if it was cancelled or stopped
 * by the signal; rethrows the error of the work, once it is stored.
 */
export async function runInline<Cursor>(
  ctx: AppContext,
  kind: TaskHandler<Cursor>,
  task: Task<Cursor>,
  signal?: AbortSignal,
): Promise<Task<Cursor>> {
  const { task: ended, error } = await work(ctx, kind, task, { mayRetry: false, signal })
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
  kind: TaskHandler<Cursor>,
  task: Task<Cursor>,
  options: RunOptions,
): Promise<Outcome<Cursor>> {
  const lease = holdLease(ctx, task, options.signal)
  let outcome: Outcome<Cursor>
  try {
    const as = { ...ctx, actor: await taskActor(ctx, task) }
    const isDone = await runSteps(as, kind, lease)
    outcome = isDone ? { task: await endDone(as, kind, task) } : await endStopped(ctx, kind, lease)
  } catch (error) {
    if (lease.stop()) outcome = await endStopped(ctx, kind, lease)
    else if (isLeaseLostError(error)) outcome = await current(ctx, task)
    else outcome = { ...(await endFailed(ctx, kind, task, error, options)), error }
  } finally {
    await lease.end()
  }
  return outcome
}

/** False if it was told to end before its last step. */
async function runSteps<Cursor>(ctx: AppContext, kind: TaskHandler<Cursor>, lease: Lease<Cursor>): Promise<boolean> {
  let session: TaskSession<Cursor> | undefined
  try {
    for (let isLast = false; !isLast; ) {
      await lease.checkNow()
      if (lease.stop()) return false
      session ??= await kind.open(ctx, lease)
      isLast = await takeStep(ctx, kind, session, lease)
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
    const { isLast, ...at } = await session.step()
    await lease.checkpoint(at)
    return isLast
  })
}

async function endDone<Cursor>(ctx: AppContext, kind: TaskHandler<Cursor>, task: Task<Cursor>): Promise<Task<Cursor>> {
  const ended = await end(ctx, kind, task, 'done', null)
  return ended ?? (await current(ctx, task)).task
}

/** The outcome of a run that was told to end: cancelled, interrupted so that it can be resumed, failed, or no longer owned by this run. */
async function endStopped<Cursor>(
  ctx: AppContext,
  kind: TaskHandler<Cursor>,
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
  const ended = (await end(ctx, kind, task, state, problem)) ?? before
  return reason === 'denied' ? { task: ended, error: denied(problem ?? undefined) } : { task: ended }
}

/** A task that a user asked to stop can be resumed from its checkpoint, if its kind ends there; else it is cancelled. */
export function stateOfCancelled({ kind, cursor }: Task): 'interrupted' | 'cancelled' {
  return taskKindOf(kind).cancels === 'after-step' && cursor !== null ? 'interrupted' : 'cancelled'
}

/** Temporary errors are retried after a pause. Others are reported, and block no other task. */
async function endFailed<Cursor>(
  ctx: AppContext,
  kind: TaskHandler<Cursor>,
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
    // As it is now: a checkpoint of this run counts its attempts from one.
    const before = await taskById<Cursor>(ctx.db, task.id)
    if (!before) throw new Error('The task no longer exists')
    if (mayRetry && isRetryable(thrown) && before.attempts < attempts) {
      // Requested since the last heartbeat: another run would not know of it.
      if (before.stopAskedAt) return (await end(ctx, kind, task, stateOfCancelled(before), stoppedOnRequest)) ?? before
      const wait = Math.min(backoffSeconds * 2 ** (before.attempts - 1), 3600) * 1000
      const isFromStart = task.onLost === 'restart'
      return ctx.db.transaction(async () => {
        const waiting = await backToWaiting(ctx.db, { id: task.id, token: task.token, isFromStart, problem })
        if (waiting) await enqueueTaskJob(ctx, waiting, new Date(ctx.now().getTime() + wait))
        return (waiting as Task<Cursor> | null) ?? before
      })
    }
    return (await end(ctx, kind, task, stateOfFailure(before), problem)) ?? before
  })
}

/** A partly done task can be resumed, if its kind supports that; else it has failed permanently. */
export function stateOfFailure({ onLost, cursor }: Task): 'interrupted' | 'failed' {
  return onLost !== 'restart' && cursor !== null ? 'interrupted' : 'failed'
}

function problemOf({ message, hint }: AppError): string {
  return [message, hint].filter(Boolean).join('. ')
}

/** Stores the end of a task and its effect on its subject, both or neither. */
export async function end<Cursor>(
  ctx: AppContext,
  kind: TaskHandler<Cursor>,
  task: Task<Cursor>,
  state: 'interrupted' | 'done' | 'failed' | 'cancelled',
  problem: string | null,
): Promise<Task<Cursor> | null> {
  if (state === 'interrupted') return interrupt(ctx, task, problem)
  const ended = await ctx.db.transaction(async () => {
    const row = (await endRun(ctx.db, task, { state, problem, now: ctx.now() })) as Task<Cursor> | null
    if (row) await kind.finish?.(ctx, row)
    return row
  })
  if (ended) await cleanUpAfter(ctx, kind, ended)
  return ended
}

/** Runs the follow-up work of an ended task; a failure does not change the end. */
export async function cleanUpAfter<Cursor>(
  ctx: AppContext,
  kind: TaskHandler<Cursor>,
  task: Task<Cursor>,
): Promise<void> {
  try {
    await kind.cleanUp?.(ctx, task)
  } catch (error) {
    ctx.log.warn({ error, task: task.id }, 'the clean-up after a task failed')
  }
}

async function current<Cursor>(ctx: AppContext, task: Task<Cursor>): Promise<Outcome<Cursor>> {
  return { task: (await taskById<Cursor>(ctx.db, task.id)) ?? task }
}

/** In milliseconds: a server that ran into a full disk takes some seconds to start again. */
const pauses = [300, 1_000, 3_000]

/** Records a failure, which may be the database's own: retried, and finally left to the lease, which expires. */
async function persist<Cursor>(
  ctx: AppContext,
  task: Task<Cursor>,
  write: () => Promise<Task<Cursor>>,
): Promise<Outcome<Cursor>> {
  for (const pause of [...pauses, null]) {
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
