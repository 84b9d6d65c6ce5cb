import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { typedValue } from '#core/dialect.ts'
import { enqueueMail } from '#core/jobs/enqueue-mail.ts'
import { claimJobs } from '#core/jobs/jobs.rows.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { makeMailer } from '#core/platform/mailer.ts'
import { projectRoot } from '#core/platform/project-root.ts'
import { startEmbeddedWorker } from '#core/platform/queue/embedded-worker.ts'
import { makeUser, system } from '#tests/support/factories.ts'
import { type MailServerFault, startFaultyMailServer } from '#tests/support/faulty-mail-server.ts'
import { atFileEnd } from '#tests/support/file-end.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { type MailRules, startMailServer } from '#tests/support/smtp-server.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { runWorker } from '#tests/support/worker.ts'
import { handlers } from '#worker/handlers/index.ts'
import { visitor } from '../access/actor.ts'
import { AddressMarks } from '../bounces/address-marks.rows.ts'
import { bounceAddresses } from '../bounces/bounce-addresses.ts'
import { Emails } from './emails.rows.ts'
import { resendMail } from './resend-mail.ts'
import { senderOf, sendMail } from './send-mail.ts'

interface Job {
  state: string
  attempts: number
  problem: string | null
  run_at: Date | string
}

const templatesDir = join(projectRoot(), 'templates')
const shared = await openTestServices()
const user = await makeUser(shared)

beforeEach(async () => {
  for (const table of ['jobs', 'emails', 'mail_pace', 'address_marks', 'delivery_events'])
    await shared.db.run(`DELETE FROM ${table}`)
})

interface FixtureOptions {
  url: string
  timeoutMs?: number
  connections?: number
  pace?: Partial<TestServices['settings']['mailPace']>
  bounceMailbox?: string
}

/** The database that the tests of this file share, with a mailer to a mail server of the test's own. */
function makeFixture({ url, pace, bounceMailbox, ...options }: FixtureOptions) {
  const mail = makeMailer({
    templatesDir,
    mailUrl: url,
    mailFrom: 'masthead@localhost',
    keepDir: '/nowhere',
    connections: 10,
    timeoutMs: 60_000,
    now: shared.now,
    ...options,
  })
  atFileEnd(() => mail.close())
  const settings = {
    ...shared.settings,
    bounceMailbox: bounceMailbox ?? null,
    mailPace: { perMinute: null, perMinutePerDomain: null, ...pace },
  }
  const services: TestServices = { ...shared, mail, settings }
  return { services, ...noticeHelpers(services, user.id) }
}

/** Functions that enqueue notices about one user to any address, and report their state. */
function noticeHelpers(services: TestServices, userId: number) {
  const key = (name: string) => `account-notice:${userId}:email-changed:${name}`
  const enqueue = (name: string, to: string) =>
    services.db.transaction(() =>
      enqueueMail(
        services,
        'account-notice',
        { userId, kind: 'email-changed', key: name, to },
        { dedupeKey: `test:${name}` },
      ),
    )
  const row = async (name: string) => {
    const email = await Emails.find(services, { emailKey: key(name) })
    if (!email) throw new Error(`There is no email ${name}`)
    return email
  }
  async function job(name: string): Promise<Job> {
    const [found] = await services.db.query<Job>(
      `SELECT state, attempts, problem, run_at FROM jobs WHERE dedupe_key = :key`,
      { key: `test:${name}` },
    )
    if (!found) throw new Error(`There is no job ${name}`)
    return found
  }
  const waitOf = async (name: string) =>
    Math.round((new Date((await job(name)).run_at).getTime() - services.now().getTime()) / 1000)
  return { enqueue, row, job, waitOf }
}

