import { asInstant, asJson, type SqlValues } from '../database.ts'
import { flagLiteral, rowLock, rowsFromJson, typedValue } from '../dialect.ts'
import {
  defaulted,
  defineTable,
  flag,
  id,
  instant,
  integer,
  json,
  nullable,
  ref,
  type TableContext,
  text,
} from '../table.ts'
import type { JobName } from './catalog.ts'
import type { JobState } from './job-queue.ts'
import { currentJob } from './renamed-jobs.ts'

/** The outbox: work to do later, written in the transaction of the change that caused it. */
export const Jobs = defineTable('jobs', {
  id: id(),
  /** One of the catalog, or of an older release. */
  name: text(),
  payload: json<unknown>(),
  publisherId: nullable(ref()),
  state: text<JobState>(),
  runAt: instant(),
  attempts: defaulted(integer()),
  /** Until when a running job is leased to its worker. */
  lockedUntil: nullable(instant()),
  /** When the relay last handed it to Bull. */
  relayedAt: nullable(instant()),
  /** A second job with the same key is not added. */
  dedupeKey: nullable(text()),
  /** A user is waiting for it at a screen. */
  isUrgent: defaulted(flag()),
  problem: nullable(text()),
  createdAt: instant(),
  finishedAt: nullable(instant()),
})

/** Enqueues a job; false where one with its key exists. */
export async function addJob(
  ctx: TableContext,
  job: {
    name: JobName
    payload: unknown
    publisherId: number | null
    runAt: Date
    dedupeKey: string | null
    isUrgent: boolean
  },
): Promise<boolean> {
  return (await Jobs.insertNew(ctx, { ...job, state: 'waiting' })) !== null
}

/** Enqueues many jobs of one kind, due now, and returns how many were new. */
export async function addJobs(
  ctx: TableContext,
  name: JobName,
  jobs: readonly { payload: unknown; publisherId: number; dedupeKey: string }[],
): Promise<number> {
  const rows = jobs.map(({ payload, publisherId, dedupeKey }) => ({
    payload,
    publisher: publisherId,
    dedupe: dedupeKey,
  }))
  const columns = { payload: 'json', publisher: 'id', dedupe: 'text' } as const
  const now = typedValue(ctx.db, ':now', 'instant')
  return ctx.db.run(
    `INSERT INTO jobs (name, payload, publisher_id, state, run_at, dedupe_key, created_at)
     SELECT ${typedValue(ctx.db, ':name', 'text')}, j.payload, j.publisher, 'waiting', ${now}, j.dedupe, ${now}
     FROM ${rowsFromJson(ctx.db, ':rows', 'j', columns)} WHERE j.dedupe IS NOT NULL
     ON CONFLICT DO NOTHING`,
    { name, rows: JSON.stringify(rows), now: ctx.now() },
  )
}

/** A job that a worker has taken. */
export interface ClaimedJob {
  id: number
  name: JobName
  payload: unknown
  attempts: number
  isUrgent: boolean
}

/** How long a claimed job is leased to its worker; a running job renews it. After that another worker takes over. */
const lockMs = 120_000

/**
 * Emails run concurrently with all other jobs: there may be many, and each waits for the mail server. Emails that a user is waiting for at a screen
 * overtake the others.
 */
export type Lane = 'urgent' | 'emails' | 'others'

/** SQL with the same conditions as the partial indexes of the table: otherwise every waiting job would be read and sorted. */
function inLane({ db }: Pick<TableContext, 'db'>, lane: Lane): string {
  if (lane === 'others') return `name <> 'send-mail'`
  return `name = 'send-mail' AND is_urgent = ${flagLiteral(db, lane === 'urgent')}`
}

const isWaitingSql = (ctx: Pick<TableContext, 'db'>, lane: Lane) =>
  `state = 'waiting' AND ${inLane(ctx, lane)} AND run_at <= :now`
