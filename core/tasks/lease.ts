import type { AppContext } from '../context.ts'
import { type AppError, conflict, isAppError } from '../kernel/errors.ts'
import type { Checkpoint, Task, TaskProgress, TaskRun } from './task.ts'
import { taskActor } from './task-actor.ts'
import { checkpointSql, renewLease } from './tasks.rows.ts'

/** How long a process may send no heartbeat before its lease is lost, in milliseconds. */
const leaseMs = 60_000
const heartbeatMs = 1_000

export function leaseUntil(ctx: Pick<AppContext, 'now'>, ms = leaseMs): Date {
  return new Date(ctx.now().getTime() + ms)
}

/** Whether the process that held a running task has ended, or has not been heard from for too long. */
export function isLeaseLost(ctx: Pick<AppContext, 'now' | 'processes'>, task: Task): boolean {
  if (task.state !== 'running') return false
  if (task.leaseUntil === null || task.leaseUntil <= ctx.now()) return true
  return task.owner !== null && ctx.processes.hasEnded(task.owner)
}

/** Thrown in a run whose task was taken over or ended by another process: its work is discarded. */
function leaseLost(): AppError {
  return conflict('Another process has taken this work over, or ended it', { detail: { isLeaseLost: true } })
}

export function isLeaseLostError(error: unknown): boolean {
  return isAppError(error) && (error.detail as { isLeaseLost?: boolean } | undefined)?.isLeaseLost === true
}

/** Throws unless a checkpoint has updated its task: its transaction must be rolled back. */
export function expectLease(updatedRows: number): void {
  if (updatedRows !== 1) throw leaseLost()
}

/**
 * Why a run was stopped. `cancelled`: a user requested it. `removed`: its publication is gone. `stopped`: this process received a signal to stop.
 * `denied`: its requester may no longer do it. `lost`: another process has taken the task over, or ended it.
 */
type StopReason = 'cancelled' | 'removed' | 'stopped' | 'denied' | 'lost'

export const stoppedOnRequest = 'Stopped on request'

export interface Lease<Cursor> extends TaskRun<Cursor> {
  /** Why the run must end, with the message; null while it may continue. */
  stop(): { reason: StopReason; problem: string | null } | null
  /** Checks immediately whether the run may continue, instead of at the next heartbeat. */
  checkNow(): Promise<void>
  /** Ends the heartbeat; resolves when the last one has ended, so that no query goes to a database that is being closed. */
  end(): Promise<void>
}

/** Holds the lease of a claimed task: renews it each second, and aborts its signal when the run must end. */
export function holdLease<Cursor>(ctx: AppContext, task: Task<Cursor>, outer?: AbortSignal): Lease<Cursor> {
  const controller = new AbortController()
  let why: { reason: StopReason; problem: string | null } | null = null
  let unsaved: TaskProgress = {}
  let at: Required<Checkpoint<Cursor | null>> = task

  const stopFor = (reason: StopReason, problem: string | null = null) => {
    why ??= { reason, problem }
    controller.abort(new Error(`The task was ${reason}`))
  }
  const onOuter = () => stopFor('stopped', stoppedOnRequest)
  if (outer?.aborted) onOuter()
  else outer?.addEventListener('abort', onOuter)

  async function check(): Promise<void> {
    const [row] = await ctx.db.query<{ state: string; token: number; stop_asked_at: unknown; removed_at: unknown }>(
      `SELECT t.state, t.token, t.stop_asked_at, p.removed_at FROM tasks t LEFT JOIN publications p ON p.id = t.publication_id
       WHERE t.id = :id`,
      { id: task.id },
    )
    if (row?.state !== 'running' || Number(row.token) !== task.token) return stopFor('lost')
    if (row.removed_at) return stopFor('removed', 'The publication was removed')
    if (row.stop_asked_at) return stopFor('cancelled', stoppedOnRequest)
    try {
      await taskActor(ctx, task)
    } catch (error) {
      if (!isAppError(error) || error.kind !== 'denied') throw error
      stopFor('denied', error.message)
    }
  }

  async function sendHeartbeat(): Promise<void> {
    await check()
    if (why?.reason === 'lost') return
    const progress = unsaved
    unsaved = {}
    if (!(await renewLease(ctx.db, task, leaseUntil(ctx), progress))) stopFor('lost')
  }

  let heartbeatInProgress: Promise<void> | undefined
  const timer = setInterval(() => {
    heartbeatInProgress ??= sendHeartbeat()
      // The database may be busy with this very task: the next heartbeat compensates.
      .catch(() => {})
      .finally(() => {
        heartbeatInProgress = undefined
      })
  }, heartbeatMs)
  timer.unref()

  const next = (checkpoint: Checkpoint<Cursor>) => {
    at = { ...at, ...checkpoint }
    // Earlier reported progress is older than what is committed now.
    unsaved = {}
    return checkpointSql(task, at)
  }
  return {
    task,
    signal: controller.signal,
    stop: () => why,
    checkNow: check,
    reportProgress(progress) {
      unsaved = { ...unsaved, ...progress }
    },
    async checkpoint(checkpoint) {
      const { sql, values } = next(checkpoint)
      let n = 0
      const named = sql.replaceAll('?', () => `:v${n++}`)
      expectLease(await ctx.db.run(named, Object.fromEntries(values.map((value, index) => [`v${index}`, value]))))
    },
    checkpointSql: next,
    async extendLease(ms) {
      await check()
      expectLease((await renewLease(ctx.db, task, leaseUntil(ctx, ms))) ? 1 : 0)
    },
    async end() {
      clearInterval(timer)
      outer?.removeEventListener('abort', onOuter)
      await heartbeatInProgress
    },
  }
}
