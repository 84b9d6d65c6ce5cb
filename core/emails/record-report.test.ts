import { beforeEach, describe, expect, it } from 'vitest'
import type { AppContext } from '#core/context.ts'
import { complaintReport, type StatusReport, statusReport } from '#tests/support/delivery-reports.ts'
import { makePublication, makeUser, system } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { plannedReminder } from '#tests/support/series.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { runWorker } from '#tests/support/worker.ts'
import { addressMark, installationPublisherId } from '../bounces/address-marks.rows.ts'
import { bounceAddresses } from '../bounces/bounce-addresses.ts'
import type { DeliveryEvent } from '../bounces/delivery-event.ts'
import { readReport } from '../bounces/read-report.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { Emails } from './emails.rows.ts'
import { recordReport } from './record-report.ts'
import { sendMail } from './send-mail.ts'

const services = await openTestServices({ MAIL_BOUNCES: 'bounces@example.com' })
const ctx = services.as(system)
const senders = bounceAddresses(services.settings.appSecret, 'bounces@example.com')
const startTime = new Date('2026-11-21T10:00:00Z')
let publication: Awaited<ReturnType<typeof makePublication>>
let emailsMade = 0

beforeEach(async () => {
  services.clock.now = startTime
  publication = await makePublication(services)
})

/** An email that the mail server has accepted. */
async function makeSentEmail(toAddress: string, fields: Partial<Parameters<typeof Emails.insert>[1]> = {}) {
  const n = ++emailsMade
  const id = await Emails.insert(services, {
    emailKey: `test:${n}`,
    template: 'order-receipt',
    publicationId: publication.id,
    toAddress,
    subject: 'x',
    messageId: `<test.${n}@example.com>`,
    state: 'sent',
    sentAt: services.now(),
    ...fields,
  })
  return { id, sender: senders.of(id), messageId: `<test.${n}@example.com>`, to: toAddress }
}

const recordAll = (context: AppContext, events: readonly DeliveryEvent[]) =>
  context.db.transaction(async () => {
    const results = []
    for (const event of events) results.push(await recordReport(context, event))
    return results
  })
const receiveReport = async (raw: string) => recordAll(ctx, (await readReport(raw)) ?? [])
const reportFailure = (mail: Awaited<ReturnType<typeof makeSentEmail>>, fields: Partial<StatusReport> = {}) =>
  receiveReport(statusReport({ to: mail.sender, recipient: mail.to, ...fields }))
const markOf = (address: string, publisherId = publication.publisherId) => addressMark(ctx, { publisherId, address })
const stateOf = async (mail: { id: number }) => (await Emails.find(ctx, { id: mail.id }))?.state