/** SQL: true for a job whose worker died. */
const isLostSql = (ctx: Pick<TableContext, 'db'>, lane: Lane) =>
  `state = 'active' AND ${inLane(ctx, lane)} AND locked_until < :now`

const claimed = Jobs.pick('id', 'name', 'payload', 'attempts', 'isUrgent')

/** Claims up to `limit` due jobs of a lane; jobs whose worker died are due again when their lock has expired. */
export async function claimJobs(ctx: TableContext, lane: Lane, limit: number): Promise<ClaimedJob[]> {
  // Checked by a SELECT first: an UPDATE would needlessly take SQLite's only write lock every second.
  const [due] = await ctx.db.query(
    `SELECT 1 AS due WHERE EXISTS (SELECT id FROM jobs WHERE ${isWaitingSql(ctx, lane)}) OR EXISTS (SELECT id FROM jobs WHERE ${isLostSql(ctx, lane)})`,
    { now: ctx.now() },
  )
  return due ? claim(ctx, dueJobs(ctx, lane), { limit }) : []
}

/** Claims one job if it is due. It waits for another worker that has locked its row. */
export async function claimJob(ctx: TableContext, id: number): Promise<ClaimedJob | null> {
  const isDueSql = `((state = 'waiting' AND run_at <= :now) OR (state = 'active' AND locked_until < :now))`
  const due = `due AS MATERIALIZED (SELECT id FROM jobs WHERE id = :id AND ${isDueSql} ${rowLock(ctx.db)})`
  return (await claim(ctx, due, { id }))[0] ?? null
}

async function claim(ctx: TableContext, due: string, values: SqlValues): Promise<ClaimedJob[]> {
  const now = ctx.now()
  const rows = await ctx.db.transaction(() =>
    claimed.rows(
      ctx,
      `WITH ${due} UPDATE jobs SET state = 'active', locked_until = :lockedUntil, attempts = attempts + 1
       WHERE id IN (SELECT id FROM due) RETURNING ${claimed.columns()}`,
      { now, lockedUntil: new Date(now.getTime() + lockMs), ...values },
    ),
  )
  return rows.map(({ id, attempts, isUrgent, ...row }) => {
    const job = currentJob(row)
    return { id, attempts, isUrgent, name: job.name as JobName, payload: job.payload }
  })
}

/** The CTE `due`: the first `:limit` due jobs of a lane, from the beginning of its index. Rows that another worker is claiming are skipped. */
function dueJobs(ctx: Pick<TableContext, 'db'>, lane: Lane, extraCondition = ''): string {
  const lock = rowLock(ctx.db, { skipLocked: true })
  return `lost AS MATERIALIZED (SELECT id FROM jobs WHERE ${isLostSql(ctx, lane)} ${extraCondition} LIMIT :limit ${lock}),
    waiting AS MATERIALIZED (SELECT id FROM jobs WHERE ${isWaitingSql(ctx, lane)} ${extraCondition} ORDER BY run_at, id LIMIT :limit ${lock}),
    due AS MATERIALIZED (SELECT id FROM lost UNION ALL SELECT id FROM waiting LIMIT :limit)`
}

/** A row that was handed to Bull and not run within this time is handed over again: Redis may have been emptied. */
export const relayAgainMs = 30_000

/** Marks up to `limit` due jobs of a lane as handed to Bull and returns them. */
export function markRelayed(ctx: TableContext, lane: Lane, limit: number): Promise<{ id: number; attempts: number }[]> {
  const now = ctx.now()
  return ctx.db.transaction(() =>
    ctx.db.query(
      `WITH ${dueJobs(ctx, lane, 'AND (relayed_at IS NULL OR relayed_at < :stale)')}
       UPDATE jobs SET relayed_at = :now WHERE id IN (SELECT id FROM due) RETURNING id, attempts`,
      { now, stale: new Date(now.getTime() - relayAgainMs), limit },
    ),
  )
}

