import type { Database } from '#core/database.ts'
import { type JobPayload, jobNames, jobs } from '#core/jobs/catalog.ts'
import type { EnqueueOptions, JobQueue } from '#core/jobs/job-queue.ts'
import { addJob, addJobs } from '#core/jobs/jobs.rows.ts'

/** The outbox: jobs are rows, written in the caller's transaction. `onEnqueued` is called once they are committed. */
export function makeJobQueue(db: Database, now: () => Date, onEnqueued: () => void): JobQueue {
  return {
    async enqueue(name, payload, options: EnqueueOptions = {}) {
      const isNew = await addJob(
        { db, now },
        {
          name,
          payload: jobs[name].payload.parse(payload),
          publisherId: options.publisherId ?? null,
          runAt: options.runAt ?? now(),
          dedupeKey: options.dedupeKey ?? null,
          isUrgent: options.isUrgent ?? false,
        },
      )
      if (isNew) db.afterCommit(onEnqueued)
    },
    async enqueueMany(name, entries) {
      if (entries.length > 0 && (await addJobs({ db, now }, name, entries)) > 0) db.afterCommit(onEnqueued)
    },
  }
}

/**
 * Creates the rows of repeating jobs: one per job and period, whichever process is first. The returned function checks at most
 * once a minute, however often a worker calls it.
 */
export function makeScheduler(queue: JobQueue): (now: Date) => Promise<void> {
  let checkedMinute: number | undefined
  return async (now) => {
    const minute = Math.floor(now.getTime() / 60_000)
    if (minute === checkedMinute) return
    for (const name of jobNames) {
      const minutes = (jobs[name] as { everyMinutes?: number }).everyMinutes
      if (!minutes) continue
      await queue.enqueue(name, {} as JobPayload<typeof name>, { dedupeKey: `${name}@${Math.floor(minute / minutes)}` })
    }
    checkedMinute = minute
  }
}
