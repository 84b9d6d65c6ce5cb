import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { statusReport } from '#tests/support/delivery-reports.ts'
import { makePublication } from '#tests/support/factories.ts'
import { snsTopic, startSnsServer } from '#tests/support/sns-server.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { addressMark } from '../bounces/address-marks.rows.ts'
import { bounceAddresses } from '../bounces/bounce-addresses.ts'
import { Emails } from './emails.rows.ts'
import { receiveMailReport } from './receive-mail-report.ts'

const secrets = { token: 'token-token-token-token', postmark: 'postmark-postmark-postmark', mailgun: 'key-abc' }
const sns = await startSnsServer()
const services = await openTestServices({
  MAIL_BOUNCES: 'bounces@example.com',
  MAIL_BOUNCES_TOKEN: secrets.token,
  MAIL_SES_TOPIC: snsTopic,
  MAIL_POSTMARK_SECRET: secrets.postmark,
  MAIL_MAILGUN_SIGNING_KEY: secrets.mailgun,
  SNS_BASE: sns.base,
})
const { publisherId, id: publicationId } = await makePublication(services)
const senders = bounceAddresses(services.settings.appSecret, 'bounces@example.com')
let mail: { id: number; to: string; messageId: string; sender: string }
let emailsMade = 0

beforeEach(async () => {
  const n = ++emailsMade
  const to = `reader${n}@example.net`
  const messageId = `<test.${n}.${randomUUID()}@example.com>`
  const id = await Emails.insert(services, {
    emailKey: `test:${n}`,
    template: 'order-receipt',
    publicationId,
    toAddress: to,
    subject: 'x',
    messageId,
    state: 'sent',
    sentAt: services.now(),
  })
  mail = { id, to, messageId, sender: senders.of(id) }
})

type Provider = 'message' | 'ses' | 'postmark' | 'mailgun'
const receive = (provider: Provider, body: string, headers: Record<string, string> = {}) =>
  receiveMailReport(services.as(visitor), { provider, body, headers })
const mark = () => addressMark(services, { publisherId, address: mail.to })
const basicAuth = (password: string) => ({
  authorization: `Basic ${Buffer.from(`any:${password}`).toString('base64')}`,
})
const refused = { kind: 'unauthenticated' }

/** Expects that the same body is accepted, and accepted again without changing anything. */
async function expectAcceptedTwice(send: () => Promise<unknown>): Promise<void> {
  expect(await send()).toEqual({ received: true })
  const before = await mark()
  services.clock.advance({ hours: 1 })
  expect(await send()).toEqual({ received: true })
  expect(await mark()).toEqual(before)
}

describe('a mail server that forwards whole messages', () => {
  it('is authenticated by the token, as a bearer or as a password', async () => {
    const report = statusReport({ to: mail.sender, recipient: mail.to })
    for (const headers of [{}, { authorization: 'Bearer wrong-wrong-wrong-wrong' }, basicAuth('wrong')])
      await expect(receive('message', report, headers)).rejects.toMatchObject(refused)
    expect(await mark()).toBeNull()
    await expectAcceptedTwice(() => receive('message', report, { authorization: `Bearer ${secrets.token}` }))
    expect(await mark()).toMatchObject({ status: '5.1.1' })
    expect(await receive('message', 'not a report', basicAuth(secrets.token))).toEqual({ received: true })
  })
})