describe('replies of the mail server', () => {
  it('an accepted email is recorded as sent, with the server’s reply and the number of tries', async () => {
    const server = await startMailServer()
    const { services, enqueue, row, job } = makeFixture({ url: server.url })
    await enqueue('fine', 'ann@example.test')
    await runWorker(services)
    expect(await row('fine')).toMatchObject({ state: 'sent', attempts: 1, fault: null, settled: null })
    expect((await row('fine')).lastAnswer).toMatch(/^250 /)
    expect(await job('fine')).toMatchObject({ state: 'done' })
    expect(server.received).toHaveLength(1)
  })

  it('greylisting: 450 is retried after some minutes, and accepted under the same Message-ID', async () => {
    const server = await startMailServer()
    const { services, enqueue, row, waitOf } = makeFixture({ url: server.url })
    server.setReplies({ recipient: () => [450, '4.2.0 Greylisted'] })
    await enqueue('grey', 'ann@example.test')
    await runWorker(services)
    expect(await row('grey')).toMatchObject({
      state: 'waiting',
      attempts: 1,
      fault: 'later',
      lastAnswer: '450 4.2.0 Greylisted',
    })
    expect(await waitOf('grey')).toBe(300)
    const { messageId } = await row('grey')
    server.setReplies({})
    await runWorker(services, 300)
    expect(await row('grey')).toMatchObject({ state: 'sent', attempts: 2, fault: null })
    expect(server.received.map((mail) => mail.messageId)).toEqual([messageId])
  })

  it('an email that is never accepted is given up after two days, and its row says so', async () => {
    const server = await startMailServer()
    const { services, enqueue, row, job, waitOf } = makeFixture({ url: server.url })
    server.setReplies({ recipient: () => [451, '4.3.0 Come back'] })
    await enqueue('never', 'ann@example.test')
    const startTime = services.now().getTime()
    await runWorker(services)
    while ((await job('never')).state === 'waiting') {
      expect((await row('never')).state).toBe('waiting')
      await runWorker(services, await waitOf('never'))
    }
    const hours = (services.now().getTime() - startTime) / 3_600_000
    expect(hours).toBeGreaterThan(40)
    expect(hours).toBeLessThan(60)
    expect(await row('never')).toMatchObject({ state: 'failed', fault: 'later', lastAnswer: '451 4.3.0 Come back' })
  })

  it.each<[string, MailRules]>([
    ['550 to the recipient', { recipient: () => [550, '5.1.1 No such user'] }],
    ['554 to the message', { data: [554, '5.1.1 No such user'] }],
  ])('%s: never retried, and the row keeps the server’s reply', async (_, rules) => {
    const server = await startMailServer()
    const { services, enqueue, row, job } = makeFixture({ url: server.url })
    server.setReplies(rules)
    await enqueue('gone', 'ann@example.test')
    await runWorker(services)
    expect(await row('gone')).toMatchObject({ state: 'refused', fault: 'recipient', attempts: 1 })
    expect((await row('gone')).lastAnswer).toMatch(/^55. 5\.1\.1 No such user/)
    // Its row reports the fault: the job is done, and is in no list of failures.
    expect(await job('gone')).toMatchObject({ state: 'done', attempts: 1 })
    expect((await job('gone')).problem).toMatch(/^declined: The recipient’s server refused the email: 55./)
    // Also when a user runs the job again.
    server.setReplies({})
    await services.db.run(`UPDATE jobs SET state = 'waiting' WHERE state = 'done'`)
    await runWorker(services)
    expect(await row('gone')).toMatchObject({ state: 'refused', attempts: 1 })
    expect(server.received).toEqual([])
  })

  it.each<[string, MailRules]>([
    ['535 to the log-in', { logIn: [535, '5.7.8 Wrong password'] }],
    ['550 to the sender', { sender: () => [550, '5.7.1 Not your address'] }],
    ['530 to the sender', { sender: () => [530, '5.7.0 Log in first'] }],
    ['a refusal to relay', { recipient: () => [554, '5.7.1 Relay access denied'] }],
  ])('%s is the installation’s fault: the email waits and is sent once it is fixed', async (_, rules) => {
    const server = await startMailServer({ user: 'masthead' })
    const { services, enqueue, row, job, waitOf } = makeFixture({ url: server.url })
    server.setReplies(rules)
    await enqueue('ours', 'ann@example.test')
    await runWorker(services)
    expect(await row('ours')).toMatchObject({ state: 'waiting', fault: 'installation' })
    expect(await job('ours')).toMatchObject({ state: 'waiting', attempts: 1 })
    expect(await waitOf('ours')).toBe(600)
    server.setReplies({})
    await runWorker(services, 600)
    expect(await row('ours')).toMatchObject({ state: 'sent' })
  })
})

