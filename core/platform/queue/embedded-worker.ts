import type { Services } from '#core/context.ts'
import { type ClaimedJob, claimJobs, type Lane } from '#core/jobs/jobs.rows.ts'
import { makePollLoop } from '#core/kernel/poll-loop.ts'
import { makeScheduler } from './make-job-queue.ts'
import { type JobHandlers, runJob } from './run-job.ts'

/** A running loop over the outbox. */
export interface WorkerLoop {
  /** Polls now instead of at the next tick. */
  wake(): void
  /** Resolves when no job is due or running. */
  idle(): Promise<void>
  /** Takes no more jobs and waits for the running ones. */
  stop(): Promise<void>
}

/** Concurrent jobs, not counting emails. */
const maxOthers = 10
/** Concurrent emails that a person waits for: few, in addition to all others. */
const maxUrgent = 4

interface LaneState {
  lane: Lane
  /** Concurrent jobs. */
  max: number
  running: Set<Promise<unknown>>
  /** No job of this lane is tried until then. */
  pausedUntil: Date | null
}

/** Runs the jobs of the outbox inside this process: the default without Redis. A job that takes minutes does not block the others. */
export function startEmbeddedWorker(services: Services, handlers: JobHandlers, tickMs = 1000): WorkerLoop {
  const { db, jobs, log, now } = services
  const schedule = makeScheduler(jobs)
  const lanes: LaneState[] = [
    { lane: 'urgent', max: maxUrgent, running: new Set(), pausedUntil: null },
    { lane: 'others', max: maxOthers, running: new Set(), pausedUntil: null },
    // While some emails are being sent, the next ones are rendered.
    { lane: 'emails', max: services.mail.connections * 2, running: new Set(), pausedUntil: null },
  ]
  let isStopped = false

  async function loop(): Promise<void> {
    if (isStopped) return
    await schedule(now())
    for (const lane of lanes) await fill(lane)
  }

  async function fill(state: LaneState): Promise<void> {
    const { lane, max, running } = state
    // Emails are claimed when half of their lane is free: a claim for each email could cost more than sending it.
    const claimBelow = lane === 'emails' ? max / 2 : max
    while (!isStopped && running.size < claimBelow && !isPaused(state)) {
      const claimed = await claimJobs({ db, now }, lane, max - running.size)
      if (claimed.length === 0) return
      for (const job of claimed) start(state, job)
    }
  }

  function isPaused({ pausedUntil }: LaneState): boolean {
    return pausedUntil !== null && pausedUntil > now()
  }

  function start(state: LaneState, job: ClaimedJob): void {
    const work = runJob(services, handlers, job)
      .then((until) => {
        if (until) state.pausedUntil = until
      })
      // The job is due again when its lease has expired.
      .catch((error: unknown) => log.error({ error, job: job.id }, 'the outcome of a job could not be written'))
      .finally(() => {
        state.running.delete(work)
        wake()
      })
    state.running.add(work)
  }

  const { wake, idle } = makePollLoop(loop, (error) => log.error({ error }, 'the job queue could not be read'))
  const allRunning = () => lanes.flatMap(({ running }) => [...running])
  const timer = setInterval(wake, tickMs)
  wake()
  return {
    wake,
    idle() {
      wake()
      return idle(allRunning)
    },
    stop() {
      isStopped = true
      clearInterval(timer)
      return idle(allRunning)
    },
  }
}
