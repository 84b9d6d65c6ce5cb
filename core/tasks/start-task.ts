import type { AppContext } from '../context.ts'
import { type AppError, conflict } from '../kernel/errors.ts'
import { isLeaseLost, leaseUntil } from './lease.ts'
import type { Task } from './task.ts'
import { requesterOf } from './task-actor.ts'
import { type TaskKind, type TaskKindName, taskKindOf } from './task-kinds.ts'
import { claimTask, endRun, insertTask, lockHolder, resumeWaiting } from './tasks.rows.ts'

/** The error if another task holds the lock. */
type Refusal = (holder: Task) => AppError | Promise<AppError>

export interface TaskRequest {
  /** The publication the task is for; `id` is null if it is for the whole publisher. */
  publication: { id: number | null; publisherId: number }
  /** The id of the row that the task is about, created in the same transaction. */
  subjectId: number
  /** The lock that only one unfinished task at a time can hold. */
  lockKey: string
  /** The amount of work, if it is known. */
  total?: number
  undoOf?: number
  /** Overrides the rule of the kind, for work on a file that only this machine has. */
  onLost?: TaskKind['onLost']
  busy: Refusal
}

/** Creates a task for the worker, in the running transaction. Throws the error of `busy` if another task holds its lock. */
export async function startTask(ctx: AppContext, kind: TaskKindName, work: TaskRequest): Promise<Task> {
  return ctx.db.transaction(async () => {
    const task = await makeTask(ctx, kind, work)
    await enqueueTaskJob(ctx, task)
    return task
  })
}

/** Creates a task that this process runs itself by `runInline`, and takes its lease. */
export async function startInline<Cursor>(
  ctx: AppContext,
  kind: TaskKindName,
  work: TaskRequest,
): Promise<Task<Cursor>> {
  return ctx.db.transaction(async () => {
    const newTask = await makeTask(ctx, kind, work)
    const task = await takeLease<Cursor>(ctx, newTask)
    if (!task) throw new Error('A task was claimed before it was committed')
    return task
  })
}

async function makeTask(ctx: AppContext, kind: TaskKindName, work: TaskRequest): Promise<Task> {
  const { publication, subjectId, lockKey, total = 0, undoOf = null, onLost = taskKindOf(kind).onLost, busy } = work
  const values = { publisherId: publication.publisherId, publicationId: publication.id, subjectId, lockKey, total }
  const insert = () => insertTask(ctx.db, { kind, ...values, ...requesterOf(ctx), onLost, undoOf, now: ctx.now() })
  const task = await insert()
  if (task) return task
  const holder = await lockHolder(ctx.db, lockKey)
  if (holder && !(await releaseLost(ctx, holder))) throw await busy(holder)
  const taskAfterRelease = await insert()
  if (!taskAfterRelease)
    throw holder
      ? await busy(holder)
      : conflict(`The ${taskKindOf(kind).label} cannot begin: other work on the same data has just begun`, {
          hint: 'Try again in a moment.',
        })
  return taskAfterRelease
}

/** Interrupts a task whose process is gone and that no worker can take over, so that it blocks no other task. Returns whether it did. */
async function releaseLost(ctx: AppContext, task: Task): Promise<boolean> {
  if (task.onLost !== 'interrupt' || !isLeaseLost(ctx, task)) return false
  return (await interrupt(ctx, task, lostProcess)) !== null
}

/** Marks a running task as interrupted, and queues its kind's `jobWhenInterrupted`; null if its lease is lost. */
export function interrupt<Cursor>(
  ctx: AppContext,
  task: Task<Cursor>,
  problem: string | null,
): Promise<Task<Cursor> | null> {
  return ctx.db.transaction(async () => {
    const row = (await endRun(ctx.db, task, { state: 'interrupted', problem, now: ctx.now() })) as Task<Cursor> | null
    const job = taskKindOf(task.kind).jobWhenInterrupted
    if (job && row?.publisherId && row.cursor !== null)
      await ctx.jobs.enqueue(job, { publisherId: row.publisherId }, { publisherId: row.publisherId })
    return row
  })
}

export const lostProcess = 'The process that worked on it has ended'

/** Queues the job of a waiting task, in the running transaction. If another run begins first, the job does nothing. */
export async function enqueueTaskJob(ctx: AppContext, { id, token, publisherId }: Task, runAt?: Date): Promise<void> {
  await ctx.jobs.enqueue(
    'run-task',
    { taskId: id, token },
    {
      dedupeKey: `run-task-${id}-${token}`,
      ...(publisherId === null ? {} : { publisherId }),
      ...(runAt ? { runAt } : {}),
    },
  )
}

/** Takes the lease of a task by compare-and-set; null if another process was faster. Call it in a transaction. */
export function takeLease<Cursor>(
  ctx: AppContext,
  { id, token }: Pick<Task, 'id' | 'token'>,
): Promise<Task<Cursor> | null> {
  const now = ctx.now()
  return claimTask<Cursor>(ctx.db, { id, token, owner: ctx.processes.self, now, leaseUntil: leaseUntil(ctx) })
}

/**
 * Resumes an interrupted task from its checkpoint, for the acting user; the worker runs it. A running task is taken from its process. Throws
 * `conflict` if the task has ended or is waiting, and the error of `busy` if another task holds its lock. Call it in a transaction.
 */
export async function resumeTask(ctx: AppContext, task: Task, busy: Refusal): Promise<Task> {
  const waiting = await queueAgain(ctx, task, busy)
  await enqueueTaskJob(ctx, waiting)
  return waiting
}

/** Resumes a task in this process, which then runs it by `runInline`; also one whose process has ended. */
export async function resumeInline<Cursor>(ctx: AppContext, task: Task<Cursor>, busy: Refusal): Promise<Task<Cursor>> {
  return ctx.db.transaction(async () => {
    if (task.state === 'running' && !isLeaseLost(ctx, task)) throw await busy(task)
    const leased = await takeLease<Cursor>(ctx, await queueAgain(ctx, task, busy))
    if (!leased) throw new Error('A task was claimed before it was committed')
    return leased
  })
}

async function queueAgain(ctx: AppContext, task: Task, busy: Refusal): Promise<Task> {
  const holder = task.lockKey === null ? null : await lockHolder(ctx.db, task.lockKey)
  if (holder && holder.id !== task.id && !(await releaseLost(ctx, holder))) throw await busy(holder)
  const waiting = await resumeWaiting(ctx.db, { id: task.id, token: task.token, ...requesterOf(ctx) })
  if (!waiting)
    throw conflict(`The ${taskKindOf(task.kind).label} has ended, or somebody else has just resumed it`, {
      hint: 'Check its progress first.',
    })
  return waiting
}