it('an address unknown to a mail server is marked: the next email is not sent there', async () => {
  const server = await startMailServer()
  const { services, enqueue, row } = makeFixture({ url: server.url })
  server.setReplies({
    recipient: (address) => (address === 'ann@example.test' ? [550, '5.1.1 No such user'] : undefined),
  })
  await enqueue('first', 'ann@example.test')
  await runWorker(services)
  server.setReplies({})
  for (const [name, to] of Object.entries({ next: 'Ann@example.test', other: 'bob@example.test' }))
    await enqueue(name, to)
  await runWorker(services)
  expect(await row('next')).toMatchObject({ state: 'suppressed', lastAnswer: '550 5.1.1 No such user', attempts: 0 })
  expect(await row('other')).toMatchObject({ state: 'sent' })
  expect(server.received).toHaveLength(1)
})

describe('an email with a copy', () => {
  const cc = 'copy@example.test'
  async function withCopy(refused: Record<string, readonly [number, string]>) {
    const server = await startMailServer()
    const { services } = makeFixture({ url: server.url })
    server.setReplies({ recipient: (address) => refused[address] })
    const send = (settled: string[] = []) =>
      services.mail.send({
        to: 'ann@example.test',
        cc,
        fromName: 'Harbour Light',
        subject: 'Two',
        html: '<p>x</p>',
        text: 'x',
        messageId: '<two@example.test>',
        envelope: { settled },
      })
    return { server, send }
  }

  it('reaches one address when the other is rejected permanently', async () => {
    const { server, send } = await withCopy({ [cc]: [550, '5.1.1 No such user'] })
    expect(await send()).toMatchObject({
      answers: [
        { address: 'ann@example.test', isTo: true, fault: null },
        { address: cc, isTo: false, fault: 'recipient', answer: '550 5.1.1 No such user' },
      ],
    })
    expect(server.received.map(({ envelope }) => envelope.to)).toEqual([['ann@example.test']])
  })

  it('is retried for the address that was deferred, and not for the other', async () => {
    const { server, send } = await withCopy({ 'ann@example.test': [450, '4.2.0 Greylisted'] })
    expect(await send()).toMatchObject({ answers: [{ fault: 'later' }, { address: cc, fault: null }] })
    server.setReplies({})
    expect(await send([cc])).toMatchObject({ answers: [{ address: 'ann@example.test', fault: null }] })
    expect(server.received.map(({ envelope }) => envelope.to)).toEqual([[cc], ['ann@example.test']])
  })

  it('counts as sent once its recipient has it, even if the copy is given up', async () => {
    const server = await startMailServer()
    const { services } = makeFixture({ url: server.url })
    server.setReplies({ recipient: (address) => (address === cc ? [451, '4.3.0 Come back'] : undefined) })
    const shop = await makeShop(services, { orderEmailAddress: 'orders@example.test', ccEmail: cc })
    const { orderId } = await placeOrder(services.as(visitor), orderForm(shop))
    const ctx = { ...services.as(system), mail: services.mail }
    const send = (isLast: boolean) => sendMail(ctx, { mail: 'order-notice', about: { orderId }, isLast })
    await expect(send(false)).rejects.toMatchObject({ kind: 'tooMany' })
    const notice = () => Emails.find(services, { template: 'order-notice', orderId })
    expect(await notice()).toMatchObject({ state: 'waiting', sentAt: null })
    expect(await send(true)).toBe(true)
    expect(await notice()).toMatchObject({
      state: 'sent',
      sentAt: services.now(),
      fault: null,
      lastAnswer: expect.stringMatching(/^orders@example\.test: 250 .*; copy@example\.test: 451 4\.3\.0 Come back$/),
    })
    expect(server.received.map(({ envelope }) => envelope.to)).toEqual([['orders@example.test']])
  })
})

