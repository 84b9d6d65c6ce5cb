import { type AppContext, contextFor, type Services } from '#core/context.ts'
import { isDoneWhenDeclined, type JobName, type JobPayload, jobDefinition, nextTry } from '#core/jobs/catalog.ts'
import { type ClaimedJob, finishJob, postponeJob, releaseJob, renewLease } from '#core/jobs/jobs.rows.ts'
import { isPostponed } from '#core/jobs/postponed.ts'
import { AppError, failureLevel, isRetryable, toAppError } from '#core/kernel/errors.ts'

/** What a handler is told about the current attempt. */
interface JobAttempt {
  /** Whether the job is marked as failed if this attempt fails. */
  isLast: boolean
  isUrgent: boolean
}

export type JobHandlers = {
  [Name in JobName]: (ctx: AppContext, payload: JobPayload<Name>, attempt?: JobAttempt) => Promise<unknown>
}

/**
 * Runs one claimed job to its end and records the outcome: the row of a failed job contains the reason. Returns the time until which
 * no other job of its lane is run, if its handler postponed the lane.
 */
export async function runJob(services: Services, handlers: JobHandlers, job: ClaimedJob): Promise<Date | null> {
  const { log } = services
  const ctx = contextFor(services, { kind: 'system' }, { entryPoint: 'worker', requestId: `job-${job.id}` })
  const heartbeat = setInterval(() => {
    renewLease(services, job).catch((error: unknown) => log.error({ error, job: job.id }, 'job lease not renewed'))
  }, 30_000)
  try {
    const handler = handlers[job.name] as (ctx: AppContext, payload: unknown, attempt: JobAttempt) => Promise<unknown>
    if (!handler) throw new AppError('unavailable', `This release does not know the job ${job.name}`)
    const { attempts, payload } = jobDefinition(job.name)
    await handler(ctx, payload.parse(job.payload), {
      isLast: job.attempts >= attempts,
      isUrgent: job.isUrgent,
    })
    if (!(await finishJob(services, job))) logLost(services, job)
    return null
  } catch (error) {
    if (isPostponed(error)) {
      if (!(await postponeJob(services, job, error.until))) logLost(services, job)
      log.info({ job: job.id, name: job.name, until: error.until, reason: error.message }, 'job postponed')
      return error.forLane ? error.until : null
    }
    const outcome = await failJob(services, job, error)
    log[failureLevel(error)]({ error, job: job.id, name: job.name, attempt: job.attempts, outcome }, 'job failed')
    return null
  } finally {
    clearInterval(heartbeat)
  }
}

/** The lease ran out while the job ran, and another worker records its outcome; or the connection broke after the outcome was recorded. */
function logLost({ log }: Services, { id, name, attempts }: ClaimedJob): void {
  log.warn({ job: id, name, attempt: attempts }, 'job no longer held by this worker: outcome not recorded')
}

/**
 * Reschedules a job if its error is transient and attempts are left; else marks it as failed, to be inspected and run
 * again. An email that was refused permanently counts as done: the refusal is recorded in its own table.
 */
async function failJob(services: Services, job: ClaimedJob, thrown: unknown): Promise<'waiting' | 'failed' | 'done'> {
  const error = toAppError(thrown)
  const isRetried = isRetryable(thrown) && job.attempts < jobDefinition(job.name).attempts
  const problem = `${error.kind}: ${thrown instanceof Error ? thrown.message : error.message}`.slice(0, 1000)
  const runAt = isRetried ? nextTry(job.name, job.attempts, services.now(), error.retryAfterSeconds) : null
  const isDone = error.kind === 'declined' && isDoneWhenDeclined(job.name)
  const release = () => (isDone ? finishJob(services, job, problem) : releaseJob(services, job, { problem, runAt }))
  // A connection lost during the job may be noticed only now; the pool opens a new one.
  const isOurs = await release().catch((releaseError: unknown) => {
    if (!isRetryable(releaseError)) throw releaseError
    return release()
  })
  if (!isOurs) logLost(services, job)
  if (isDone) return 'done'
  return isRetried ? 'waiting' : 'failed'
}
