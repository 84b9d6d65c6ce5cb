import { beforeAll, expect, it } from 'vitest'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { type ClaimedJob, claimJobs, finishJob, Jobs, postponeJob, releaseJob, renewLease } from './jobs.rows.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const inAnHour = () => new Date(services.now().getTime() + 3_600_000)

it.each<[string, (job: ClaimedJob) => Promise<boolean>]>([
  ['finishes', (job) => finishJob(services, job)],
  ['fails', (job) => releaseJob(services, job, { problem: 'lost', runAt: null })],
  ['is rescheduled', (job) => releaseJob(services, job, { problem: 'lost', runAt: inAnHour() })],
  ['is postponed', (job) => postponeJob(services, job, inAnHour())],
  ['renews its lease', (job) => renewLease(services, job)],
])('a worker that lost its lease leaves the job to its successor when it %s', async (_, attempt) => {
  await services.db.run(`DELETE FROM jobs`)
  await services.db.transaction(() => services.jobs.enqueue('settle-order', { orderId: 1 }))
  const [lost] = await claimJobs(services, 'others', 1)
  services.clock.advance({ seconds: 121 })
  const [taken] = await claimJobs(services, 'others', 1)
  if (!lost || !taken) throw new Error('The job was not claimed twice')
  const before = await Jobs.find(services, { id: lost.id })
  expect(before).toMatchObject({ state: 'active', attempts: 2 })
  services.clock.advance({ seconds: 1 })

  expect(await attempt(lost)).toBe(false)
  expect(await Jobs.find(services, { id: lost.id })).toEqual(before)
  expect(await attempt(taken)).toBe(true)
})