describe('an order notice with a copy', () => {
  const to = 'orders@example.test'
  const cc = 'copy@example.test'
  async function noticeWith(refused: Record<string, readonly [number, string]> = {}) {
    const server = await startMailServer()
    const { services } = makeFixture({ url: server.url })
    server.setReplies({ recipient: (address) => refused[address] })
    const shop = await makeShop(services, { orderEmailAddress: to, ccEmail: cc })
    const { orderId } = await placeOrder(services.as(visitor), orderForm(shop))
    await services.db.run(`DELETE FROM jobs`)
    const mark = (addressKey: string, fields: object = { bouncedAt: services.now(), answer: '550 Gone' }) =>
      AddressMarks.insert(services, { publisherId: shop.publisherId, addressKey, ...fields })
    return {
      server,
      services,
      mark,
      send: () =>
        sendMail({ ...services.as(system), mail: services.mail }, { mail: 'order-notice', about: { orderId } }),
      notice: () => Emails.find(services, { template: 'order-notice', orderId }),
      sentTo: () => server.received.map(({ envelope }) => envelope.to),
    }
  }

  it('goes to the copy address alone while emails to the recipient bounce', async () => {
    const { services, mark, send, notice, sentTo } = await noticeWith()
    await mark(to)
    expect(await send()).toBe(true)
    const sent = await notice()
    expect(sent).toMatchObject({ state: 'sent', toAddress: cc })
    expect(sentTo()).toEqual([[cc]])
    expect(await send()).toBe(false)
    const request = { id: sent?.id, key: 'a-key-of-this-press' }
    expect(await resendMail(services.as({ kind: 'operator' }), request)).toMatchObject({ to: cc })
  })

  it('is not sent while emails to both bounce', async () => {
    const { mark, send, notice, sentTo } = await noticeWith()
    await mark(to)
    await mark(cc)
    await expect(send()).rejects.toMatchObject({ kind: 'declined' })
    expect(await notice()).toMatchObject({ state: 'suppressed', toAddress: to })
    expect(sentTo()).toEqual([])
  })

  it('is sent to the copy address once even if the recipient’s server refuses it, and to the recipient at the next try', async () => {
    const refused: Record<string, readonly [number, string]> = { [to]: [550, '5.1.1 No such user'] }
    const { services, send, notice, sentTo } = await noticeWith(refused)
    await expect(send()).rejects.toMatchObject({ kind: 'declined' })
    await expect(send()).rejects.toMatchObject({ kind: 'declined' })
    expect(sentTo()).toEqual([[cc]])
    delete refused[to]
    await services.db.run(`UPDATE address_marks SET bounced_at = NULL, reset_at = :now`, { now: services.now() })
    expect(await send()).toBe(true)
    expect(await notice()).toMatchObject({ state: 'sent', toAddress: to })
    expect(sentTo()).toEqual([[cc], [to]])
  })
})

it.each<MailServerFault>(['silent', 'dribbles', 'hangs after data', 'closes in data'])(
  'a misbehaving server (%s) delays an email no longer than its timeout, and the email is retried',
  async (fault) => {
    const server = await startFaultyMailServer(fault)
    const { services, enqueue, row, waitOf } = makeFixture({ url: server.url, timeoutMs: 500 })
    await enqueue('rude', 'ann@example.test')
    await runWorker(services)
    expect(await row('rude')).toMatchObject({ state: 'waiting', attempts: 1, fault: 'connection' })
    expect(await waitOf('rude')).toBe(15)
    expect(server.connections()).toBeGreaterThan(0)
  },
)

