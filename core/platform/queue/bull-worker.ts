import { createHash } from 'node:crypto'
import Bull from 'bull'
import { Redis, type RedisOptions } from 'ioredis'
import type { Services } from '#core/context.ts'
import { claimJob, type Lane, markRelayed, relayAgainMs } from '#core/jobs/jobs.rows.ts'
import type { WorkerLoop } from './embedded-worker.ts'
import { makeScheduler } from './make-job-queue.ts'
import { type JobHandlers, runJob } from './run-job.ts'

const relayBatch = 200
const concurrency = 10
/** Concurrent emails that a person waits for. */
const maxUrgent = 4

interface LaneState {
  lane: Lane
  queue: Bull.Queue
  /** No job of this lane is run until then. */
  pausedUntil: Date | null
}

export function queueName(databaseUrl: string): string {
  return `masthead-${createHash('sha256').update(databaseUrl).digest('hex').slice(0, 12)}`
}

/**
 * Runs the jobs of the outbox through Bull: a relay passes due rows to Redis, any number of worker processes run them. Redis only
 * carries ids; a row is claimed in the database before it runs, so a job that Bull delivers twice runs once. The queue is named
 * after the database: two installations may share one Redis without taking each other's jobs.
 */
export function startBullWorker(
  services: Services,
  handlers: JobHandlers,
  redisUrl: string,
  databaseUrl: string,
  tickMs = 500,
): WorkerLoop {
  const { db, jobs, log, now } = services
  // The connections (three for each lane), Bull and the relay report the same fault several times a second.
  const reportUnavailable = oncePerMinute(now, (error) =>
    log.warn({ error }, 'Redis is not responding; jobs wait in the database'),
  )
  /** A queue for each lane: Bull adds up the concurrency of everything that shares a queue. */
  function openLane(lane: Lane, name: string, concurrency: number): LaneState {
    const queue = new Bull(name, {
      createClient: (type) => {
        // Ten attempts take three seconds. Twenty would take ten: as long as most supervisors wait before they kill a process that shuts down.
        const options: RedisOptions =
          type === 'client' ? { maxRetriesPerRequest: 10 } : { maxRetriesPerRequest: null, enableReadyCheck: false }
        const client = new Redis(redisUrl, options)
        client.on('error', reportUnavailable)
        return client
      },
    })
    const state: LaneState = { lane, queue, pausedUntil: null }
    queue.on('error', reportUnavailable)
    queue.on('stalled', (job) => log.warn({ job: job.id }, 'a job stalled and will be redelivered'))
    void queue.process(concurrency, async (bullJob) => {
      const job = await claimJob({ db, now }, (bullJob.data as { id: number }).id)
      if (job) state.pausedUntil = (await runJob(services, handlers, job)) ?? state.pausedUntil
    })
    return state
  }
  const name = queueName(databaseUrl)
  const lanes = [
    openLane('urgent', `${name}-urgent`, maxUrgent),
    openLane('others', name, concurrency),
    openLane('emails', `${name}-emails`, services.mail.connections * 2),
  ]

  const schedule = makeScheduler(jobs)
  let isStopped = false
  let pass: Promise<void> | undefined

  async function relay(): Promise<void> {
    await schedule(now())
    for (const lane of lanes) await relayLane(lane)
  }

  async function relayLane({ lane, queue, pausedUntil }: LaneState): Promise<void> {
    if (pausedUntil !== null && pausedUntil > now()) return
    // Jobs that wait in Redis are enqueued again after a while: adding more of them would only grow the queue.
    const limit = relayBatch - (await queue.getWaitingCount())
    if (limit <= 0) return
    // Marked before it is enqueued: Bull may deliver a job before the next line of this function runs.
    const due = await markRelayed({ db, now }, lane, limit)
    if (due.length === 0) return
    // The id names the row, the attempt and the half minute: Bull ignores a duplicate, but not a row that is handed over again later.
    await queue.addBulk(
      due.map(({ id, attempts }) => ({
        data: { id },
        opts: {
          jobId: `${id}-${attempts}-${Math.floor(now().getTime() / relayAgainMs)}`,
          removeOnComplete: true,
          removeOnFail: true,
        },
      })),
    )
  }

  function wake(): void {
    if (isStopped || pass) return
    pass = relay()
      .catch(reportUnavailable)
      .finally(() => {
        pass = undefined
      })
  }

  const timer = setInterval(wake, tickMs)
  wake()
  return {
    wake,
    async idle() {
      for (;;) {
        wake()
        await pass
        const [pending] = await db.query<{ count: number }>(
          `SELECT COUNT(*) AS count FROM jobs WHERE (state = 'waiting' AND run_at <= :now) OR state = 'active'`,
          { now: now() },
        )
        if (Number(pending?.count) === 0) return
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      await pass
      await Promise.all(lanes.map(({ queue }) => queue.close()))
    },
  }
}

/** A throttle: passes on the first call, and then one a minute. */
function oncePerMinute(now: () => Date, report: (error: unknown) => void): (error: unknown) => void {
  let reportedAt: number | undefined
  return (error) => {
    const at = now().getTime()
    if (reportedAt !== undefined && at - reportedAt < 60_000) return
    reportedAt = at
    report(error)
  }
}
