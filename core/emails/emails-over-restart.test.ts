import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { enqueueMail } from '#core/jobs/enqueue-mail.ts'
import { makeUser } from '#tests/support/factories.ts'
import { atFileEnd } from '#tests/support/file-end.ts'
import { bundled, processEnv } from '#tests/support/killed-process.ts'
import { startMailServer } from '#tests/support/smtp-server.ts'
import { openTestServices } from '#tests/support/test-services.ts'

/** The worker as it is installed, with a clock that begins at a given moment. It is ended as a service manager ends it. */
const program = `
  import { readEnv } from '#core/platform/env.ts'
  import { beginLifetime } from '#core/platform/lifetime.ts'
  import { makeServices } from '#core/platform/make-services.ts'
  import { startWorker } from '#worker/main.ts'
  const begun = Date.now()
  const now = () => new Date(Number(process.env.WORKER_CLOCK) + Date.now() - begun)
  const env = readEnv(process.env)
  const silent = { info() {}, warn() {}, error() {} }
  const services = await makeServices(env, { now, log: silent })
  const lifetime = beginLifetime(silent)
  lifetime.atEnd(() => services.db.close())
  const loop = await startWorker(services, env)
  lifetime.atEnd(loop.stop)`

it('a worker restarted repeatedly while hundreds of emails wait sends each once', async () => {
  const server = await startMailServer()
  const services = await openTestServices({ MAIL_URL: server.url })
  const user = await makeUser(services)
  const names = Array.from({ length: 300 }, (_, n) => `n${n}`)
  await services.db.transaction(async () => {
    for (const key of names)
      await enqueueMail(services, 'account-notice', {
        userId: user.id,
        kind: 'email-changed',
        key,
        to: `${key}@example.test`,
      })
  })
  const file = await bundled(program)
  atFileEnd(() => rmSync(file))
  const start = (): ChildProcess =>
    spawn(process.execPath, [file], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...processEnv(services), MAIL_URL: server.url, WORKER_CLOCK: String(services.clock.now.getTime()) },
    })

  for (const enough of [100, 200, 300]) {
    const worker = start()
    const ended = once(worker, 'exit')
    try {
      await expect.poll(() => server.received.length >= enough, { timeout: 120_000, interval: 5 }).toBe(true)
    } finally {
      worker.kill('SIGTERM')
    }
    // The email that was being sent reached the mail server before the worker exited.
    expect(await ended).toEqual([0, null])
  }
  const messageIds = new Set(server.received.map(({ messageId }) => messageId))
  expect([server.received.length, messageIds.size]).toEqual([300, 300])
  expect(server.received.flatMap(({ envelope }) => envelope.to).toSorted()).toEqual(
    names.map((name) => `${name}@example.test`).toSorted(),
  )
  expect(await services.db.query(`SELECT DISTINCT state, attempts FROM emails`)).toEqual([
    { state: 'sent', attempts: 1 },
  ])
  expect(await services.db.query(`SELECT DISTINCT state FROM jobs WHERE name = 'send-mail'`)).toEqual([
    { state: 'done' },
  ])
})