describe('an unreachable server', () => {
  it('is left alone after some failures: the other emails wait untried, then one probes it', async () => {
    const server = await startMailServer()
    const { services, enqueue, job } = makeFixture({ url: server.url })
    await server.stop()
    const names = Array.from({ length: 60 }, (_, n) => `n${n}`)
    for (const name of names) await enqueue(name, `${name}@example.test`)
    await runWorker(services)
    const tries = async () => (await Promise.all(names.map(job))).map(({ attempts }) => attempts)
    // As many as were under way when the fifth failed.
    const triesAtFirst = (await tries()).reduce((a, b) => a + b)
    expect(triesAtFirst).toBeGreaterThanOrEqual(5)
    expect(triesAtFirst).toBeLessThanOrEqual(20)
    await runWorker(services, 31)
    expect((await tries()).reduce((a, b) => a + b)).toBeLessThanOrEqual(triesAtFirst + 1)
    await server.restart()
    for (let pass = 0; pass < 8; pass++) await runWorker(services, 120)
    expect(server.received).toHaveLength(60)
    expect(new Set(server.received.map(({ messageId }) => messageId)).size).toBe(60)
    const states = await services.db.query(`SELECT DISTINCT state FROM emails`)
    expect(states).toEqual([{ state: 'sent' }])
  })
})

/** Runs a worker until the condition holds or the wait times out. It is stopped in both cases, so that it takes no jobs of later tests. */
async function runWorkerUntil(services: TestServices, isReached: () => boolean): Promise<void> {
  const loop = startEmbeddedWorker(services, handlers)
  try {
    await expect.poll(isReached, { timeout: 60_000, interval: 5 }).toBe(true)
  } finally {
    await loop.stop()
  }
}

describe('no email is lost', () => {
  const names = (count: number) => Array.from({ length: count }, (_, n) => `n${n}`)
  const expectEachOnce = (server: Awaited<ReturnType<typeof startMailServer>>, count: number) => {
    expect(server.received).toHaveLength(count)
    expect(new Set(server.received.map(({ messageId }) => messageId)).size).toBe(count)
  }

  it('over more than an hour without a server, with a worker that dies and is restarted', async () => {
    const server = await startMailServer()
    const { services, enqueue, job } = makeFixture({ url: server.url })
    await server.stop()
    for (const name of names(30)) await enqueue(name, `${name}@example.test`)
    for (let minute = 0; minute < 80; minute += 5) {
      // Each pass is a separate worker; one of them dies with the jobs it has taken.
      await runWorker(services, 5 * 60)
      if (minute === 40) {
        await services.db.run(`UPDATE jobs SET run_at = :now WHERE name = 'send-mail'`, { now: services.now() })
        expect(await claimJobs(services, 'emails', 7)).toHaveLength(7)
      }
    }
    expect((await Promise.all(names(30).map(job))).filter(({ state }) => state !== 'waiting')).toEqual([])
    await server.restart()
    for (let pass = 0; pass < 40; pass++) await runWorker(services, 10 * 60)
    expectEachOnce(server, 30)
    expect(await services.db.query(`SELECT DISTINCT state FROM emails`)).toEqual([{ state: 'sent' }])
  })

  it('while hundreds wait and workers are stopped in between', async () => {
    const server = await startMailServer()
    const { services, enqueue } = makeFixture({ url: server.url })
    for (const name of names(200)) await enqueue(name, `${name}@example.test`)
    for (const atLeast of [20, 80, 140]) {
      await runWorkerUntil(services, () => server.received.length >= atLeast)
    }
    await runWorker(services)
    expectEachOnce(server, 200)
  })
})

