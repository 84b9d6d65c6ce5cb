import { asInstant, type Database, type SqlValues } from '../database.ts'
import type { Checkpoint, Task, TaskProgress, TaskState } from './task.ts'
import type { TaskKind, TaskKindName } from './task-kinds.ts'

/** Every statement that writes to `tasks`. Each belongs in a transaction of its caller. */

type Raw = Record<string, unknown>
type Db = Pick<Database, 'query' | 'run'>

export function taskOf<Cursor>(row: object): Task<Cursor> {
  const raw = row as Raw
  const number = (name: string) => (raw[name] === null ? null : Number(raw[name]))
  const moment = (name: string) => (raw[name] === null ? null : asInstant(raw[name] as string))
  const json = (name: string) => (typeof raw[name] === 'string' ? JSON.parse(raw[name] as string) : raw[name])
  return {
    id: Number(raw.id),
    kind: raw.kind as TaskKindName,
    lockKey: raw.lock_key as string | null,
    publisherId: number('publisher_id'),
    publicationId: number('publication_id'),
    subjectId: number('subject_id'),
    state: raw.state as TaskState,
    phase: raw.phase as string | null,
    cursor: json('cursor') as Cursor | null,
    done: Number(raw.done),
    total: Number(raw.total),
    counts: json('counts') as Record<string, number>,
    actorKind: raw.actor_kind as string,
    actorId: number('actor_id'),
    onLost: raw.on_lost as TaskKind['onLost'],
    owner: raw.owner as string | null,
    leaseUntil: moment('lease_until'),
    token: Number(raw.token),
    attempts: Number(raw.attempts),
    stopAskedAt: moment('stop_asked_at'),
    problem: raw.problem as string | null,
    undoOf: number('undo_of'),
    askedAt: asInstant(raw.asked_at as string),
    startedAt: moment('started_at'),
    finishedAt: moment('finished_at'),
  }
}

export async function selectTasks<Cursor>(
  db: Pick<Database, 'query'>,
  condition: string,
  values: SqlValues = {},
): Promise<Task<Cursor>[]> {
  return (await db.query(`SELECT * FROM tasks WHERE ${condition}`, values)).map((row) => taskOf<Cursor>(row))
}

export async function taskById<Cursor>(db: Pick<Database, 'query'>, id: number): Promise<Task<Cursor> | null> {
  const [task] = await selectTasks<Cursor>(db, 'id = :id', { id })
  return task ?? null
}

/** Who has the place that a lock key stands for. */
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

/** Makes a waiting task; null when another one has its place. */
export async function insertTask(db: Db, task: NewTask): Promise<Task | null> {
  const [row] = await db.query(
    `INSERT INTO tasks (kind, lock_key, publisher_id, publication_id, subject_id, state, total, counts, actor_kind, actor_id, on_lost,
                        undo_of, asked_at)
     VALUES (:kind, :lockKey, :publisherId, :publicationId, :subjectId, 'waiting', :total, '{}', :actorKind, :actorId, :onLost,
             :undoOf, :now)
     ON CONFLICT (lock_key) WHERE state IN ('waiting', 'running') DO NOTHING RETURNING *`,
    { ...task },
  )
  return row ? taskOf(row) : null
}

interface Claim {
  id: number
  token: number
  owner: string
  now: Date
  leaseUntil: Date
}

/** Gives the lease of a task to a process, if it is as it was seen: `token` is the one it had. Null when somebody else was quicker. */
export async function claimTask<Cursor>(db: Db, claim: Claim): Promise<Task<Cursor> | null> {
  const [row] = await db.query(
    `UPDATE tasks SET state = 'running', token = token + 1, attempts = attempts + 1, owner = :owner, lease_until = :leaseUntil,
       started_at = COALESCE(started_at, :now), finished_at = NULL, stop_asked_at = NULL
     WHERE id = :id AND token = :token AND state = 'waiting' RETURNING *`,
    { ...claim },
  )
  return row ? taskOf<Cursor>(row) : null
}

/** A task in the hands of the run that has this token. */
export interface HeldTask {
  id: number
  token: number
}

const isHeld = `id = :id AND token = :token AND state = 'running'`

