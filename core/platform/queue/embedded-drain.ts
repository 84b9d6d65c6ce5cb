import type { Services } from '#core/context.ts'
import { claimJobs, makeScheduler } from './job-rows.ts'
import { type JobHandlers, runJob } from './run-job.ts'

/** A running drain of the outbox. */
export interface Drain {
  /** Looks for work now instead of at the next tick. */
  wake(): void
  /** Resolves when no job is due or running. */
  idle(): Promise<void>
  /** Takes no more jobs and waits for the running ones. */
  stop(): Promise<void>
}

const batch = 10

/** Drains the outbox inside this process: the default where there is no Redis. */
export function startEmbeddedDrain(services: Services, handlers: JobHandlers, tickMs = 1000): Drain {
  const { db, jobs, log, now } = services
  const schedule = makeScheduler(jobs)
  let isStopped = false
  let wanted = false
  let pass: Promise<void> | undefined

  async function drain(): Promise<void> {
    await schedule(now())
    for (;;) {
      if (isStopped) return
      const claimed = await claimJobs(db, now(), batch)
      if (claimed.length === 0) return
      await Promise.all(claimed.map((job) => runJob(services, handlers, job)))
    }
  }

  function wake(): void {
    if (isStopped) return
    if (pass) {
      wanted = true
      return
    }
    pass = drain()
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
      while (pass) await pass
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      await pass
    },
  }
}