describe('Amazon SES', () => {
  const bounce = (fields: object = {}) => ({
    notificationType: 'Bounce',
    mail: { source: mail.sender, messageId: 'amazons-own', headers: [{ name: 'Message-ID', value: mail.messageId }] },
    bounce: {
      bounceType: 'Permanent',
      bounceSubType: 'General',
      timestamp: '2026-11-21T10:00:00.000Z',
      bouncedRecipients: [
        { emailAddress: mail.to, status: '5.1.1', action: 'failed', diagnosticCode: 'smtp; 550 5.1.1 user unknown' },
      ],
      ...fields,
    },
  })

  it('is authenticated by its signature, of either version, for the configured topic', async () => {
    const body = sns.notice(bounce())
    await expectAcceptedTwice(() => receive('ses', body))
    expect(await mark()).toMatchObject({ status: '5.1.1', answer: '550 5.1.1 user unknown' })
    expect(await receive('ses', sns.notice(bounce(), { SignatureVersion: '1' }))).toEqual({ received: true })
  })

  it('is refused with another topic, a changed body or a foreign certificate', async () => {
    const forged = [
      sns.notice(bounce(), { TopicArn: 'arn:aws:sns:eu-west-1:999999999999:bounces' }),
      sns.notice(bounce(), {}, { Message: JSON.stringify(bounce({ bounceSubType: 'Suppressed' })) }),
      ...[
        'https://sns.eu-west-1.amazonaws.com.evil.example/SimpleNotificationService-0123456789abcdef.pem',
        'http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem',
        'https://user@sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem',
        'https://sns.eu-west-1.amazonaws.com:8443/SimpleNotificationService-0123456789abcdef.pem',
        'https://bucket.s3.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem',
        'https://sns.eu-west-1.amazonaws.com/elsewhere.pem',
        'https://127.0.0.1/SimpleNotificationService-0123456789abcdef.pem',
        'file:///etc/passwd',
        'nonsense',
      ].map((SigningCertURL) => sns.notice(bounce(), { SigningCertURL })),
      '{}',
      'not JSON',
    ]
    const requestsBefore = sns.requests.length
    for (const body of forged) await expect(receive('ses', body), body).rejects.toMatchObject(refused)
    expect(await mark()).toBeNull()
    expect(sns.requests.length).toBe(requestsBefore)
  })

  it('has its subscription confirmed only at its own address', async () => {
    const confirm = (SubscribeURL: string, fields: Record<string, string> = {}) =>
      sns.notice({}, { Type: 'SubscriptionConfirmation', Token: 'abc', SubscribeURL, ...fields })
    const confirmUrl = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=x&Token=abc'
    const confirmationRequests = () => sns.requests.filter((path) => path.includes('ConfirmSubscription')).length
    for (const url of [
      'http://169.254.169.254/?Action=ConfirmSubscription',
      confirmUrl.replace('sns.', 'sns.evil.'),
      '',
    ])
      expect(await receive('ses', confirm(url))).toEqual({ received: true })
    await expect(
      receive('ses', confirm(confirmUrl, { TopicArn: 'arn:aws:sns:eu-west-1:999999999999:x' })),
    ).rejects.toMatchObject(refused)
    expect(confirmationRequests()).toBe(0)
    expect(await receive('ses', confirm(confirmUrl))).toEqual({ received: true })
    expect(confirmationRequests()).toBe(1)
  })

  it.each<[string, object, boolean]>([
    ['a full mailbox is not a permanent bounce', { bounceType: 'Transient', bounceSubType: 'MailboxFull' }, false],
    [
      'an email that is too large is not a permanent bounce',
      { bounceType: 'Transient', bounceSubType: 'MessageTooLarge' },
      false,
    ],
    [
      'an address on Amazon’s own list of bounced addresses is a permanent bounce',
      { bounceType: 'Permanent', bounceSubType: 'Suppressed' },
      true,
    ],
  ])('%s', async (_, fields, isMarked) => {
    await receive('ses', sns.notice(bounce(fields)))
    expect((await mark())?.bouncedAt ?? null).toEqual(isMarked ? services.now() : null)
  })

  it('a complaint does not stop notices', async () => {
    const complaint = {
      eventType: 'Complaint',
      mail: { source: mail.sender },
      complaint: { complainedRecipients: [{ emailAddress: mail.to }], complaintFeedbackType: 'abuse' },
    }
    await receive('ses', sns.notice(complaint))
    expect(await mark()).toMatchObject({ complainedAt: services.now(), bouncedAt: null })
  })
})

