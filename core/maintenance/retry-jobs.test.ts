import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { actorOf, operator } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { listJobs } from './list-jobs.query.ts'
import { retryJobs } from './retry-jobs.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})
beforeEach(async () => {
  await services.db.run('DELETE FROM jobs')
})

async function makeJob(state: string, fields: { problem?: string; attempts?: number } = {}): Promise<number> {
  const [row] = await services.db.transaction(() =>
    services.db.query<{ id: number }>(
      `INSERT INTO jobs (name, payload, state, run_at, attempts, problem, created_at, finished_at)
       VALUES ('clean-up', '{}', :state, :runAt, :attempts, :problem, :runAt, :finishedAt) RETURNING id`,
      {
        state,
        runAt: new Date('2026-11-01T08:00:00Z'),
        attempts: fields.attempts ?? 8,
        problem: fields.problem ?? null,
        finishedAt: state === 'failed' ? new Date('2026-11-01T09:00:00Z') : null,
      },
    ),
  )
  return Number(row?.id)
}

const findJob = async (id: number) =>
  (await listJobs(services.as(operator), { limit: 1000 })).jobs.find((job) => job.id === id)

describe('list jobs', () => {
  it('lists the newest first with the failure, filtered by state, and the total number', async () => {
    const waiting = await makeJob('waiting', { attempts: 0 })
    const failed = await makeJob('failed', { problem: 'upstream: The mail server did not accept the email' })
    const all = await listJobs(services.as(operator), {})
    expect(all.jobs.map(({ id }) => id)).toEqual([failed, waiting])
    const { jobs, total } = await listJobs(services.as(operator), { state: 'failed' })
    expect(total).toBe(1)
    expect(jobs).toEqual([
      {
        id: failed,
        name: 'clean-up',
        state: 'failed',
        attempts: 8,
        runAt: '2026-11-01T08:00:00.000Z',
        finishedAt: '2026-11-01T09:00:00.000Z',
        problem: 'upstream: The mail server did not accept the email',
      },
    ])
    await makeJob('failed')
    await expect(listJobs(services.as(operator), { state: 'failed', limit: 1 })).resolves.toMatchObject({
      total: 2,
      jobs: [{}],
    })
  })

  it('is not for staff', async () => {
    const publisher = await actorOf(services, 'publisher')
    await expect(listJobs(services.as(publisher), {})).rejects.toMatchObject({ kind: 'denied' })
    await expect(retryJobs(services.as(publisher), { allFailed: true })).rejects.toMatchObject({ kind: 'denied' })
  })
})

describe('retry jobs', () => {
  it('makes the named jobs due now with all their attempts, and leaves the others alone', async () => {
    const first = await makeJob('failed')
    const second = await makeJob('failed')
    await expect(retryJobs(services.as(operator), { ids: [first, first] })).resolves.toEqual([first])
    expect(await findJob(first)).toMatchObject({
      state: 'waiting',
      attempts: 0,
      runAt: services.now().toISOString(),
      finishedAt: null,
    })
    expect(await findJob(second)).toMatchObject({ state: 'failed', attempts: 8 })
    const [audit] = await services.db.query<{ action: string; actor_kind: string }>(
      `SELECT action, actor_kind FROM audit_log ORDER BY id DESC LIMIT 1`,
    )
    expect(audit).toEqual({ action: 'retry-jobs', actor_kind: 'operator' })
  })

  it('retries every failed job, and none that is running or done', async () => {
    const failed = [await makeJob('failed'), await makeJob('failed')]
    const done = await makeJob('done')
    await expect(retryJobs(services.as(operator), { allFailed: true })).resolves.toEqual(failed)
    expect(await findJob(done)).toMatchObject({ state: 'done' })
    await expect(retryJobs(services.as(operator), { allFailed: true })).resolves.toEqual([])
  })

  it('lists emails that were refused with the failed jobs, and retries one when it is named', async () => {
    const problem = 'declined: The recipient’s server refused the email: 550 5.1.1 No such user'
    const refused = await makeJob('done', { problem, attempts: 1 })
    await makeJob('done')
    expect(await listJobs(services.as(operator), { state: 'failed' })).toMatchObject({
      total: 1,
      jobs: [{ id: refused, state: 'done', problem }],
    })
    // Not retried with all the failed jobs: each is refused again until its address is corrected.
    await expect(retryJobs(services.as(operator), { allFailed: true })).resolves.toEqual([])
    await expect(retryJobs(services.as(operator), { ids: [refused] })).resolves.toEqual([refused])
    expect(await findJob(refused)).toMatchObject({ state: 'waiting', attempts: 0, finishedAt: null })
  })

  it('refuses all when one is unknown or has not failed, and a dry run changes nothing', async () => {
    const failed = await makeJob('failed')
    const done = await makeJob('done')
    await expect(retryJobs(services.as(operator), { ids: [failed, 999_999] })).rejects.toMatchObject({
      kind: 'notFound',
    })
    await expect(retryJobs(services.as(operator), { ids: [failed, done] })).rejects.toMatchObject({ kind: 'conflict' })
    await expect(retryJobs(services.as(operator), { ids: [failed], dryRun: true })).resolves.toEqual([failed])
    await expect(retryJobs(services.as(operator), {})).rejects.toMatchObject({ kind: 'invalid' })
    expect(await findJob(failed)).toMatchObject({ state: 'failed' })
  })
})
