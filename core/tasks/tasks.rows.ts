import type { Database, SqlValues } from '../database.ts'
import { defaulted, defineTable, id, instant, integer, json, nullable, type RowOf, ref, text } from '../table.ts'
import type { Checkpoint, Task, TaskProgress, TaskState } from './task.ts'
import type { TaskKind, TaskKindName } from './task-kinds.ts'

/** Long-running work: the progress of each task, and which process works on it. The writes in this file run in the caller's transaction. */
export const Tasks = defineTable('tasks', {
  id: id(),
  kind: text<TaskKindName>(),
  /** Unique among the waiting and running tasks. */
  lockKey: nullable(text()),
  publisherId: nullable(ref()),
  publicationId: nullable(ref()),
  subjectId: nullable(ref()),
  state: text<TaskState>(),
  phase: nullable(text()),
  /** The position at the last checkpoint; null before the first. */
  cursor: nullable(json<unknown>()),
  done: defaulted(integer()),
  total: defaulted(integer()),
  counts: json<Record<string, number>>(),
  actorKind: text(),
  actorId: nullable(ref()),
  onLost: text<TaskKind['onLost']>(),
  owner: nullable(text()),
  leaseUntil: nullable(instant()),
  token: defaulted(integer()),
  attempts: defaulted(integer()),
  stopAskedAt: nullable(instant()),
  problem: nullable(text()),
  undoOf: nullable(ref()),
  askedAt: instant(),
  startedAt: nullable(instant()),
  finishedAt: nullable(instant()),
})

export type TaskRow = RowOf<typeof Tasks>

type Db = Pick<Database, 'query' | 'run'>

/** Runs a SELECT or a statement with RETURNING that returns tasks. */
function tasksOf<Cursor>(db: Pick<Database, 'query'>, sql: string, values: SqlValues): Promise<Task<Cursor>[]> {
  return Tasks.rows({ db }, sql, values) as Promise<Task<Cursor>[]>
}

export async function selectTasks<Cursor>(
  db: Pick<Database, 'query'>,
  condition: string,
  values: SqlValues = {},
): Promise<Task<Cursor>[]> {
  return tasksOf(db, `SELECT ${Tasks.columns()} FROM tasks WHERE ${condition}`, values)
}

export async function taskById<Cursor>(db: Pick<Database, 'query'>, id: number): Promise<Task<Cursor> | null> {
  const [task] = await selectTasks<Cursor>(db, 'id = :id', { id })
  return task ?? null
}

/** The unfinished task that holds a lock key. */
export async function lockHolder(db: Pick<Database, 'query'>, lockKey: string): Promise<Task | null> {
  const [task] = await selectTasks(db, `lock_key = :lockKey AND state IN ('waiting', 'running')`, { lockKey })
  return task ?? null
}

export interface NewTask {
  kind: TaskKindName
  lockKey: string
  publisherId: number | null
  publicationId: number | null
  subjectId: number
  total: number
  actorKind: string
  actorId: number | null
  onLost: TaskKind['onLost']
  undoOf: number | null
  now: Date
}

/** Creates a waiting task; null if another task holds its lock. */
export async function insertTask(db: Db, newTask: NewTask): Promise<Task | null> {
  const [task] = await tasksOf(
    db,
    `INSERT INTO tasks (kind, lock_key, publisher_id, publication_id, subject_id, state, total, counts, actor_kind, actor_id, on_lost,
                        undo_of, asked_at)
     VALUES (:kind, :lockKey, :publisherId, :publicationId, :subjectId, 'waiting', :total, '{}', :actorKind, :actorId, :onLost,
             :undoOf, :now)
     ON CONFLICT (lock_key) WHERE state IN ('waiting', 'running') DO NOTHING RETURNING ${Tasks.columns()}`,
    { ...newTask },
  )
  return task ?? null
}

interface Claim {
  id: number
  token: number
  owner: string
  now: Date
  leaseUntil: Date
}

/** Takes the lease of a task for a process, by a compare-and-set of its `token`. Null if another process was faster. */
export async function claimTask<Cursor>(db: Db, claim: Claim): Promise<Task<Cursor> | null> {
  const [task] = await tasksOf<Cursor>(
    db,
    `UPDATE tasks SET state = 'running', token = token + 1, attempts = attempts + 1, owner = :owner, lease_until = :leaseUntil,
       started_at = COALESCE(started_at, :now), finished_at = NULL, stop_asked_at = NULL
     WHERE id = :id AND token = :token AND state = 'waiting' RETURNING ${Tasks.columns()}`,
    { ...claim },
  )
  return task ?? null
}

/** A task, with the token of the run that holds its lease. */
export interface LeasedTask {
  id: number
  token: number
}

const isLeasedSql = `id = :id AND token = :token AND state = 'running'`

