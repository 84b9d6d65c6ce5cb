import { beforeAll, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { countAttempt } from '#core/rate-limits/rate-limit.ts'
import { logIn } from '#core/users/log-in.ts'
import { makeUser, system } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { cleanUp } from './clean-up.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const later = (days: number) => {
  services.clock.now = new Date(services.clock.now.getTime() + days * 86_400_000)
}

it('deletes finished rows after a week and keeps those waiting, failed or alive', async () => {
  const user = await makeUser(services)
  await logIn(services.as(visitor), { email: user.email, password: 'masthead' })
  await countAttempt(services.as(visitor), 'some-key', { hits: 5, windowSeconds: 60 })
  for (const state of ['done', 'failed', 'waiting']) {
    await services.db.run(
      `INSERT INTO jobs (name, payload, state, run_at, created_at, finished_at) VALUES ('clean-up', '{}', :state, :now, :now, :now)`,
      { state, now: services.now() },
    )
  }
  later(3)
  expect(await cleanUp(services.as(system), {})).toMatchObject({ jobs: 0, sessions: 0 })
  later(13)
  expect(await cleanUp(services.as(system), {})).toMatchObject({ jobs: 1, sessions: 1 })
  expect(await services.db.query(`SELECT state FROM jobs ORDER BY state`)).toEqual([
    { state: 'failed' },
    { state: 'waiting' },
  ])
  expect(await services.db.query(`SELECT id FROM rate_limits`)).toEqual([])
  await expect(cleanUp(services.as(visitor), {})).rejects.toMatchObject({ kind: 'signedOut' })
})