describe('Postmark', () => {
  const bounce = (fields: object = {}) =>
    JSON.stringify({
      RecordType: 'Bounce',
      ID: 42 + emailsMade,
      Type: 'HardBounce',
      TypeCode: 1,
      MessageID: randomUUID(),
      Email: mail.to,
      Description: 'The server was unable to deliver.',
      BouncedAt: '2026-11-21T10:00:00Z',
      Details: 'smtp;550 5.1.1 The email account that you tried to reach does not exist.',
      Metadata: { mail: bounceAddresses(services.settings.appSecret, 'mail@localhost').of(mail.id) },
      ...fields,
    })

  it('is authenticated by the password in its address', async () => {
    for (const headers of [{}, basicAuth('postmark')])
      await expect(receive('postmark', bounce(), headers)).rejects.toMatchObject(refused)
    expect(await mark()).toBeNull()
    const body = bounce()
    await expectAcceptedTwice(() => receive('postmark', body, basicAuth(secrets.postmark)))
    expect(await mark()).toMatchObject({ status: '5.1.1', answer: expect.stringContaining('550 5.1.1') })
  })

  it.each(['AutoResponder', 'Transient', 'Subscribe', 'Unsubscribe', 'AddressChange', 'Blocked'])(
    '%s marks nothing',
    async (Type) => {
      await receive('postmark', bounce({ Type }), basicAuth(secrets.postmark))
      expect((await mark())?.bouncedAt ?? null).toBeNull()
    },
  )

  it('an email sent by another program with the same account marks nobody', async () => {
    await receive('postmark', bounce({ Metadata: {} }), basicAuth(secrets.postmark))
    await receive(
      'postmark',
      bounce({ Metadata: { mail: 'mail+1-0123456789abcdef@localhost' } }),
      basicAuth(secrets.postmark),
    )
    expect(await mark()).toBeNull()
  })

  it('handles a complaint, and ignores unknown bodies', async () => {
    for (const body of ['[]', '{"RecordType":7}', 'null', '{'])
      expect(await receive('postmark', body, basicAuth(secrets.postmark))).toEqual({ received: true })
    await receive(
      'postmark',
      bounce({ RecordType: 'SpamComplaint', Type: 'SpamComplaint' }),
      basicAuth(secrets.postmark),
    )
    expect(await mark()).toMatchObject({ complainedAt: services.now(), bouncedAt: null })
  })
})

describe('Mailgun', () => {
  const seconds = () => Math.floor(services.now().getTime() / 1000)
  const sign = (key = secrets.mailgun, timestamp = String(seconds()), token = randomBytes(25).toString('hex')) => ({
    timestamp,
    token,
    signature: createHmac('sha256', key).update(`${timestamp}${token}`).digest('hex'),
  })
  const failed = (signature: object, fields: object = {}) =>
    JSON.stringify({
      signature,
      'event-data': {
        id: randomUUID(),
        event: 'failed',
        severity: 'permanent',
        reason: 'bounce',
        recipient: mail.to,
        timestamp: seconds(),
        message: { headers: { 'message-id': mail.messageId.slice(1, -1) } },
        'delivery-status': { code: 550, message: '5.1.1 No such user' },
        ...fields,
      },
    })

  it('is authenticated by its signature', async () => {
    const body = failed(sign())
    await expectAcceptedTwice(() => receive('mailgun', body))
    expect(await mark()).toMatchObject({ status: '5.1.1', answer: '550 5.1.1 No such user' })
  })

  it('is refused with another key, an old time, or a reused signature', async () => {
    await expect(receive('mailgun', failed(sign('another')))).rejects.toMatchObject(refused)
    const old = String(seconds() - 2 * 86_400)
    await expect(receive('mailgun', failed(sign(secrets.mailgun, old)))).rejects.toMatchObject(refused)
    const used = sign()
    await receive('mailgun', failed(used, { event: 'opened' }))
    await expect(receive('mailgun', failed(used))).rejects.toMatchObject(refused)
    await expect(receive('mailgun', '{}')).rejects.toMatchObject(refused)
    expect(await mark()).toBeNull()
  })

  it('does not count a temporary failure that it retries; a complaint does not stop notices', async () => {
    await receive('mailgun', failed(sign(), { severity: 'temporary' }))
    expect(await mark()).toBeNull()
    await receive('mailgun', failed(sign(), { event: 'complained' }))
    expect(await mark()).toMatchObject({ complainedAt: services.now(), bouncedAt: null })
  })
})

it('a provider that is not configured is refused', async () => {
  const none = { messageToken: null, sesTopic: null, postmarkSecret: null, mailgunKey: null }
  const ctx = { ...services.as(visitor), settings: { ...services.settings, mailReports: none } }
  for (const provider of ['message', 'ses', 'postmark', 'mailgun'] as const)
    for (const body of [
      sns.notice({}),
      '{"signature":{"timestamp":"1","token":"xxxxxxxxxxxxxxxxxxxxx","signature":""}}',
    ])
      await expect(
        receiveMailReport(ctx, { provider, body, headers: { ...basicAuth('null'), authorization: 'Bearer null' } }),
      ).rejects.toMatchObject(refused)
})