it('with a mailbox for bounces, the envelope’s sender names the email’s row', async () => {
  const server = await startMailServer()
  const { services, enqueue, row } = makeFixture({ url: server.url, bounceMailbox: 'bounces@example.test' })
  for (const name of ['one', 'two']) await enqueue(name, `${name}@example.test`)
  await runWorker(services)
  const { of, emailIdOf } = bounceAddresses(services.settings.appSecret, 'bounces@example.test')
  for (const name of ['one', 'two']) {
    const received = server.received.find(({ envelope }) => envelope.to[0] === `${name}@example.test`)
    expect(received?.envelope.from).toBe(of((await row(name)).id))
    expect(emailIdOf(received?.envelope.from ?? '')).toBe((await row(name)).id)
    expect(received?.from?.value[0]?.address).toBe('masthead@localhost')
  }
})

it('an offer is sent from the address for offers, any other email from the general one', async () => {
  const server = await startMailServer()
  const { services, enqueue } = makeFixture({ url: server.url })
  services.settings.mailOffersFrom = 'offers@news.example.test'
  await enqueue('notice', 'ann@example.test')
  await runWorker(services)
  await services.mail.send({
    to: 'ann@example.test',
    fromName: 'Harbour Light',
    subject: 'One',
    html: '<p>x</p>',
    text: 'x',
    ...(await senderOf({ ...services.as(system), settings: services.settings }, 'offer', {})),
    messageId: '<offer@example.test>',
  })
  expect(server.received.map((mail) => [mail.from?.value[0]?.address, mail.envelope.from])).toEqual([
    ['masthead@localhost', 'masthead@localhost'],
    ['offers@news.example.test', 'offers@news.example.test'],
  ])
})

it('emails share a few connections', async () => {
  const server = await startMailServer()
  const { services, enqueue } = makeFixture({ url: server.url, connections: 3 })
  for (let n = 0; n < 40; n++) await enqueue(`n${n}`, `n${n}@example.test`)
  await runWorker(services)
  expect(server.received).toHaveLength(40)
  expect(server.connections.max).toBeLessThanOrEqual(3)
  expect(server.connections.opened).toBeLessThanOrEqual(3)
})

