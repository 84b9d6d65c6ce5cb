import { createHash, createHmac, createVerify } from 'node:crypto'
import { z } from 'zod'
import { sameText } from '../access/tokens.ts'
import type { AppContext } from '../context.ts'
import { jsonOrNull } from '../kernel/json-or-null.ts'
import { bounceKind, statusOf } from './bounce-kind.rules.ts'
import type { DeliveryEvent, DeliveryKind } from './delivery-event.ts'
import { readReport } from './read-report.ts'

/** A request to our webhook, before anything in it is verified. */
interface ProviderMessage {
  body: string
  headers: Record<string, string>
}

/** What is accepted from a message that has proved its origin. */
interface VerifiedMessage {
  events: DeliveryEvent[]
  /** The message that this one-time proof was issued for; the same proof for any other message is a replay. */
  once?: { token: string; about: string }
}

interface MailProvider {
  /** The display name. */
  name: string
  /** The setting that is required to accept its messages. */
  setting: string
  /** What a message says; null where it does not prove that it comes from the provider. */
  read(ctx: AppContext, message: ProviderMessage): Promise<VerifiedMessage | null>
}

/** The table of the providers that report the delivery of emails by webhook: `/api/webhooks/mail/<key>`. */
export const mailProviders = {
  message: { name: 'a mail server', setting: 'MAIL_BOUNCES_TOKEN', read: readRawMessage },
  ses: { name: 'Amazon SES', setting: 'MAIL_SES_TOPIC', read: readAmazon },
  postmark: { name: 'Postmark', setting: 'MAIL_POSTMARK_SECRET', read: readPostmark },
  mailgun: { name: 'Mailgun', setting: 'MAIL_MAILGUN_SIGNING_KEY', read: readMailgun },
} satisfies Record<string, MailProvider>

type MailProviderKey = keyof typeof mailProviders
export const mailProviderKeys = Object.keys(mailProviders) as [MailProviderKey, ...MailProviderKey[]]

/** A raw message from a mail server's pipe or forwarding rule, with `Authorization: Bearer <MAIL_BOUNCES_TOKEN>`. */
async function readRawMessage(
  { settings }: AppContext,
  { body, headers }: ProviderMessage,
): Promise<VerifiedMessage | null> {
  if (!hasSecret(headers, settings.mailReports.messageToken)) return null
  return { events: (await readReport(body)) ?? [] }
}

/** The secret as a bearer token, or as the password of an address such as `https://any:secret@host/...`. */
function hasSecret({ authorization = '' }: Record<string, string>, secret: string | null): boolean {
  if (secret === null) return false
  const [, scheme = '', credentials = ''] = /^(bearer|basic)\s+(\S+)\s*$/i.exec(authorization) ?? []
  if (scheme.toLowerCase() !== 'basic') return credentials !== '' && sameText(credentials, secret)
  const pair = Buffer.from(credentials, 'base64').toString('utf8')
  return sameText(pair.slice(pair.indexOf(':') + 1), secret)
}

const text = z.string().catch('')
const optionalText = z.string().nullish().catch(null)
const moment = z.coerce.date().nullable().catch(null)

/** An authenticated body of an unknown format is ignored. */
function parsed<Schema extends z.ZodType>(schema: Schema, json: unknown): z.output<Schema> | null {
  const result = schema.safeParse(json)
  return result.success ? result.data : null
}

const inAngleBrackets = (id: string | null | undefined) => (id ? [id.startsWith('<') ? id : `<${id}>`] : [])

// Amazon SES, whose notices arrive through Amazon SNS.

const Notice = z.object({
  Type: z.enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
  MessageId: z.string(),
  TopicArn: z.string(),
  Message: z.string(),
  Timestamp: z.string(),
  SignatureVersion: z.enum(['1', '2']),
  Signature: z.string(),
  SigningCertURL: z.string(),
  Subject: z.string().optional(),
  SubscribeURL: z.string().optional(),
  Token: z.string().optional(),
})
type Notice = z.output<typeof Notice>

/** Amazon signs notices of anyone's topics: ours is named in the settings, and all others are ignored. */
async function readAmazon(
  { settings, amazonNotices }: AppContext,
  { body }: ProviderMessage,
): Promise<VerifiedMessage | null> {
  const notice = parsed(Notice, jsonOrNull(body))
  const { sesTopic } = settings.mailReports
  if (!notice || sesTopic === null || notice.TopicArn !== sesTopic) return null
  const certificate = await amazonNotices.certificate(notice.SigningCertURL)
  if (certificate === null || !isSignedBy(notice, certificate)) return null
  if (notice.Type === 'SubscriptionConfirmation') await amazonNotices.confirm(notice.SubscribeURL ?? '')
  return { events: notice.Type === 'Notification' ? amazonEvents(jsonOrNull(notice.Message), notice.MessageId) : [] }
}

