import type { Services } from '#core/context.ts'
import { claimJobs } from '#core/jobs/jobs.rows.ts'
import { makeScheduler } from './make-job-queue.ts'
import { type JobHandlers, runJob } from './run-job.ts'

/** A running loop over the outbox. */
export interface WorkerLoop {
  /** Looks for work now instead of at the next tick. */
  wake(): void
  /** Resolves when no job is due or running. */
  idle(): Promise<void>
  /** Takes no more jobs and waits for the running ones. */
  stop(): Promise<void>
}

/** Jobs at one time. */
const max = 10

/** Works the outbox inside this process: the default where there is no Redis. A job that takes minutes keeps no other one waiting. */
export function startEmbeddedWorker(services: Services, handlers: JobHandlers, tickMs = 1000): WorkerLoop {
  const { db, jobs, log, now } = services
  const schedule = makeScheduler(jobs)
  const running = new Set<Promise<unknown>>()
  let isStopped = false
  let wanted = false
  let pass: Promise<void> | undefined

  async function loop(): Promise<void> {
    await schedule(now())
    while (!isStopped && running.size < max) {
      const claimed = await claimJobs({ db, now }, max - running.size)
      if (claimed.length === 0) return
      for (const job of claimed) {
        const work = runJob(services, handlers, job)
          // The outcome could not be written: the job is due again when its lock has run out.
          .catch((error: unknown) => log.error({ error, job: job.id }, 'the outcome of a job could not be written'))
          .finally(() => {
            running.delete(work)
            wake()
          })
        running.add(work)
      }
    }
  }

  function wake(): void {
    if (isStopped) return
    if (pass) {
      wanted = true
      return
    }
    pass = loop()
      .catch((error: unknown) => log.error({ error }, 'the job queue could not be read'))
      .finally(() => {
        pass = undefined
        if (!wanted) return
        wanted = false
        wake()
      })
  }

  const timer = setInterval(wake, tickMs)
  wake()
  return {
    wake,
    async idle() {
      wake()
      while (pass || running.size > 0) await (pass ?? Promise.race(running))
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      await pass
      await Promise.all(running)
    },
  }
}
