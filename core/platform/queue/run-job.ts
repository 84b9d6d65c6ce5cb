import { type AppContext, contextFor, type Services } from '#core/context.ts'
import { type JobName, type JobPayload, jobs } from '#core/jobs/catalog.ts'
import { failureLevel } from '#core/kernel/errors.ts'
import { failJob, finishJob, type JobRow, renewLock } from './job-rows.ts'

export type JobHandlers = { [Name in JobName]: (ctx: AppContext, payload: JobPayload<Name>) => Promise<unknown> }

/** Runs one claimed job to its end and writes the outcome. Never throws: a failed job is a row that says why. */
export async function runJob(
  services: Services,
  handlers: JobHandlers,
  job: JobRow,
): Promise<'done' | 'waiting' | 'failed'> {
  const { db, log, now } = services
  const ctx = contextFor(services, { kind: 'system' }, { door: 'worker', requestId: `job-${job.id}` })
  const heartbeat = setInterval(() => {
    renewLock(db, job.id, now()).catch((error: unknown) => log.error({ error, job: job.id }, 'job lock not renewed'))
  }, 30_000)
  try {
    const handler = handlers[job.name] as (ctx: AppContext, payload: unknown) => Promise<unknown>
    if (!handler) throw new Error(`No handler for the job ${job.name}`)
    await handler(ctx, jobs[job.name].payload.parse(job.payload))
    await finishJob(db, job.id, now())
    log.info({ job: job.id, name: job.name, attempt: job.attempts }, 'job done')
    return 'done'
  } catch (error) {
    const outcome = await failJob(db, job, error, now())
    log[failureLevel(error)]({ error, job: job.id, name: job.name, attempt: job.attempts, outcome }, 'job failed')
    return outcome
  } finally {
    clearInterval(heartbeat)
  }
}