describe('a hard bounce', () => {
  it('marks its address at once, with the server’s reply and the time, only for that publisher', async () => {
    const otherPublication = await makePublication(services)
    const mail = await makeSentEmail('Ann@example.net')
    services.clock.advance({ days: 1 })
    const date = new Date(startTime.getTime() + 3_600_000)
    expect(await reportFailure(mail, { date })).toEqual([true])
    expect(await markOf('ann@EXAMPLE.net')).toMatchObject({
      bouncedAt: date,
      complainedAt: null,
      status: '5.1.1',
      answer: '550 5.1.1 <Ann@example.net>: Recipient address rejected',
    })
    expect(await markOf('ann@example.net', otherPublication.publisherId)).toBeNull()
    expect(await markOf('ann@example.net', installationPublisherId)).toBeNull()
    expect(await stateOf(mail)).toBe('bounced')
  })

  it('changes nothing when it is reported again', async () => {
    const mail = await makeSentEmail('ann@example.net')
    const report = { id: 'same@mx' }
    await reportFailure(mail, report)
    const before = await markOf('ann@example.net')
    services.clock.advance({ days: 1 })
    expect(await reportFailure(mail, report)).toEqual([false])
    expect(await reportFailure(mail, { status: '5.2.1' })).toEqual([true])
    expect(await markOf('ann@example.net')).toEqual(before)
  })

  it('is matched by its Message-ID too, when the report names the address', async () => {
    const mail = await makeSentEmail('ann@example.net')
    const byMessageId = { to: 'somebody@example.com', messageId: mail.messageId }
    expect(await reportFailure(mail, { ...byMessageId, recipient: 'bob@example.net' })).toEqual([false])
    expect(await markOf('bob@example.net')).toBeNull()
    expect(await reportFailure(mail, byMessageId)).toEqual([true])
    expect(await markOf('ann@example.net')).toMatchObject({ status: '5.1.1' })
  })

  it('marks the address it was sent to when it was forwarded to another', async () => {
    const mail = await makeSentEmail('ann@example.net')
    await reportFailure(mail, { recipient: 'ann.private@example.org' })
    expect(await markOf('ann@example.net')).toMatchObject({ status: '5.1.1' })
    expect(await markOf('ann.private@example.org')).toBeNull()
  })

  it('marks the copy’s address when the email to it failed, and no address when it is not known which one failed', async () => {
    const settled = [
      { address: 'ann@example.net', isTo: true, answer: '250', fault: null },
      { address: 'copy@example.net', isTo: false, answer: '250', fault: null },
    ]
    const mail = await makeSentEmail('ann@example.net', { settled })
    expect(await reportFailure(mail, { recipient: 'elsewhere@example.org' })).toEqual([false])
    expect(await reportFailure(mail, { recipient: 'copy@example.net' })).toEqual([true])
    expect(await markOf('ann@example.net')).toBeNull()
    expect(await markOf('copy@example.net')).toMatchObject({ status: '5.1.1' })
    expect(await stateOf(mail)).toBe('sent')
  })

  it('that was forged marks nobody: a wrong signature, an unknown Message-ID, no identification', async () => {
    const mail = await makeSentEmail('ann@example.net')
    const forged = mail.sender.replace(/-[0-9a-f]{16}@/, '-0123456789abcdef@')
    const signedWithOtherSecret = bounceAddresses('another-secret-another-secret-anoth', 'bounces@example.com').of(
      mail.id,
    )
    for (const to of [forged, signedWithOtherSecret, 'bounces@example.com'])
      expect(await reportFailure(mail, { to, messageId: '<order-receipt.1@localhost>' })).toEqual([false])
    expect(await markOf('ann@example.net')).toBeNull()
    expect(await stateOf(mail)).toBe('sent')
  })

  it('with characters that no database stores is recorded without them', async () => {
    const mail = await makeSentEmail('ann@example.net')
    const strange = {
      diagnostic: 'smtp; 550 5.1.1 \0\ud800 gone',
      messageId: '<a\0b@example.com>',
      id: 'x\0y\ud800@mx',
    }
    expect(await reportFailure(mail, strange)).toEqual([true])
    expect(await markOf('ann@example.net')).toMatchObject({ status: '5.1.1' })
    const raw: DeliveryEvent = {
      key: 'k\0',
      kind: 'hard',
      recipient: mail.to,
      at: null,
      status: '',
      answer: '\0',
      mail: { addresses: [mail.sender], messageIds: ['<\0>'] },
    }
    expect(await recordAll(ctx, [raw])).toEqual([true])
  })

  it('for an address that the record no longer has marks only the previous one', async () => {
    const readerId = await makeReader(services, publication.id, { email: 'now@example.net' })
    const mail = await makeSentEmail('former@example.net', { readerId })
    await reportFailure(mail)
    expect(await markOf('now@example.net')).toBeNull()
    expect(await markOf('former@example.net')).toMatchObject({ bouncedAt: services.now() })
  })

  it('marks staff’s addresses under the installation', async () => {
    const mail = await makeSentEmail('staff@example.net', { publicationId: null })
    await reportFailure(mail)
    expect(await markOf('staff@example.net', installationPublisherId)).toMatchObject({ status: '5.1.1' })
    expect(await markOf('staff@example.net')).toBeNull()
  })

  it.each(['delayed', 'relayed', 'expanded'])('%s is not a bounce', async (action) => {
    const mail = await makeSentEmail('ann@example.net')
    await reportFailure(mail, { action })
    expect(await markOf('ann@example.net')).toBeNull()
    expect(await stateOf(mail)).toBe('sent')
  })
})