/** Renews the lease and tells how far it is; false when the lease is lost. */
export async function renewLease(
  db: Db,
  { id, token }: HeldTask,
  leaseUntil: Date,
  told: TaskProgress = {},
): Promise<boolean> {
  const sets = ['lease_until = CASE WHEN lease_until > :leaseUntil THEN lease_until ELSE :leaseUntil END']
  const values: SqlValues = { id, token, leaseUntil }
  for (const [column, value] of Object.entries(told)) {
    sets.push(`${column} = :${column}`)
    values[column] = column === 'counts' ? JSON.stringify(value) : (value as string | number | null)
  }
  return (await db.run(`UPDATE tasks SET ${sets.join(', ')} WHERE ${isHeld}`, values)) === 1
}

/**
 * The statement of a checkpoint, with `?` for each value. Runs that failed before it count no more, but for a task that begins anew each
 * time: it might end its process at the same place for ever.
 */
export function checkpointSql(
  { id, token }: HeldTask,
  { phase, cursor, done, total, counts }: Required<Checkpoint>,
): { sql: string; values: (string | number | null)[] } {
  return {
    sql: `UPDATE tasks SET phase = ?, cursor = ?, done = ?, total = ?, counts = ?, problem = NULL,
  attempts = CASE WHEN on_lost = 'restart' THEN attempts ELSE 1 END
WHERE id = ? AND token = ? AND state = 'running'`,
    values: [phase, cursor === null ? null : JSON.stringify(cursor), done, total, JSON.stringify(counts), id, token],
  }
}

/** Ends a run for good or until somebody resumes it; null when its lease is lost. */
export async function endRun(
  db: Db,
  { id, token }: HeldTask,
  end: { state: Exclude<TaskState, 'waiting' | 'running'>; problem: string | null; now: Date },
): Promise<Task | null> {
  const [row] = await db.query(
    `UPDATE tasks SET state = :state, problem = :problem, lease_until = NULL, finished_at = :now WHERE ${isHeld} RETURNING *`,
    { id, token, ...end, problem: end.problem?.slice(0, 500) ?? null },
  )
  return row ? taskOf(row) : null
}

/** Lets a task wait for its next run, which the token of the answer names; null when it is not what it was. */
export async function backToWaiting(
  db: Db,
  { id, token, isFromStart, problem }: HeldTask & { isFromStart: boolean; problem: string | null },
): Promise<Task | null> {
  const [row] = await db.query(
    `UPDATE tasks SET state = 'waiting', token = token + 1, owner = NULL, lease_until = NULL, finished_at = NULL, problem = :problem
       ${isFromStart ? `, cursor = NULL, phase = NULL, done = 0, counts = '{}'` : ''}
     WHERE id = :id AND token = :token AND state IN ('waiting', 'running') RETURNING *`,
    { id, token, problem: problem?.slice(0, 500) ?? null },
  )
  return row ? taskOf(row) : null
}

/**
 * Lets a stopped task wait for its next run in the name of whoever resumes it, with all its tries; null when it is not what it was.
 */
export async function resumeWaiting(
  db: Db,
  held: HeldTask & { actorKind: string; actorId: number | null },
): Promise<Task | null> {
  const [row] = await db.query(
    `UPDATE tasks SET state = 'waiting', token = token + 1, attempts = 0, owner = NULL, lease_until = NULL, stop_asked_at = NULL,
       finished_at = NULL, problem = NULL, actor_kind = :actorKind, actor_id = :actorId
     WHERE id = :id AND token = :token AND state IN ('running', 'interrupted') RETURNING *`,
    { ...held },
  )
  return row ? taskOf(row) : null
}

/** Ends a task that nobody works on, or takes it from whoever does: what that run still writes is refused. */
export async function cancelNow(db: Db, { id, now }: { id: number; now: Date }): Promise<Task | null> {
  const [row] = await db.query(
    `UPDATE tasks SET state = 'cancelled', token = token + 1, lease_until = NULL, stop_asked_at = :now, finished_at = :now
     WHERE id = :id AND state IN ('waiting', 'running', 'interrupted') RETURNING *`,
    { id, now },
  )
  return row ? taskOf(row) : null
}

/** Asks the run of a task to come to its end at a safe place. */
export async function askToStop(db: Db, { id, now }: { id: number; now: Date }): Promise<void> {
  await db.run(`UPDATE tasks SET stop_asked_at = :now WHERE id = :id AND state = 'running'`, { id, now })
}