describe('an email that somebody waits for', () => {
  async function withWaitingEmails(waiting: number, options: Omit<FixtureOptions, 'url'>) {
    const server = await startMailServer()
    const { services, enqueue, waitOf } = makeFixture({ url: server.url, ...options })
    for (let n = 0; n < waiting; n++) await enqueue(`n${n}`, `n${n}@busy.test`)
    const enqueueLink = (key = 'now') =>
      services.db.transaction(() => enqueueMail(services, 'reset-link', { userId: user.id, key }))
    return { server, services, enqueue, enqueueLink, waitOf }
  }

  it('is sent before thousands of waiting emails, over one connection', async () => {
    const { server, services, enqueueLink } = await withWaitingEmails(0, { connections: 1 })
    await services.db.run(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000)
       INSERT INTO jobs (name, payload, state, run_at, attempts, created_at)
       SELECT 'send-mail', '{"mail": "none", "about": {}}', 'waiting', ${typedValue(services.db, ':now', 'instant')}, 0,
         ${typedValue(services.db, ':now', 'instant')} FROM numbers`,
      { now: new Date(services.now().getTime() - 1000) },
    )
    await enqueueLink()
    await runWorkerUntil(services, () => server.received.length > 0)
    expect(server.received).toHaveLength(1)
    const [untried] = await services.db.query<{ n: number }>(
      `SELECT COUNT(*) AS n FROM jobs WHERE state = 'waiting' AND attempts = 0`,
    )
    expect(Number(untried?.n)).toBeGreaterThan(2000)
  })

  it('is not delayed by the rate limit', async () => {
    const { server, services, enqueueLink } = await withWaitingEmails(5, {
      pace: { perMinute: 1, perMinutePerDomain: 1 },
    })
    await runWorker(services)
    await enqueueLink()
    await runWorker(services)
    expect(server.received.at(-1)?.subject).toContain('password')
    expect(server.received.length).toBeLessThanOrEqual(3)
  })

  it('includes the receipt of an order, but not its other emails', async () => {
    const { server, services } = await withWaitingEmails(5, { pace: { perMinute: 1 } })
    await runWorker(services)
    const shop = await makeShop(services, { orderEmailAddress: 'orders@example.test' })
    await placeOrder(services.as(visitor), orderForm(shop, { email: 'buyer@example.test' }))
    const receivedBefore = server.received.length
    await runWorker(services)
    expect(server.received.slice(receivedBefore).map(({ envelope }) => envelope.to)).toEqual([['buyer@example.test']])
  })

  it('takes a slot of the rate limit: the emails after it wait longer', async () => {
    const { server, services, enqueue, enqueueLink, waitOf } = await withWaitingEmails(0, { pace: { perMinute: 1 } })
    for (const key of ['one', 'two', 'three']) await enqueueLink(key)
    await runWorker(services)
    expect(server.received).toHaveLength(3)
    await enqueue('later', 'later@busy.test')
    await runWorker(services)
    expect(server.received).toHaveLength(3)
    expect(await waitOf('later')).toBe(180)
  })
})

describe('rate limits', () => {
  it('allow a set number of emails a minute: the others wait untried', async () => {
    const server = await startMailServer()
    const { services, enqueue, job } = makeFixture({ url: server.url, pace: { perMinute: 30 } })
    const names = Array.from({ length: 40 }, (_, n) => `n${n}`)
    for (const name of names) await enqueue(name, `${name}@example.test`)
    await runWorker(services)
    const sentAtOnce = server.received.length
    expect(sentAtOnce).toBeGreaterThan(0)
    expect(sentAtOnce).toBeLessThanOrEqual(2)
    for (let second = 0; second < 60; second++) await runWorker(services, 1)
    expect(server.received.length - sentAtOnce).toBeGreaterThanOrEqual(28)
    expect(server.received.length - sentAtOnce).toBeLessThanOrEqual(31)
    for (let second = 0; second < 30; second++) await runWorker(services, 1)
    expect(server.received).toHaveLength(40)
    for (const name of names) expect(await job(name)).toMatchObject({ state: 'done', attempts: 1 })
  })

  it('allow a set number of emails a minute to one domain: emails to other domains overtake the rest, each postponed once', async () => {
    const server = await startMailServer()
    const { services, enqueue, row } = makeFixture({ url: server.url, pace: { perMinutePerDomain: 6 } })
    for (let n = 0; n < 5; n++) await enqueue(`busy${n}`, `n${n}@Busy.test`)
    await enqueue('free', 'ann@free.test')
    await runWorker(services)
    const domains = () => server.received.map(({ envelope }) => envelope.to[0]?.split('@')[1])
    expect(domains().sort()).toEqual(['busy.test', 'free.test'])
    const slots = await Promise.all([0, 1, 2, 3, 4].map(async (n) => (await row(`busy${n}`)).slotAt?.getTime() ?? 0))
    const waits = slots.filter((slot) => slot > 0).map((slot) => (slot - services.now().getTime()) / 1000)
    expect(waits.toSorted((a, b) => a - b)).toEqual([10, 20, 30, 40])
    await runWorker(services, 25)
    expect(server.received).toHaveLength(4)
    await runWorker(services, 20)
    expect(server.received).toHaveLength(6)
    for (let n = 0; n < 5; n++) expect(await row(`busy${n}`)).toMatchObject({ state: 'sent', attempts: 1 })
  })

  it('keep the slot at its domain of an email that waits for the installation’s limit', async () => {
    const server = await startMailServer()
    const { services, enqueue } = makeFixture({ url: server.url, pace: { perMinute: 6, perMinutePerDomain: 2 } })
    for (const domain of ['one.test', 'two.test']) await enqueue(domain, `ann@${domain}`)
    await runWorker(services)
    expect(server.received).toHaveLength(1)
    await runWorker(services, 10)
    expect(server.received).toHaveLength(2)
  })
})