function isSignedBy(notice: Notice, certificate: string): boolean {
  const names =
    notice.Type === 'Notification'
      ? (['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'] as const)
      : (['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'] as const)
  const signed = names.flatMap((name) => (notice[name] === undefined ? [] : [`${name}\n${notice[name]}\n`])).join('')
  try {
    const verify = createVerify(notice.SignatureVersion === '2' ? 'RSA-SHA256' : 'RSA-SHA1').update(signed, 'utf8')
    return verify.verify(certificate, notice.Signature, 'base64')
  } catch {
    return false
  }
}

const AmazonMail = z.object({
  source: text,
  commonHeaders: z.object({ messageId: optionalText }).nullish().catch(null),
  headers: z.array(z.object({ name: text, value: text })).catch([]),
})
const AmazonPayload = z.object({
  notificationType: optionalText,
  eventType: optionalText,
  mail: AmazonMail,
  bounce: z
    .object({
      bounceType: text,
      bounceSubType: text,
      bouncedRecipients: z.array(z.object({ emailAddress: text, status: text, diagnosticCode: text })),
      timestamp: moment,
    })
    .nullish()
    .catch(null),
  complaint: z
    .object({
      complainedRecipients: z.array(z.object({ emailAddress: text })),
      complaintFeedbackType: optionalText,
      timestamp: moment,
    })
    .nullish()
    .catch(null),
  delivery: z
    .object({ recipients: z.array(z.string()), smtpResponse: text, timestamp: moment })
    .nullish()
    .catch(null),
})

function amazonEvents(json: unknown, noticeId: string): DeliveryEvent[] {
  const payload = parsed(AmazonPayload, json)
  if (!payload) return []
  const { bounce, complaint, delivery } = payload
  const ids = payload.mail.headers.filter(({ name }) => name.toLowerCase() === 'message-id').map(({ value }) => value)
  const mail = {
    addresses: [payload.mail.source],
    messageIds: [...ids.flatMap(inAngleBrackets), ...inAngleBrackets(payload.mail.commonHeaders?.messageId)],
  }
  const event = (index: number, kind: DeliveryKind, recipient: string, at: Date | null, status = '', answer = '') => ({
    key: `ses:${noticeId}:${index}`,
    kind,
    recipient,
    mail,
    at,
    status,
    answer,
  })
  switch (payload.notificationType ?? payload.eventType) {
    case 'Bounce':
      return (bounce?.bouncedRecipients ?? []).map(({ emailAddress, status, diagnosticCode }, index) => {
        const diagnostic =
          diagnosticCode.replace(/^[\w-]+\s*;\s*/, '') || `${bounce?.bounceType} ${bounce?.bounceSubType}`
        const kind = amazonKind(bounce?.bounceType ?? '', bounce?.bounceSubType ?? '', { status, answer: diagnostic })
        return event(index, kind, emailAddress, bounce?.timestamp ?? null, statusOf(status, diagnostic), diagnostic)
      })
    case 'Complaint':
      if (complaint?.complaintFeedbackType === 'not-spam') return []
      return (complaint?.complainedRecipients ?? []).map(({ emailAddress }, index) =>
        event(index, 'complaint', emailAddress, complaint?.timestamp ?? null, '', 'Reported as spam'),
      )
    case 'Delivery':
      return (delivery?.recipients ?? []).map((address, index) =>
        event(index, 'delivered', address, delivery?.timestamp ?? null, '', delivery?.smtpResponse),
      )
    default:
      return []
  }
}

function amazonKind(type: string, subType: string, answer: { status: string; answer: string }): DeliveryKind {
  if (type === 'Permanent') return subType.startsWith('ContentRejected') ? 'blocked' : 'hard'
  if (/ContentRejected|AttachmentRejected|MessageTooLarge/.test(subType)) return 'blocked'
  return type === 'Undetermined' ? bounceKind(answer) : 'soft'
}

// Postmark.

const PostmarkPayload = z.object({
  RecordType: text,
  ID: z.union([z.number(), z.string()]).nullish().catch(null),
  MessageID: text,
  Type: text,
  Email: text,
  Recipient: text,
  Details: text,
  Description: text,
  BouncedAt: moment,
  DeliveredAt: moment,
  Metadata: z.record(z.string(), z.unknown()).nullish().catch(null),
})

/** What each of Postmark's kinds of bounces means; the others (out-of-office replies, delayed emails) are ignored. */
const postmarkKinds: Record<string, DeliveryKind> = {
  HardBounce: 'hard',
  BadEmailAddress: 'hard',
  ManuallyDeactivated: 'hard',
  SoftBounce: 'soft',
  DnsError: 'soft',
  Undeliverable: 'soft',
  Blocked: 'blocked',
  SpamNotification: 'blocked',
  DMARCPolicy: 'blocked',
  VirusNotification: 'blocked',
  SpamComplaint: 'complaint',
}