describe('soft bounces', () => {
  const soft = { status: '5.2.2', diagnostic: 'smtp; 552 5.2.2 Mailbox full' }

  it('mark an address after the third on a third day, not before', async () => {
    for (const day of [1, 2, 3]) {
      const mail = await makeSentEmail('ann@example.net')
      // The same email may be reported twice, and two emails may fail on one day.
      await reportFailure(mail, soft)
      await reportFailure(mail, soft)
      if (day === 1) for (let n = 0; n < 3; n++) await reportFailure(await makeSentEmail('ann@example.net'), soft)
      expect((await markOf('ann@example.net'))?.bouncedAt ?? null, `day ${day}`).toEqual(
        day < 3 ? null : services.now(),
      )
      expect(await stateOf(mail)).toBe('bounced')
      services.clock.advance({ days: 1 })
    }
    expect(await markOf('ann@example.net')).toMatchObject({ status: '5.2.2', answer: '552 5.2.2 Mailbox full' })
  })

  it('are cleared by a delivery: one that was reported, or an email that did not bounce', async () => {
    for (let day = 0; day < 2; day++) {
      await reportFailure(await makeSentEmail('ann@example.net'), soft)
      services.clock.advance({ days: 1 })
    }
    await reportFailure(await makeSentEmail('ann@example.net'), { action: 'delivered', status: '2.0.0' })
    services.clock.advance({ days: 1 })
    await reportFailure(await makeSentEmail('ann@example.net'), soft)
    services.clock.advance({ days: 1 })
    await reportFailure(await makeSentEmail('ann@example.net'), soft)
    expect((await markOf('ann@example.net'))?.bouncedAt).toBeNull()
    services.clock.advance({ days: 1 })
    await makeSentEmail('ann@example.net')
    services.clock.advance({ days: 6 })
    await reportFailure(await makeSentEmail('ann@example.net'), soft)
    expect((await markOf('ann@example.net'))?.bouncedAt).toBeNull()
  })

  it('mark nobody when the email or its sender was rejected, not the address', async () => {
    for (let day = 0; day < 4; day++) {
      const mail = await makeSentEmail('ann@example.net')
      await reportFailure(mail, { status: '5.7.1', diagnostic: 'smtp; 550 5.7.1 blocked as spam' })
      expect(await stateOf(mail)).toBe('bounced')
      services.clock.advance({ days: 1 })
    }
    expect((await markOf('ann@example.net'))?.bouncedAt).toBeNull()
  })
})

it('a complaint marks the address of its email, and the email stays delivered', async () => {
  const mail = await makeSentEmail('ann@example.net')
  await receiveReport(complaintReport({ messageId: mail.messageId }))
  expect(await markOf('ann@example.net')).toMatchObject({ complainedAt: services.now(), bouncedAt: null })
  expect(await stateOf(mail)).toBe('sent')
  const otherMail = await makeSentEmail('bob@example.net')
  await receiveReport(complaintReport({ from: otherMail.sender }))
  expect(await markOf('bob@example.net')).toMatchObject({ complainedAt: services.now() })
})

describe('after a reported delivery', () => {
  const delivered = { action: 'delivered', status: '2.0.0' }
  /** An address with one soft bounce, and an email to it that was reported as delivered. */
  async function deliveredMail() {
    await reportFailure(await makeSentEmail('ann@example.net'), {
      status: '5.2.2',
      diagnostic: 'smtp; 552 5.2.2 Mailbox full',
    })
    services.clock.advance({ days: 1 })
    const mail = await makeSentEmail('ann@example.net')
    await reportFailure(mail, delivered)
    return mail
  }

  it('a complaint about that email marks its address', async () => {
    const mail = await deliveredMail()
    services.clock.advance({ days: 1 })
    await receiveReport(complaintReport({ messageId: mail.messageId }))
    expect(await markOf('ann@example.net')).toMatchObject({ complainedAt: services.now(), bouncedAt: null })
  })

  it('a late hard bounce of that email marks its address', async () => {
    const mail = await deliveredMail()
    services.clock.advance({ days: 1 })
    await reportFailure(mail)
    expect(await markOf('ann@example.net')).toMatchObject({ bouncedAt: services.now(), status: '5.1.1' })
  })

  it('late reports about earlier emails count neither as soft bounces nor as the last delivery', async () => {
    const soft = { status: '5.2.2', diagnostic: 'smtp; 552 5.2.2 Mailbox full' }
    const earlier = [
      await makeSentEmail('ann@example.net'),
      await makeSentEmail('ann@example.net'),
      await makeSentEmail('ann@example.net'),
    ]
    const deliveredEarlier = await makeSentEmail('ann@example.net')
    const { sentAt } = (await Emails.find(ctx, { id: (await deliveredMail()).id })) ?? {}
    for (const mail of earlier) {
      services.clock.advance({ days: 1 })
      await reportFailure(mail, soft)
    }
    await reportFailure(deliveredEarlier, delivered)
    expect(await markOf('ann@example.net')).toMatchObject({ bouncedAt: null, deliveredAt: sentAt, resetAt: null })
  })
})

