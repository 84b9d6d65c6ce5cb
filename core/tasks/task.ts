import type { AppContext } from '../context.ts'
import type { TaskKindName } from './task-kinds.ts'
import type { TaskRow } from './tasks.rows.ts'

/**
 * `waiting`: its job is in the outbox. `running`: a process holds its lease. `interrupted`: it was stopped before its end; it can be resumed,
 * and blocks no other task. The other three are final.
 */
export type TaskState = 'waiting' | 'running' | 'interrupted' | 'done' | 'failed' | 'cancelled'

/** A piece of long-running work: its progress and who works on it, with the checkpoint of its kind. */
export interface Task<Cursor = unknown> extends Omit<TaskRow, 'cursor'> {
  /** Its position at the last commit; null before the first. */
  cursor: Cursor | null
}

/** The progress of a task. Omitted fields are unchanged. */
export interface TaskProgress {
  phase?: string | null
  done?: number
  total?: number
  counts?: Record<string, number>
}

/**
 * Seconds that a task has run; null before it does, and once another run has begun: the time since its start then includes a pause, which says nothing
 * about its rate. The first run has token 1.
 */
export function runSeconds({ startedAt, token }: Pick<TaskRow, 'startedAt' | 'token'>, now: Date): number | null {
  return startedAt === null || token !== 1 ? null : Math.max(0, (now.getTime() - startedAt.getTime()) / 1000)
}

/** The progress with the data that a later run continues from. */
export interface Checkpoint<Cursor = unknown> extends TaskProgress {
  cursor?: Cursor
}

/** A running task, as seen by the process that holds its lease. */
export interface TaskRun<Cursor = unknown> {
  /** As it was when this run began. */
  readonly task: Task<Cursor>
  /** Aborted when the run must end: cancelled, its lease lost, its requester gone, or this process told to stop. */
  readonly signal: AbortSignal
  /** Reports progress at the next heartbeat. For display only: data that a later run needs belongs in a checkpoint. */
  reportProgress(at: TaskProgress): void
  /** Writes the checkpoint in the running transaction of `ctx.db`. Throws if the lease is lost: the transaction must not commit. */
  checkpoint(at: Checkpoint<Cursor>): Promise<void>
  /** A checkpoint for a separate connection: a statement with `?` for each value. It must update one row, which `expectLease` checks. */
  checkpointSql(at: Checkpoint<Cursor>): { sql: string; values: readonly (string | number | null)[] }
  /**
   * Extends the lease, in milliseconds, for a transaction so long that no heartbeat gets through. Checks again whether the run may
   * continue: see the signal.
   */
  extendLease(ms: number): Promise<void>
}

/** One run of a task, opened by its kind. */
export interface TaskSession<Cursor = unknown> {
  /** Does the next step and returns the progress; after the one with `isLast` the task is done. */
  step(): Promise<Checkpoint<Cursor> & { isLast: boolean }>
  /** Releases the run's resources, however it ended. */
  close?(): Promise<void>
}

/** How the work of a kind is done. */
export interface TaskHandler<Cursor = unknown> {
  /** `engine`: each step is one transaction with its checkpoint. `own`: a step opens its own transactions and writes `run.checkpoint` in each. */
  transactions: 'engine' | 'own'
  open(ctx: AppContext, run: TaskRun<Cursor>): Promise<TaskSession<Cursor>>
  /** Whether this process can take over a task that lost its process: the file it reads is here and unchanged. */
  canTakeOver?(ctx: AppContext, task: Task<Cursor>): Promise<boolean>
  /** Stores the effect of the end on the subject, in the transaction that makes the task done, failed or cancelled. */
  finish?(ctx: AppContext, task: Task<Cursor>): Promise<void>
  /** Removes what an ended task no longer needs, such as its file, once the end is committed. */
  cleanUp?(ctx: AppContext, task: Task<Cursor>): Promise<void>
}

export type TaskHandlers = { readonly [Name in TaskKindName]: TaskHandler }
