import { beforeEach, describe, expect, it } from 'vitest'
import { openBounceMailbox } from '#core/platform/bounce-mailbox.ts'
import { checkBounceMailbox, checkBounceReading } from '#core/platform/doctor-emails.ts'
import { readEnv } from '#core/platform/env.ts'
import { statusReport } from '#tests/support/delivery-reports.ts'
import { makePublication, system } from '#tests/support/factories.ts'
import { startImapServer } from '#tests/support/imap-server.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { addressMark } from '../bounces/address-marks.rows.ts'
import { bounceAddresses } from '../bounces/bounce-addresses.ts'
import { BounceMailboxes } from '../bounces/bounce-mailboxes.rows.ts'
import { Emails } from './emails.rows.ts'
import { readBounceMailbox } from './read-bounce-mailbox.ts'

const services = await openTestServices({ MAIL_BOUNCES: 'bounces@example.com' })
const { publisherId, id: publicationId } = await makePublication(services)
const senders = bounceAddresses(services.settings.appSecret, 'bounces@example.com')
let server: Awaited<ReturnType<typeof startImapServer>>
let emailsMade = 0

beforeEach(async () => {
  server = await startImapServer()
})

const readMailbox = (url = server.url) =>
  readBounceMailbox({ ...services.as(system), bounceMailbox: openBounceMailbox({ url, timeoutMs: 5000 }) }, {})
const storedRow = (url = server.url) => BounceMailboxes.find(services, { name: openBounceMailbox({ url }).name })

/** An email to an address, and the report that it bounced. */
async function bounceReport(address: string, fields: { returned?: string } = {}) {
  const n = ++emailsMade
  const emailId = await Emails.insert(services, {
    emailKey: `test:${n}`,
    template: 'order-receipt',
    publicationId,
    toAddress: address,
    subject: 'x',
    messageId: `<test.${n}@example.com>`,
    state: 'sent',
    sentAt: services.now(),
  })
  return statusReport({ to: senders.of(emailId), recipient: address, ...fields })
}
const isMarked = async (address: string) =>
  (await addressMark(services, { publisherId, address }))?.bouncedAt instanceof Date

describe('the bounce mailbox', () => {
  it('is read once: reports mark their addresses and are flagged as read, other emails are left alone', async () => {
    server.add(await bounceReport('one@example.net'))
    const letter = server.add('From: ann@example.net\r\nSubject: Where is my issue?\r\n\r\nHello')
    server.add(await bounceReport('two@example.net'))
    expect(await readMailbox()).toEqual({ messages: 3, reports: 2 })
    for (const address of ['one@example.net', 'two@example.net']) expect(await isMarked(address)).toBe(true)
    expect(server.messages.map(({ isSeen }) => isSeen)).toEqual([true, false, true])
    expect(letter.isSeen).toBe(false)
    expect(await readMailbox()).toEqual({ messages: 0, reports: 0 })
    server.add(await bounceReport('three@example.net'))
    expect(await readMailbox()).toEqual({ messages: 1, reports: 1 })
    expect(await isMarked('three@example.net')).toBe(true)
    expect(await storedRow()).toMatchObject({ lastUid: 4, problem: null })
  })

  it('that disconnects loses nothing and counts nothing twice', async () => {
    for (let n = 0; n < 45; n++) server.add(await bounceReport(`many${n}@example.net`))
    // Disconnects after the first batch was stored.
    server.breakAt('UID STORE')
    await readMailbox()
    expect(await storedRow()).toMatchObject({ lastUid: 20, problem: expect.any(String) })
    expect(await isMarked('many19@example.net')).toBe(true)
    expect(await isMarked('many20@example.net')).toBe(false)
    server.breakAt(null)
    expect(await readMailbox()).toEqual({ messages: 25, reports: 25 })
    expect(await isMarked('many44@example.net')).toBe(true)
    expect(await storedRow()).toMatchObject({ lastUid: 45, problem: null, readAt: services.now() })
  })

  it('whose messages were renumbered is read again, and nothing changes', async () => {
    server.add(await bounceReport('again@example.net'))
    await readMailbox()
    const before = await addressMark(services, { publisherId, address: 'again@example.net' })
    server.renumber()
    services.clock.advance({ days: 1 })
    expect(await readMailbox()).toEqual({ messages: 1, reports: 1 })
    expect(await addressMark(services, { publisherId, address: 'again@example.net' })).toEqual(before)
  })

  it('fetches only the beginning of a message of 50 MB', async () => {
    server.add(await bounceReport('large@example.net', { returned: 'x'.repeat(50 * 1024 * 1024) }))
    expect(await readMailbox()).toEqual({ messages: 1, reports: 1 })
    expect(await isMarked('large@example.net')).toBe(true)
    expect(server.sentBytes()).toBeLessThan(1024 * 1024)
  })

  it('read by two workers at once is processed by one of them at a time', async () => {
    for (let n = 0; n < 60; n++) server.add(await bounceReport(`both${n}@example.net`))
    const [first, second] = await Promise.all([readMailbox(), readMailbox()])
    const third = await readMailbox()
    expect(first.reports + second.reports + third.reports).toBe(60)
    for (const n of [0, 30, 59]) expect(await isMarked(`both${n}@example.net`)).toBe(true)
  })

  it('that cannot be read is not a failed job: its error is stored', async () => {
    const wrongUrl = server.url.replace(':secret@', ':wrong@')
    expect(await readMailbox(wrongUrl)).toEqual({ messages: 0, reports: 0 })
    expect((await storedRow(wrongUrl))?.problem).toBeTruthy()
    const missingUrl = server.url.replace('INBOX', 'Elsewhere')
    await readMailbox(missingUrl)
    expect((await storedRow(missingUrl))?.problem).toBeTruthy()
  })
})

