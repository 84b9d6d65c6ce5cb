import type { AppContext } from '../context.ts'
import type { TaskKindName } from './task-kinds.ts'
import type { TaskRow } from './tasks.rows.ts'

/**
 * `waiting`: its job is in the outbox. `running`: a process holds its lease. `interrupted`: it was stopped before its end; it can be resumed, and
 * blocks no other task. The other three states are final.
 */
export type TaskState = 'waiting' | 'running' | 'interrupted' | 'done' | 'failed' | 'cancelled'

/** A row of the table `tasks`, with the cursor type of its kind. */
export interface Task<Cursor = unknown> extends Omit<TaskRow, 'cursor'> {
  /** The position at the last checkpoint; null before the first. */
  cursor: Cursor | null
}

/** The progress of a task. Omitted fields do not change. */
export interface TaskProgress {
  phase?: string | null
  done?: number
  total?: number
  counts?: Record<string, number>
}

/**
 * For how many seconds a task has run; null before it starts, and after its first run (token 1): the time since the start would then include a pause,
 * and not show how fast the task works.
 */
export function runSeconds({ startedAt, token }: Pick<TaskRow, 'startedAt' | 'token'>, now: Date): number | null {
  return startedAt === null || token !== 1 ? null : Math.max(0, (now.getTime() - startedAt.getTime()) / 1000)
}

/** The progress, and the position from which a later run continues. */
export interface Checkpoint<Cursor = unknown> extends TaskProgress {
  cursor?: Cursor
}

/** A running task, as seen by the process that holds its lease. */
export interface TaskRun<Cursor = unknown> {
  /** The task as it was when this run began. */
  readonly task: Task<Cursor>
  /** Aborted when the run must end, for example because it was cancelled, its lease is lost, or this process has to stop. */
  readonly signal: AbortSignal
  /** Stores progress with the next heartbeat. For display only: what a later run needs belongs in a checkpoint. */
  reportProgress(progress: TaskProgress): void
  /** Writes the checkpoint in the running transaction of `ctx.db`. Throws if the lease is lost, so that the transaction is rolled back. */
  checkpoint(checkpoint: Checkpoint<Cursor>): Promise<void>
  /** A checkpoint for another connection: a statement with `?` for each value. It must update one row, which `expectLease` checks. */
  checkpointSql(checkpoint: Checkpoint<Cursor>): { sql: string; values: readonly (string | number | null)[] }
  /**
   * Extends the lease, by milliseconds from now, for a transaction so long that heartbeats are blocked. Also checks again whether the run may
   * continue, and otherwise aborts the signal.
   */
  extendLease(ms: number): Promise<void>
}

/** One run of a task, opened by its kind. */
export interface TaskSession<Cursor = unknown> {
  /** Does the next step and returns its checkpoint; after a step with `isLast`, the task is done. */
  step(): Promise<Checkpoint<Cursor> & { isLast: boolean }>
  /** Releases the resources of the run, however it ended. */
  close?(): Promise<void>
}

/** How the work of a kind is done. */
export interface TaskHandler<Cursor = unknown> {
  /** `engine`: each step is one transaction with its checkpoint. `own`: a step opens its own transactions and writes `run.checkpoint` in each. */
  transactions: 'engine' | 'own'
  open(ctx: AppContext, run: TaskRun<Cursor>): Promise<TaskSession<Cursor>>
  /** Whether this process can take over a task whose process has ended, for example because it has the file that the task reads. */
  canTakeOver?(ctx: AppContext, task: Task<Cursor>): Promise<boolean>
  /** Stores the effect on the task's subject, in the transaction in which the task becomes done, failed or cancelled. */
  finish?(ctx: AppContext, task: Task<Cursor>): Promise<void>
  /** Removes what an ended task no longer needs, such as its file, once the end is committed. */
  cleanUp?(ctx: AppContext, task: Task<Cursor>): Promise<void>
}

export type TaskHandlers = { readonly [Name in TaskKindName]: TaskHandler }