/** Renews the lease and stores the progress; false if the lease is lost. */
export async function renewLease(
  db: Db,
  { id, token }: LeasedTask,
  leaseUntil: Date,
  progress: TaskProgress = {},
): Promise<boolean> {
  const sets = ['lease_until = CASE WHEN lease_until > :leaseUntil THEN lease_until ELSE :leaseUntil END']
  const values: SqlValues = { id, token, leaseUntil }
  for (const [column, value] of Object.entries(progress)) {
    sets.push(`${column} = :${column}`)
    values[column] = column === 'counts' ? JSON.stringify(value) : (value as string | number | null)
  }
  return (await db.run(`UPDATE tasks SET ${sets.join(', ')} WHERE ${isLeasedSql}`, values)) === 1
}

/**
 * The statement of a checkpoint, with `?` for each value. It resets the number of failed runs, except for tasks that start again each time: such a
 * task might crash its process at the same point every time.
 */
export function checkpointSql(
  { id, token }: LeasedTask,
  { phase, cursor, done, total, counts }: Required<Checkpoint>,
): { sql: string; values: (string | number | null)[] } {
  return {
    sql: `UPDATE tasks SET phase = ?, cursor = ?, done = ?, total = ?, counts = ?, problem = NULL,
  attempts = CASE WHEN on_lost = 'restart' THEN attempts ELSE 1 END
WHERE id = ? AND token = ? AND state = 'running'`,
    values: [phase, cursor === null ? null : JSON.stringify(cursor), done, total, JSON.stringify(counts), id, token],
  }
}

/** Ends a run, permanently or until the task is resumed; null if the lease is lost. */
export async function endRun(
  db: Db,
  { id, token }: LeasedTask,
  end: { state: Exclude<TaskState, 'waiting' | 'running'>; problem: string | null; now: Date },
): Promise<Task | null> {
  const [task] = await tasksOf(
    db,
    `UPDATE tasks SET state = :state, problem = :problem, lease_until = NULL, finished_at = :now WHERE ${isLeasedSql} RETURNING ${Tasks.columns()}`,
    { id, token, ...end, problem: end.problem?.slice(0, 500) ?? null },
  )
  return task ?? null
}

/** Makes a task wait for its next run, which has the returned token; null if the task has changed. */
export async function backToWaiting(
  db: Db,
  { id, token, isFromStart, problem }: LeasedTask & { isFromStart: boolean; problem: string | null },
): Promise<Task | null> {
  const [task] = await tasksOf(
    db,
    `UPDATE tasks SET state = 'waiting', token = token + 1, owner = NULL, lease_until = NULL, finished_at = NULL, problem = :problem
       ${isFromStart ? `, cursor = NULL, phase = NULL, done = 0, counts = '{}'` : ''}
     WHERE id = :id AND token = :token AND state IN ('waiting', 'running') RETURNING ${Tasks.columns()}`,
    { id, token, problem: problem?.slice(0, 500) ?? null },
  )
  return task ?? null
}

/** Makes a stopped task wait for its next run, on behalf of the user who resumes it and with all its attempts; null if the task has changed. */
export async function resumeWaiting(
  db: Db,
  leased: LeasedTask & { actorKind: string; actorId: number | null },
): Promise<Task | null> {
  const [task] = await tasksOf(
    db,
    `UPDATE tasks SET state = 'waiting', token = token + 1, attempts = 0, owner = NULL, lease_until = NULL, stop_asked_at = NULL,
       finished_at = NULL, problem = NULL, actor_kind = :actorKind, actor_id = :actorId
     WHERE id = :id AND token = :token AND state IN ('running', 'interrupted') RETURNING ${Tasks.columns()}`,
    { ...leased },
  )
  return task ?? null
}

/** Cancels a task. If a process works on it, further writes of that run are refused. Null if the task has already ended. */
export async function cancelNow(db: Db, { id, now }: { id: number; now: Date }): Promise<Task | null> {
  const [task] = await tasksOf(
    db,
    `UPDATE tasks SET state = 'cancelled', token = token + 1, lease_until = NULL, stop_asked_at = :now, finished_at = :now
     WHERE id = :id AND state IN ('waiting', 'running', 'interrupted') RETURNING ${Tasks.columns()}`,
    { id, now },
  )
  return task ?? null
}

/** Requests that the run of a task ends at its next checkpoint. */
export async function requestStop(db: Db, { id, now }: { id: number; now: Date }): Promise<void> {
  await db.run(`UPDATE tasks SET stop_asked_at = :now WHERE id = :id AND state = 'running'`, { id, now })
}

/** Deletes tasks that ended before a given time and whose subject, a row of the table `subjects`, no longer exists. */
export async function clearTasks(
  { db }: { db: Pick<Database, 'run'> },
  kinds: readonly TaskKindName[],
  before: Date,
  subjects: string,
): Promise<void> {
  await db.run(
    `DELETE FROM tasks WHERE kind IN (:kinds) AND finished_at < :before AND NOT EXISTS (SELECT 1 FROM ${subjects} s WHERE s.id = tasks.subject_id)`,
    { kinds: [...kinds], before },
  )
}