/**
 * The row as its worker claimed it. A worker that has lost its lease can no longer change it: each claim increments `attempts`, so after the next
 * claim the row no longer matches.
 */
const asClaimed = ({ id, attempts }: ClaimedJob) => ({ id, state: 'active', attempts }) as const

/** Keeps a long job from being taken over while it still runs. This and the next three return false if another worker has taken it over. */
export async function renewLease(ctx: TableContext, job: ClaimedJob): Promise<boolean> {
  return (await Jobs.update(ctx, asClaimed(job), { lockedUntil: new Date(ctx.now().getTime() + lockMs) })) > 0
}

/** `problem`: it ended with a problem that its own table records, and no work remains. */
export async function finishJob(ctx: TableContext, job: ClaimedJob, problem: string | null = null): Promise<boolean> {
  const changes = { state: 'done', lockedUntil: null, problem, finishedAt: ctx.now() } as const
  return (await Jobs.update(ctx, asClaimed(job), changes)) > 0
}

/** Reschedules a job for an attempt at `runAt`, or marks it as failed where that is null. */
export async function releaseJob(
  ctx: TableContext,
  job: ClaimedJob,
  { problem, runAt }: { problem: string; runAt: Date | null },
): Promise<boolean> {
  const changes = runAt
    ? ({ state: 'waiting', relayedAt: null, runAt } as const)
    : ({ state: 'failed', finishedAt: ctx.now() } as const)
  return (await Jobs.update(ctx, asClaimed(job), { ...changes, lockedUntil: null, problem })) > 0
}

/** Reschedules a claimed job for a later moment, without counting an attempt. */
export async function postponeJob(ctx: TableContext, job: ClaimedJob, until: Date): Promise<boolean> {
  const changes = { state: 'waiting', attempts: job.attempts - 1, runAt: until, relayedAt: null } as const
  return (await Jobs.update(ctx, asClaimed(job), { ...changes, lockedUntil: null })) > 0
}

/** Makes failed jobs due immediately, with all attempts available again: the named ones (also emails that were refused), or every failed one. */
export async function retryFailed(ctx: TableContext, ids: readonly number[] | 'all'): Promise<void> {
  await ctx.db.run(
    `UPDATE jobs SET state = 'waiting', attempts = 0, run_at = :now, locked_until = NULL, relayed_at = NULL, finished_at = NULL
     WHERE ${ids === 'all' ? `state = 'failed'` : `id IN (:ids) AND ${isUnsentSql}`}`,
    { now: ctx.now(), ids: ids === 'all' ? null : ids },
  )
}

/** Failed, or an email that was refused permanently, whose job is done. */
export const isUnsentSql = `(state = 'failed' OR (state = 'done' AND problem IS NOT NULL))`

/** The emails of one kind that failed in all their attempts, or were refused permanently, since a moment. */
export async function unsentEmails(
  { db }: Pick<TableContext, 'db'>,
  mail: string,
  since: Date,
): Promise<{ id: number; about: Record<string, string | number>; finishedAt: Date }[]> {
  const rows = await db.query<{ id: number; payload: unknown; finished_at: Date | string }>(
    `SELECT id, payload, finished_at FROM jobs WHERE ${isUnsentSql} AND finished_at >= :since AND name = 'send-mail' ORDER BY id`,
    { since },
  )
  return rows.flatMap(({ id, payload, finished_at: finishedAt }) => {
    const job = asJson<{ mail: string; about: Record<string, string | number> }>(payload)
    return job.mail === mail ? [{ id, about: job.about, finishedAt: asInstant(finishedAt) }] : []
  })
}

/** Deletes the jobs that were done before a given time. */
export function clearJobs({ db }: Pick<TableContext, 'db'>, before: Date): Promise<number> {
  return db.run(`DELETE FROM jobs WHERE state = 'done' AND finished_at < :before`, { before })
}