describe('doctor', () => {
  const check = (url: string, env: Record<string, string> = { MAIL_BOUNCES: 'bounces@example.com' }) =>
    checkBounceMailbox(readEnv({ APP_SECRET: 'x'.repeat(40), MAIL_BOUNCES_IMAP: url, ...env }))

  it.each(['imap.example.com', 'imap://imap.example.com/INBOX', 'imaps://a@b.example:c@host', 'imaps://a:%zz@host'])(
    '%s is not a mailbox address',
    (url) => {
      expect(() => readEnv({ MAIL_BOUNCES_IMAP: url })).toThrow(/MAIL_BOUNCES_IMAP must be imaps:/)
    },
  )

  it('logs in to the mailbox, and reports errors without the password', async () => {
    server.add('Subject: x\r\n\r\nx')
    expect(await check(server.url)).toMatchObject({ state: 'ok', found: expect.stringContaining('1 message') })
    expect(await check(server.url, {})).toMatchObject({
      state: 'warning',
      fix: expect.stringContaining('MAIL_BOUNCES'),
    })
    const failure = await check(server.url.replace(':secret@', ':hushed@'))
    expect(failure).toMatchObject({
      state: 'failed',
      found: expect.stringContaining('the user name or password is wrong'),
    })
    expect(JSON.stringify(failure)).not.toContain('hushed')
    expect(await check(server.url.replace('INBOX', 'Elsewhere'))).toMatchObject({ state: 'failed' })
    expect(await check('')).toBeNull()
  })

  it('shows when the mailbox was last read and with what result, and warns when nothing reads it', async () => {
    const checkReading = (now = services.now(), url = server.url) =>
      checkBounceReading(services.db, { mailBouncesImap: url || null }, now)
    const minutesLater = (minutes: number) => new Date(services.now().getTime() + minutes * 60_000)
    expect(await checkReading(undefined, '')).toBeNull()
    expect(await checkReading()).toMatchObject({ state: 'warning', found: 'the mailbox has never been read' })
    await readMailbox()
    expect(await checkReading()).toMatchObject({
      state: 'ok',
      found: expect.stringContaining('nothing has arrived yet'),
    })
    server.add(await bounceReport('told@example.net'))
    server.add('Subject: x\r\n\r\nx')
    await readMailbox()
    // The last result is still shown after readings that find no messages.
    await readMailbox()
    const moment = services.now().toISOString().slice(0, 16).replace('T', ' ')
    expect(await checkReading(minutesLater(29))).toMatchObject({
      state: 'ok',
      found: `last read at ${moment} UTC; last arrived: 2 messages at ${moment} UTC, 1 report of undeliverable mail among them`,
    })
    expect(await checkReading(minutesLater(31))).toMatchObject({
      state: 'warning',
      fix: expect.stringContaining('Start a worker'),
    })
    const wrongUrl = server.url.replace(':secret@', ':wrong@')
    await readMailbox(wrongUrl)
    const failing = await checkReading(undefined, wrongUrl)
    expect(failing).toMatchObject({ state: 'warning', found: expect.stringContaining('the last reading failed: ') })
    expect(JSON.stringify(failing)).not.toContain(':wrong@')
  })
})
