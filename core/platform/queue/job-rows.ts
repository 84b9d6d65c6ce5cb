import type { Database } from '#core/database.ts'
import { type JobName, type JobPayload, jobNames, jobs, nextTry } from '#core/jobs/catalog.ts'
import type { EnqueueOptions, JobQueue } from '#core/jobs/job-queue.ts'
import { currentJob } from '#core/jobs/renamed-jobs.ts'
import { mayPass, toAppError } from '#core/kernel/errors.ts'

export interface JobRow {
  id: number
  name: JobName
  payload: unknown
  attempts: number
}

/** How long a claimed job is left to its worker; a running job renews it. Past it another worker takes over. */
const lockMs = 120_000

/** The outbox: jobs are rows, written in the caller's transaction. `onEnqueued` is called once they are committed. */
export function makeJobQueue(db: Database, now: () => Date, onEnqueued: () => void): JobQueue {
  return {
    async enqueue(name, payload, options: EnqueueOptions = {}) {
      const made = await db.run(
        `INSERT INTO jobs (name, payload, publisher_id, state, run_at, attempts, dedupe_key, created_at)
         VALUES (:name, :payload, :publisherId, 'waiting', :runAt, 0, :dedupeKey, :now)
         ON CONFLICT (dedupe_key) DO NOTHING`,
        {
          name,
          payload: JSON.stringify(jobs[name].payload.parse(payload)),
          publisherId: options.publisherId ?? null,
          runAt: options.runAt ?? now(),
          dedupeKey: options.dedupeKey ?? null,
          now: now(),
        },
      )
      if (made > 0) db.afterCommit(onEnqueued)
    },
  }
}

/** Takes up to `limit` due jobs, or the one with `id`; jobs whose worker died are due again when their lock has run out. */
export async function claimJobs(db: Database, now: Date, limit: number, id?: number): Promise<JobRow[]> {
  if (id === undefined) {
    // Looking is free; an UPDATE would take SQLite's only write lock every second for nothing.
    const [due] = await db.query(
      `SELECT id FROM jobs WHERE (state = 'waiting' AND run_at <= :now) OR (state = 'active' AND locked_until < :now) LIMIT 1`,
      { now },
    )
    if (!due) return []
  }
  // A drain leaves rows that another one is taking; who asks for one row waits for it.
  const lock = db.dialect === 'postgres' ? `FOR UPDATE ${id === undefined ? 'SKIP LOCKED' : ''}` : ''
  const rows = await db.transaction(() =>
    db.query<JobRow>(
      `UPDATE jobs SET state = 'active', locked_until = :lockedUntil, attempts = attempts + 1
       WHERE id IN (
         SELECT id FROM jobs
         WHERE ((state = 'waiting' AND run_at <= :now) OR (state = 'active' AND locked_until < :now))
           ${id === undefined ? '' : 'AND id = :id'}
         ORDER BY run_at, id LIMIT :limit ${lock})
       RETURNING id, name, payload, attempts`,
      { now, lockedUntil: new Date(now.getTime() + lockMs), limit, id: id ?? null },
    ),
  )
  return rows.map(({ id, name, payload, attempts }) => {
    const job = currentJob({ name, payload: typeof payload === 'string' ? JSON.parse(payload) : payload })
    return { id, attempts, name: job.name as JobName, payload: job.payload }
  })
}

/** Keeps a long job from being taken over while it still runs. */
export async function renewLock(db: Database, id: number, now: Date): Promise<void> {
  await db.run(`UPDATE jobs SET locked_until = :until WHERE id = :id AND state = 'active'`, {
    id,
    until: new Date(now.getTime() + lockMs),
  })
}

export async function finishJob(db: Database, id: number, now: Date): Promise<void> {
  await db.run(
    `UPDATE jobs SET state = 'done', locked_until = NULL, problem = NULL, finished_at = :now WHERE id = :id`,
    { id, now },
  )
}

/** Puts a job back for a later try where its kind of error may pass and tries are left; else sets it aside as failed, to be seen and run again. */
export async function failJob(db: Database, job: JobRow, thrown: unknown, now: Date): Promise<'waiting' | 'failed'> {
  const error = toAppError(thrown)
  const isTriedAgain = mayPass(thrown) && job.attempts < jobs[job.name].attempts
  const problem = `${error.kind}: ${thrown instanceof Error ? thrown.message : error.message}`.slice(0, 1000)
  if (isTriedAgain) {
    await db.run(
      `UPDATE jobs SET state = 'waiting', locked_until = NULL, relayed_at = NULL, run_at = :runAt, problem = :problem WHERE id = :id`,
      { id: job.id, runAt: nextTry(job.name, job.attempts, now), problem },
    )
    return 'waiting'
  }
  await db.run(
    `UPDATE jobs SET state = 'failed', locked_until = NULL, problem = :problem, finished_at = :now WHERE id = :id`,
    { id: job.id, problem, now },
  )
  return 'failed'
}

/**
 * Makes the rows of repeating jobs: one per job and period, whichever process comes first. The function that comes back looks at most
 * once a minute, however often a drain calls it.
 */
export function makeScheduler(queue: JobQueue): (now: Date) => Promise<void> {
  let lookedIn: number | undefined
  return async (now) => {
    const minute = Math.floor(now.getTime() / 60_000)
    if (minute === lookedIn) return
    for (const name of jobNames) {
      const minutes = (jobs[name] as { everyMinutes?: number }).everyMinutes
      if (!minutes) continue
      await queue.enqueue(name, {} as JobPayload<typeof name>, { dedupeKey: `${name}@${Math.floor(minute / minutes)}` })
    }
    lookedIn = minute
  }
}
