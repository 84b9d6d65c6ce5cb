import { expect, it } from 'vitest'
import { currentJob } from '#core/jobs/renamed-jobs.ts'
import { mailSender } from '#tests/support/emails.ts'
import { makeUser, system } from '#tests/support/factories.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { runWorker } from '#tests/support/worker.ts'

const services = await openTestServices()

async function insertJob(name: string, payload: object): Promise<void> {
  await services.db.run(
    `INSERT INTO jobs (name, payload, state, run_at, attempts, created_at) VALUES (:name, :payload, 'waiting', :now, 0, :now)`,
    { name, payload: JSON.stringify(payload), now: services.now() },
  )
}

const jobs = () =>
  services.db.query<{ name: string; state: string; attempts: number; problem: string | null }>(
    `SELECT name, state, attempts, problem FROM jobs WHERE name LIKE 'send-%' ORDER BY id DESC`,
  )

it('a job that an earlier release named after its email is done, as is a current one', async () => {
  const user = await makeUser(services)
  const about = { userId: user.id, key: 'before', kind: 'email-changed', to: 'former@example.test' }
  await insertJob('send-account-notice', about)
  await runWorker(services)
  await insertJob('send-mail', { mail: 'account-notice', about })
  await runWorker(services)
  expect(await jobs()).toMatchObject([
    { name: 'send-mail', state: 'done' },
    { name: 'send-account-notice', state: 'done' },
  ])
  const emails = (await services.mail.devMailbox?.list(10)) ?? []
  expect(emails.filter(({ to }) => to === 'former@example.test')).toHaveLength(1)
})

it('a job that an earlier release named after its email becomes a current one, and no other job is changed', () => {
  const unrelatedJob = { name: 'clean-up', payload: {} }
  expect(currentJob(unrelatedJob)).toBe(unrelatedJob)
  expect(currentJob({ name: 'send-receipt', payload: { orderId: 3 } })).toEqual({
    name: 'send-mail',
    payload: { mail: 'order-receipt', about: { orderId: 3 } },
  })
})

it('an email unknown to this release is retried, and one whose data is not valid is not', async () => {
  await insertJob('send-mail', { mail: 'of-a-newer-release', about: { orderId: 1 } })
  await runWorker(services)
  expect((await jobs())[0]).toMatchObject({ state: 'waiting', attempts: 1 })
  await insertJob('send-mail', { mail: 'order-receipt', about: { userId: 1 } })
  await runWorker(services)
  expect((await jobs())[0]).toMatchObject({
    state: 'failed',
    problem: 'malformed: The data for the email order-receipt is not valid',
  })
  await expect(mailSender('order-receipt')(services.as(system), { orderId: 'one' })).rejects.toMatchObject({
    kind: 'malformed',
  })
})