describe('sending', () => {
  const rowKey = (name: string) => ({ emailKey: `account-notice:${userId}:email-changed:${name}` })
  let userId: number
  const sendTo = async (name: string, to: string) => {
    userId = (await makeUser(services)).id
    const about = { userId, kind: 'email-changed' as const, key: name, to }
    await services.db.transaction(() => enqueueMail(services, 'account-notice', about, { dedupeKey: `test:${name}` }))
    await runWorker(services)
    return Emails.find(services, rowKey(name))
  }
  const jobs = () => services.db.query(`SELECT state, attempts FROM jobs WHERE name = 'send-mail' ORDER BY id DESC`)

  it('of notices continues after a complaint', async () => {
    const mail = await makeSentEmail('tired@example.net', { publicationId: null })
    await receiveReport(complaintReport({ from: mail.sender }))
    expect(await markOf('tired@example.net', installationPublisherId)).toMatchObject({ complainedAt: services.now() })
    expect(await sendTo('complained', 'tired@example.net')).toMatchObject({ state: 'sent' })
  })

  it('by the installation continues until an address bounces; then nothing is sent or retried there', async () => {
    expect(await sendTo('before', 'lost@example.net')).toMatchObject({ state: 'sent' })
    const mail = await makeSentEmail('lost@example.net', { publicationId: null })
    await reportFailure(mail)
    const emailsBefore = (await services.mail.devMailbox?.list(100))?.length
    expect(await sendTo('after', 'lost@example.net')).toMatchObject({
      state: 'suppressed',
      fault: 'bounced',
      attempts: 0,
      lastAnswer: '550 5.1.1 <lost@example.net>: Recipient address rejected',
    })
    expect((await jobs())[0]).toMatchObject({ state: 'done', attempts: 1 })
    expect((await services.mail.devMailbox?.list(100))?.length).toBe(emailsBefore)
    // Emails to other addresses are still sent.
    expect(await sendTo('another', 'found@example.net')).toMatchObject({ state: 'sent' })
    // So are a publisher's emails to this address: the mark is that of the installation.
    const fields = { email: 'lost@example.net', firstName: 'Ann', subType: 'print', subEndOn: '2027-01-31' } as const
    const readerId = await makeReader(services, publication.id, fields)
    const { about } = await plannedReminder(services, readerId, fields.subEndOn)
    expect(await sendMail(ctx, { mail: 'renewal-reminder', about })).toBe(true)
  })

  it('of reminders stops for an address whose reader complained or that bounced', async () => {
    const endsOn = '2027-01-31'
    const fields = { email: 'cross@example.net', firstName: 'Ann', subType: 'print', subEndOn: endsOn } as const
    const readerId = await makeReader(services, publication.id, fields)
    const { about } = await plannedReminder(services, readerId, endsOn)
    const remind = () => sendMail(ctx, { mail: 'renewal-reminder', about })
    await receiveReport(complaintReport({ from: (await makeSentEmail('cross@example.net')).sender }))
    expect(await remind()).toBe(false)
    await services.db.run(`UPDATE address_marks SET complained_at = NULL`)
    expect(await remind()).toBe(true)
    const bounced = await makeSentEmail('cross@example.net')
    await reportFailure(bounced)
    const secondReaderId = await makeReader(services, publication.id, fields)
    // A reminder that is not sent needs no action: its job is done.
    const secondReminder = await plannedReminder(services, secondReaderId, endsOn)
    expect(await sendMail(ctx, { mail: 'renewal-reminder', about: secondReminder.about })).toBe(false)
    expect(await Emails.find(ctx, { emailKey: secondReminder.emailKey })).toMatchObject({
      state: 'suppressed',
      fault: 'bounced',
    })
  })
})
