import type { Database, SqlValues } from '../database.ts'
import { defaulted, defineTable, id, instant, integer, json, nullable, type RowOf, ref, text } from '../table.ts'
import type { Checkpoint, Task, TaskProgress, TaskState } from './task.ts'
import type { TaskKind, TaskKindName } from './task-kinds.ts'

/** A piece of long-running work: its progress and who works on it. Call each write here in the caller's transaction. */
export const Tasks = defineTable('tasks', {
  id: id(),
  kind: text<TaskKindName>(),
  /** Unique while the task is waiting or running. */
  lockKey: nullable(text()),
  publisherId: nullable(ref()),
  publicationId: nullable(ref()),
  subjectId: nullable(ref()),
  state: text<TaskState>(),
  phase: nullable(text()),
  /** The checkpoint of the last commit; null before the first. */
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

/** The tasks that a SELECT on `tasks` or a RETURNING returns. */
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

/** The task that holds a lock key. */
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

/** Creates a waiting task; null if another one holds its lock. */
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

/** Takes the lease of a task for a process by compare-and-set on its previous `token`. Null if another process was faster. */
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

/** A task whose lease is held by the run with this token. */
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
 * The statement of a checkpoint, with `?` for each value. Earlier failed runs no longer count, except for a task that starts over each
 * time: it might crash its process at the same point every time.
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

/** Ends a run permanently or until it is resumed; null if its lease is lost. */
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

/** Lets a task wait for its next run, which the returned token identifies; null if it has changed. */
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

/**
 * Lets a stopped task wait for its next run on behalf of the resuming user, with all its attempts; null if it has changed.
 */
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

/** Ends a task that no process works on, or takes it from the process that does: further writes of that run are refused. */
export async function cancelNow(db: Db, { id, now }: { id: number; now: Date }): Promise<Task | null> {
  const [task] = await tasksOf(
    db,
    `UPDATE tasks SET state = 'cancelled', token = token + 1, lease_until = NULL, stop_asked_at = :now, finished_at = :now
     WHERE id = :id AND state IN ('waiting', 'running', 'interrupted') RETURNING ${Tasks.columns()}`,
    { id, now },
  )
  return task ?? null
}

/** Requests that the run of a task ends at a checkpoint. */
export async function requestStop(db: Db, { id, now }: { id: number; now: Date }): Promise<void> {
  await db.run(`UPDATE tasks SET stop_asked_at = :now WHERE id = :id AND state = 'running'`, { id, now })
}

/** Deletes tasks that ended before a given time and whose subject, a row of this table, is gone. */
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
