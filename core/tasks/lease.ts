import type { AppContext } from '../context.ts'
import { type AppError, conflict, isAppError } from '../kernel/errors.ts'
import type { Checkpoint, Task, TaskProgress, TaskRun } from './task.ts'
import { taskActor } from './task-actor.ts'
import { checkpointSql, renewLease } from './tasks.rows.ts'

/** How long a lease lasts after a heartbeat, in milliseconds. */
const leaseMs = 60_000
const heartbeatMs = 1_000

export function leaseUntil(ctx: Pick<AppContext, 'now'>, ms = leaseMs): Date {
  return new Date(ctx.now().getTime() + ms)
}

/** Whether the process that works on a running task has ended, or has sent no heartbeat for too long. */
export function isLeaseLost(ctx: Pick<AppContext, 'now' | 'processes'>, task: Task): boolean {
  if (task.state !== 'running') return false
  if (task.leaseUntil === null || task.leaseUntil <= ctx.now()) return true
  return task.owner !== null && ctx.processes.hasEnded(task.owner)
}

/** Thrown in a run whose task another process has taken over or ended: the uncommitted work of the run is discarded. */
function leaseLost(): AppError {
  return conflict('Another process has taken this work over, or ended it', { detail: { isLeaseLost: true } })
}

export function isLeaseLostError(error: unknown): boolean {
  return isAppError(error) && (error.detail as { isLeaseLost?: boolean } | undefined)?.isLeaseLost === true
}

/** Throws unless a checkpoint has updated one row. Its transaction must then be rolled back: the lease is lost. */
export function expectLease(updatedRows: number): void {
  if (updatedRows !== 1) throw leaseLost()
}

/**
 * Why a run must end. `cancelled`: a user requested it. `removed`: its publication was removed. `stopped`: this process was told to stop. `denied`:
 * its requester no longer has the permission. `lost`: another process has taken over the task, or ended it.
 */
type StopReason = 'cancelled' | 'removed' | 'stopped' | 'denied' | 'lost'

export const stoppedOnRequest = 'Stopped on request'

export interface Lease<Cursor> extends TaskRun<Cursor> {
  /** Why the run must end, with the message; null while it may continue. */
  stop(): { reason: StopReason; problem: string | null } | null
  /** Checks immediately whether the run may continue, instead of at the next heartbeat. */
  checkNow(): Promise<void>
  /** Stops the heartbeats; resolves when the last one is done, so that no query is sent to a database that is being closed. */
  end(): Promise<void>
}

/** Keeps the lease of a claimed task: renews it every second, and aborts its signal when the run must end. */
export function holdLease<Cursor>(ctx: AppContext, task: Task<Cursor>, outer?: AbortSignal): Lease<Cursor> {
  const controller = new AbortController()
  let stopCause: { reason: StopReason; problem: string | null } | null = null
  let unsaved: TaskProgress = {}
  let position: Required<Checkpoint<Cursor | null>> = task

  const stopFor = (reason: StopReason, problem: string | null = null) => {
    stopCause ??= { reason, problem }
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
    if (stopCause?.reason === 'lost') return
    const progress = unsaved
    unsaved = {}
    if (!(await renewLease(ctx.db, task, leaseUntil(ctx), progress))) stopFor('lost')
  }

  let heartbeatInProgress: Promise<void> | undefined
  const timer = setInterval(() => {
    heartbeatInProgress ??= sendHeartbeat()
      // The database may be busy with this task: the next heartbeat renews the lease.
      .catch(() => {})
      .finally(() => {
        heartbeatInProgress = undefined
      })
  }, heartbeatMs)
  timer.unref()

  const nextCheckpoint = (checkpoint: Checkpoint<Cursor>) => {
    position = { ...position, ...checkpoint }
    // Progress that was reported earlier is older than the checkpoint.
    unsaved = {}
    return checkpointSql(task, position)
  }
  return {
    task,
    signal: controller.signal,
    stop: () => stopCause,
    checkNow: check,
    reportProgress(progress) {
      unsaved = { ...unsaved, ...progress }
    },
    async checkpoint(checkpoint) {
      const { sql, values } = nextCheckpoint(checkpoint)
      let n = 0
      const namedSql = sql.replaceAll('?', () => `:v${n++}`)
      expectLease(await ctx.db.run(namedSql, Object.fromEntries(values.map((value, index) => [`v${index}`, value]))))
    },
    checkpointSql: nextCheckpoint,
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