/** The email is identified by its header `X-PM-Metadata-mail`, since Postmark sets its own sender address and Message-ID. */
async function readPostmark(
  { settings }: AppContext,
  { body, headers }: ProviderMessage,
): Promise<VerifiedMessage | null> {
  if (!hasSecret(headers, settings.mailReports.postmarkSecret)) return null
  const payload = parsed(PostmarkPayload, jsonOrNull(body))
  if (!payload) return { events: [] }
  const kind: DeliveryKind | undefined = {
    Bounce: postmarkKinds[payload.Type],
    SpamComplaint: 'complaint' as const,
    Delivery: 'delivered' as const,
  }[payload.RecordType]
  if (!kind) return { events: [] }
  const senderAddress = payload.Metadata?.mail
  const diagnostic = [payload.Description, payload.Details].filter(Boolean).join(' ')
  const event: DeliveryEvent = {
    key: `postmark:${payload.RecordType}:${payload.ID ?? `${payload.MessageID}:${payload.Recipient || payload.Email}`}`,
    kind,
    recipient: payload.Email || payload.Recipient || null,
    mail: { addresses: typeof senderAddress === 'string' ? [senderAddress] : [], messageIds: [] },
    at: payload.BouncedAt ?? payload.DeliveredAt,
    status: statusOf(payload.Details),
    answer: kind === 'complaint' ? 'Reported as spam' : payload.Details || diagnostic,
  }
  return { events: [event] }
}

// Mailgun.

const MailgunPayload = z.object({
  signature: z.object({
    timestamp: z.coerce.string().regex(/^\d{1,12}$/),
    token: z.string().min(20).max(100),
    signature: z.string(),
  }),
  'event-data': z.object({
    id: text,
    event: text,
    severity: optionalText,
    reason: optionalText,
    recipient: text,
    timestamp: z.number().nullable().catch(null),
    message: z
      .object({ headers: z.object({ 'message-id': optionalText }).nullish().catch(null) })
      .nullish()
      .catch(null),
    envelope: z.object({ sender: optionalText }).nullish().catch(null),
    'delivery-status': z
      .object({
        code: z.coerce.string().nullish().catch(null),
        message: optionalText,
        description: optionalText,
        'enhanced-code': optionalText,
      })
      .nullish()
      .catch(null),
  }),
})

/** Mailgun retries a webhook for eight hours; it no longer sends events older than a day. */
const mailgunSeconds = 24 * 3600

/** Its signature does not cover the message: each signature is accepted once, for one message. */
async function readMailgun(ctx: AppContext, { body }: ProviderMessage): Promise<VerifiedMessage | null> {
  const key = ctx.settings.mailReports.mailgunKey
  const payload = parsed(MailgunPayload, jsonOrNull(body))
  if (key === null || !payload) return null
  const { timestamp, token, signature } = payload.signature
  const expectedSignature = createHmac('sha256', key).update(`${timestamp}${token}`).digest('hex')
  if (!sameText(signature, expectedSignature)) return null
  if (Math.abs(ctx.now().getTime() / 1000 - Number(timestamp)) > mailgunSeconds) return null
  const about = createHash('sha256').update(body).digest('hex')
  const event = mailgunEvent(payload['event-data'])
  return { events: event ? [event] : [], once: { token, about } }
}

function mailgunEvent(data: z.output<typeof MailgunPayload>['event-data']): DeliveryEvent | null {
  const { code, message, description, 'enhanced-code': enhanced } = data['delivery-status'] ?? {}
  const diagnostic = [code, message || description].filter(Boolean).join(' ')
  const status = statusOf(enhanced ?? '', diagnostic)
  const kind = mailgunKind(data, { status, answer: diagnostic })
  if (!kind) return null
  return {
    key: `mailgun:${data.id}`,
    kind,
    recipient: data.recipient || null,
    status,
    mail: {
      addresses: data.envelope?.sender ? [data.envelope.sender] : [],
      messageIds: inAngleBrackets(data.message?.headers?.['message-id']),
    },
    at: data.timestamp === null ? null : new Date(data.timestamp * 1000),
    answer: kind === 'complaint' ? 'Reported as spam' : diagnostic,
  }
}

function mailgunKind(
  { event, severity, reason }: z.output<typeof MailgunPayload>['event-data'],
  answer: { status: string; answer: string },
): DeliveryKind | null {
  if (event === 'delivered') return 'delivered'
  if (event === 'complained') return 'complaint'
  // Mailgun retries after a temporary failure.
  if (event !== 'failed' || severity !== 'permanent') return null
  if (reason === 'suppress-complaint' || reason === 'suppress-unsubscribe') return 'blocked'
  if (reason === 'suppress-bounce') return 'hard'
  return reason === 'old' ? 'soft' : bounceKind(answer)
}
