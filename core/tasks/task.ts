import type { AppContext } from '../context.ts'
import type { TaskKindName } from './task-kinds.ts'
import type { TaskRow } from './tasks.rows.ts'

/**
 * `waiting`: its job is in the outbox. `running`: a process holds its lease. `interrupted`: it was stopped before its end; it can be resumed,
 * and keeps nobody waiting. The other three are ends.
 */
export type TaskState = 'waiting' | 'running' | 'interrupted' | 'done' | 'failed' | 'cancelled'

/** A piece of long work: where it is and who works on it, with the checkpoint of its kind. */
export interface Task<Cursor = unknown> extends Omit<TaskRow, 'cursor'> {
  /** Where its last commit was; null before the first. */
  cursor: Cursor | null
}

/** How far a task is. What is left out stays as it was. */
export interface TaskProgress {
  phase?: string | null
  done?: number
  total?: number
  counts?: Record<string, number>
}

/** The same with what a later run goes on from. */
export interface Checkpoint<Cursor = unknown> extends TaskProgress {
  cursor?: Cursor
}

/** A running task in the hands of the process that holds its lease. */
export interface TaskRun<Cursor = unknown> {
  /** As it was when this run began. */
  readonly task: Task<Cursor>
  /** Raised when the run shall end: cancelled, its lease lost, its asker gone, or this process told to stop. */
  readonly signal: AbortSignal
  /** Tells those who look on, at the next heartbeat. For the eye alone: what a later run builds on belongs in a checkpoint. */
  tell(at: TaskProgress): void
  /** Writes the checkpoint in the running transaction of `ctx.db`. Throws when the lease is lost: the transaction must not commit. */
  checkpoint(at: Checkpoint<Cursor>): Promise<void>
  /** The same for a connection of one's own: a statement with `?` for each value. It must touch one row, which `expectHeld` looks at. */
  checkpointSql(at: Checkpoint<Cursor>): { sql: string; values: readonly (string | number | null)[] }
  /**
   * Makes the lease last for a transaction so long that no heartbeat gets through, in milliseconds. Looks again whether the run may go
   * on: the signal tells.
   */
  holdFor(ms: number): Promise<void>
}

/** One run of a task, opened by its kind. */
export interface TaskSession<Cursor = unknown> {
  /** Does the next piece and tells where it is; after the one that says `isLast` the task is done. */
  step(): Promise<Checkpoint<Cursor> & { isLast: boolean }>
  /** Lets go of what the run held, however it ended. */
  close?(): Promise<void>
}

/** How the work of a kind is done. */
export interface TaskWork<Cursor = unknown> {
  /** `engine`: each step is one transaction with its checkpoint. `own`: a step opens its own ones and writes `run.checkpoint` in each. */
  transactions: 'engine' | 'own'
  open(ctx: AppContext, run: TaskRun<Cursor>): Promise<TaskSession<Cursor>>
  /** Whether this process can take over a task that lost its own: the file it reads is here, and the same. */
  isHere?(ctx: AppContext, task: Task<Cursor>): Promise<boolean>
  /** Writes down what the end means for the subject, in the transaction that makes the task done, failed or cancelled. */
  ended?(ctx: AppContext, task: Task<Cursor>): Promise<void>
  /** Removes what an ended task needs no more, such as its file: once the end is committed. */
  clearAway?(ctx: AppContext, task: Task<Cursor>): Promise<void>
}

export type TaskWorks = { readonly [Name in TaskKindName]: TaskWork }
