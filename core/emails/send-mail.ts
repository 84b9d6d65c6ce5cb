import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { type AddressMark, addressMark, markOwner, maySendAgain } from '../bounces/address-marks.rows.ts'
import { bounceAddresses } from '../bounces/bounce-addresses.ts'
import { bounceKind, statusOf } from '../bounces/bounce-kind.rules.ts'
import { isSameAddress, recordDeliveryEvent } from '../bounces/record-delivery-event.ts'
import type { AppContext } from '../context.ts'
import { awaitAll } from '../database.ts'
import { Postponed } from '../jobs/postponed.ts'
import { AppError } from '../kernel/errors.ts'
import { cutText } from '../kernel/text-format.ts'
import {
  type MailFault,
  type MailHeaders,
  mailFaults,
  type OutgoingMail,
  type RecipientOutcome,
} from '../ports/mailer.ts'
import { remindersStoppedAt } from '../readers/reminder-stops.rows.ts'
import { recordRefusedSender } from '../senders/record-refused-sender.ts'
import { senderOfPublisher } from '../senders/sender-of.query.ts'
import type { RowOf } from '../table.ts'
import { useCase } from '../use-case.ts'
import { compressBody, storeBody } from './email-bodies.rows.ts'
import { Emails } from './emails.rows.ts'
import { emails } from './emails.ts'
import type { Mail, MailRecipient } from './mail.ts'
import type { MailFrame } from './mail-frame.rules.ts'
import { takeSlot } from './mail-pace.rows.ts'
import { maskSecrets } from './mask-secrets.rules.ts'
import { acceptsMail } from './stop-emails.ts'

/**
 * The job: renders an email of the table and sends it, once however often it is requested. Returns false when it was sent before, and when the email no
 * longer applies or has no recipient. Throws the errors that the job engine expects: `declined` where the recipient's server refuses it permanently,
 * kinds that are retried for temporary faults, `Postponed` for a wait that does not count as an attempt. With `isLast` the row is set to `failed`
 * where this attempt is not accepted either.
 */
export const sendMail = useCase({
  permission: 'machine:operate',
  input: z.object({
    mail: z.string(),
    about: z.record(z.string(), z.union([z.string(), z.number()])),
    again: z.string().optional(),
    isLast: z.boolean().default(false),
    isUrgent: z.boolean().default(false),
  }),
  transaction: 'none',
  async run(ctx, input): Promise<boolean> {
    const mail = findMail(input.mail)
    if (!mail) throw new Error(`There is no email ${input.mail}`)
    const about = mail.about.safeParse(input.about)
    if (!about.success)
      throw new AppError('malformed', `The data for the email ${input.mail} is not valid`, { detail: about.error })
    const key = `${mail.key(about.data)}${input.again === undefined ? '' : `:again:${input.again}`}`
    const row = await Emails.find(ctx, { emailKey: key })
    // Checked before the email is rendered: rendering creates a new link and voids the user's older ones.
    if (row?.state === 'sent') return false
    const written = await mail.write(ctx, about.data, input.mail)
    const problem = await sendProblem(ctx, mail.kind, written)
    const request = { key, template: input.mail, about: input.about, row }
    if (!written || problem !== null) {
      await recordDropped(ctx, { ...request, written, problem })
      return false
    }
    const publisherId = await markOwner(ctx, written.recipient.publicationId)
    const recipient = await withoutBounced(ctx, publisherId, { recipient: written.recipient, row })
    const mark = await addressMark(ctx, { publisherId, address: recipient.to })
    const headers = written.view.stop ? stopHeaders(written.view.stop.url) : {}
    const outgoing = {
      ...request,
      kind: mail.kind,
      isLast: input.isLast,
      isUrgent: input.isUrgent,
      headers,
      ...written,
    }
    return sendOnce(ctx, { ...outgoing, mark, recipient })
  },
})

/** Why an email that is due is no longer sent; null if it is sent. */
export async function sendProblem(
  ctx: AppContext,
  kind: Mail['kind'],
  written: Awaited<ReturnType<Mail['write']>>,
): Promise<string | null> {
  if (written === null) return 'What it was about no longer applies'
  if (written.isOver) return 'Its last day has passed'
  const { to, publicationId } = written.recipient
  if (!(await mayBeSent(ctx, kind, written.recipient))) return 'Its reader does not accept such emails'
  if (kind === 'notice') return null
  const mark = await addressMark(ctx, { publisherId: await markOwner(ctx, publicationId), address: to })
  return mark?.complainedAt ? 'Its reader has reported such emails as spam' : null
}

interface MailRequest {
  key: string
  template: string
  about: Record<string, string | number>
  /** The row of an earlier attempt. */
  row: EmailRow | null
}

interface DroppedMail extends MailRequest {
  written: Awaited<ReturnType<Mail['write']>>
  problem: string | null
}

/** Records that an email is dropped, if it was tried before or is too late; any other dropped email leaves no row. */
async function recordDropped(ctx: AppContext, { row, written, problem, ...mailRequest }: DroppedMail): Promise<void> {
  const changes = { state: 'dropped', lastAnswer: problem, fault: null } as const
  if (row) await Emails.update(ctx, { id: row.id }, changes)
  else if (written?.isOver)
    await insertEmail(ctx, { ...mailRequest, ...written }, { ...changes, ...headerColumns(written.recipient, '') })
}

/** Whether an email may be sent: a notice goes to every recipient; reminders and offers go only to those who accept them at the time of sending. */
async function mayBeSent(
  ctx: AppContext,
  kind: Mail['kind'],
  { readerId, publicationId }: MailRecipient,
): Promise<boolean> {
  if (kind === 'notice') return true
  if (readerId == null || publicationId === undefined) return false
  // The series sends no offers either to readers who stopped its reminders.
  if (kind === 'offer' && (await remindersStoppedAt(ctx, { readerId, publicationId })) !== null) return false
  return acceptsMail(ctx, { readerId, publicationId, what: kind })
}

/**
 * Leaves out the copy address if emails to it bounce. If emails to the recipient bounce, the copy address gets the email alone, unless it already has
 * it from an earlier attempt. If emails to both bounce, or there is no copy, the recipient stays.
 */
export async function withoutBounced(
  ctx: AppContext,
  publisherId: number,
  { recipient, row }: { recipient: MailRecipient; row: EmailRow | null },
): Promise<MailRecipient> {
  const { cc, ...withoutCopy } = recipient
  if (cc === undefined) return recipient
  const bounces = async (address: string) => Boolean((await addressMark(ctx, { publisherId, address }))?.bouncedAt)
  if (await bounces(cc)) return withoutCopy
  const hasCopy = row?.settled?.some(({ address, fault }) => fault === null && isSameAddress(address, cc)) ?? false
  return !hasCopy && (await bounces(recipient.to)) ? { ...withoutCopy, to: cc } : recipient
}

/** The headers for the unsubscribe button of mail programs (RFC 8058): they send a POST, which needs no page. */
function stopHeaders(url: string): MailHeaders {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

/** An email of the table. An unknown name comes from a newer release: its job is retried until an upgraded worker takes it. */
export function findMail(name: string): Mail | null {
  return (Object.hasOwn(emails, name) && (emails as Record<string, Mail>)[name]) || null
}

type EmailRow = RowOf<typeof Emails>

interface WrittenMail extends MailRequest {
  kind: Mail['kind']
  view: MailFrame
  recipient: MailRecipient
  /** The mark of the recipient's address. */
  mark: AddressMark | null
  headers: MailHeaders
  isLast: boolean
  isUrgent: boolean
}

/**
 * Stores an email with its Message-ID before it is sent, and its outcome after. After a crash in between it is sent again under the same Message-ID.
 * Returns false when another process has sent it in the meantime.
 */
async function sendOnce(ctx: AppContext, mail: WrittenMail): Promise<boolean> {
  const { publicationId, orderId, readerId, buyerId, isToReader, ...addresses } = mail.recipient
  // Unless a user has asked to try the address again.
  if (mail.row?.state === 'refused' && mail.row.toAddress === addresses.to && !maySendAgain(mail.mark))
    throw failures.recipient(mail.row.lastAnswer ?? '')
  const content = await ctx.mail.render(mail.template, mail.view)
  if (mail.mark?.bouncedAt) return suppressForBounce(ctx, mail, { content, bounced: mail.mark })
  const row = await recordSending(ctx, mail, content.subject)
  if (row === null) return false
  const { appSecret, bounceMailbox } = ctx.settings
  const { isUrgent } = mail
  const wait = await takeSlot(ctx, { ...row, isUrgent })
  if (wait) return postpone(ctx, row, 'The sending rate is limited', wait)
  const sender = await senderOf(ctx, mail.kind, mail.recipient)
  const outcome = await ctx.mail.send({
    ...addresses,
    ...content,
    ...sender,
    headers: { ...mail.headers, ...postmarkMetadata(ctx, row.id) },
    isUrgent,
    messageId: row.messageId,
    envelope: {
      settled: (row.settled ?? []).map(({ address }) => address),
      ...(bounceMailbox === null ? {} : { from: bounceAddresses(appSecret, bounceMailbox).of(row.id) }),
    },
  })
  if ('heldUntil' in outcome) {
    const { heldUntil: until } = outcome
    return postpone(ctx, row, 'The mail server is not responding', { until, forLane: true, slotAt: row.slotAt })
  }
  if (outcome.ownSenderRefused !== undefined && sender.ownSender) {
    const refused = { address: sender.ownSender.address, answer: outcome.ownSenderRefused }
    await recordRefusedSender(ctx, { publisherId: await markOwner(ctx, publicationId), ...refused })
  }
  const { storefrontUrl } = mail.view
  const body = maskSecrets(content, { appUrl: ctx.settings.appUrl, storefrontUrl })
  return recordOutcome(ctx, { row, answers: outcome.answers, isLast: mail.isLast, body })
}

/**
 * Records that an email was not sent because emails to its address bounce. A notice must be sent: its job keeps the reason, and can be run
 * again. A reminder or an offer needs no action.
 */
async function suppressForBounce(
  ctx: AppContext,
  mail: WrittenMail,
  { content, bounced }: { content: { subject: string }; bounced: AddressMark },
): Promise<false> {
  const row = await recordSending(ctx, mail, content.subject)
  if (row === null) return false
  const { answer: lastAnswer } = bounced
  const attempts = row.attempts - 1
  await Emails.update(ctx, { id: row.id }, { state: 'suppressed', fault: 'bounced', lastAnswer, attempts })
  if (mail.kind !== 'notice') return false
  throw new AppError('declined', `The email was not sent: emails to its address bounce (${lastAnswer})`, {
    hint: mail.recipient.publicationId
      ? 'Correct the address, or choose “Try this address again” on the page of the email in the mail log'
      : 'Correct the address, or have it tried again: subscriptions emails try-address <address>',
  })
}

/** The email waits for its slot or for the mail server, which does not count as an attempt. */
async function postpone(
  ctx: AppContext,
  { id, attempts }: EmailRow,
  reason: string,
  { slotAt, ...wait }: { until: Date; forLane: boolean; slotAt: Date | null },
): Promise<never> {
  await Emails.update(ctx, { id }, { state: 'waiting', attempts: attempts - 1, slotAt })
  throw new Postponed(reason, wait)
}

/** The row of an email that is being sent now; null when it was sent already. */
async function recordSending(ctx: AppContext, mail: WrittenMail, subject: string): Promise<EmailRow | null> {
  const { to } = mail.recipient
  const values = { ...headerColumns(mail.recipient, subject), state: 'sending' as const }
  const inserted = mail.row ? null : await insertEmail(ctx, mail, { ...values, attempts: 1 })
  if (inserted) return inserted
  // Another process may have started the same email after this one checked.
  const row = mail.row ?? (await Emails.find(ctx, { emailKey: mail.key }))
  if (!row || row.state === 'sent') return null
  // The response for one address does not apply to another, nor does a refusal apply to an address that is tried again.
  const answers = row.toAddress === to ? row.settled : null
  const settled = row.state === 'refused' ? (answers?.filter(({ fault }) => fault === null) ?? null) : answers
  const changes = { ...values, settled, attempts: row.attempts + 1 }
  await Emails.update(ctx, { id: row.id }, changes)
  return { ...row, ...changes }
}

/**
 * The sender of an email, if it is another than the installation's address with the `fromName` of the recipient. Offers
 * have a separate sender, so that complaints about them do not affect the delivery of receipts. A publisher's own
 * sender is used in all its emails to readers.
 */
export async function senderOf(
  ctx: AppContext,
  kind: Mail['kind'],
  { publicationId, isToReader }: Pick<MailRecipient, 'publicationId' | 'isToReader'>,
): Promise<Pick<OutgoingMail, 'from' | 'ownSender' | 'replyTo'> & { fromName?: string }> {
  const { mailOffersFrom } = ctx.settings
  const offersSender = kind === 'offer' && mailOffersFrom !== null ? { from: mailOffersFrom } : {}
  const sender = isToReader ? await senderOfPublisher(ctx, await markOwner(ctx, publicationId)) : null
  if (!sender) return offersSender
  const { fromName, replyTo, own } = sender
  return { ...offersSender, ...(fromName && { fromName }), ...(replyTo && { replyTo }), ...(own && { ownSender: own }) }
}

/** Postmark sets its own sender address and Message-ID, and returns this header in its reports. */
function postmarkMetadata({ settings: { appSecret, mailReports } }: AppContext, emailId: number): MailHeaders {
  if (mailReports.postmarkSecret === null) return {}
  return { 'X-PM-Metadata-mail': bounceAddresses(appSecret, 'mail@localhost').of(emailId) }
}

/** The Message-ID, which is known only to those who have the email: a report that contains it is about this email. */
function messageIdOf({ settings: { appSecret, appUrl } }: AppContext, key: string): string {
  const signature = createHmac('sha256', appSecret).update(`message:${key}`).digest('hex').slice(0, 16)
  return `<${key.replaceAll(/[^\w]+/g, '.').slice(0, 100)}.${signature}@${new URL(appUrl).hostname}>`
}

/** The address and the subject of an email as its row stores them. */
function headerColumns({ to }: MailRecipient, subject: string) {
  const shortSubject = cutText(subject, 300)
  // One character may become two in lower case.
  const key = (text: string, limit: number) => cutText(text.toLowerCase(), limit)
  return { toAddress: to, subject: shortSubject, keyAddress: key(to, 254), keySubject: key(shortSubject, 300) }
}

/** Null where another process has written its row. */
function insertEmail(
  ctx: AppContext,
  { key: emailKey, template, about, recipient }: Pick<WrittenMail, 'key' | 'template' | 'about' | 'recipient'>,
  values: ReturnType<typeof headerColumns> & Pick<EmailRow, 'state'> & Partial<EmailRow>,
): Promise<EmailRow | null> {
  const { publicationId, orderId, readerId, buyerId } = recipient
  const messageId = messageIdOf(ctx, emailKey)
  return Emails.insertNew(ctx, {
    emailKey,
    template,
    about,
    publicationId,
    orderId,
    readerId,
    buyerId,
    messageId,
    ...values,
  })
}

interface SendOutcome {
  row: EmailRow
  answers: readonly RecipientOutcome[]
  isLast: boolean
  body: { html: string; text: string }
}

/**
 * Records the outcome for each address. The email is finished when no address may still accept it, or at its last attempt: it counts as sent if a
 * recipient's server, not only that of a copy address, has accepted it.
 */
async function recordOutcome(ctx: AppContext, { row, answers, isLast, body }: SendOutcome): Promise<true> {
  const settled = [...(row.settled ?? []), ...answers.filter(isSettled)]
  const hasRecipient = settled.some(({ isTo, fault }) => isTo && fault === null)
  // The copy is abandoned: the recipient's own answer may be from an earlier attempt.
  const isCopyAbandoned = isLast && hasRecipient
  const lastAnswer = responseText(isCopyAbandoned ? [...(row.settled ?? []), ...answers] : answers)
  const fault = mailFaults.findLast((kind) => answers.some((answer) => answer.fault === kind && !isSettled(answer)))
  if (fault && !isCopyAbandoned) {
    await Emails.update(ctx, { id: row.id }, { state: isLast ? 'failed' : 'waiting', lastAnswer, fault, settled })
    throw failures[fault](lastAnswer)
  }
  // Stores the outcome, with the body as it was sent.
  const finish = async (changes: Partial<EmailRow>, refused: readonly RecipientOutcome[]) => {
    const compressed = await compressBody(ctx, body)
    await ctx.db.transaction(async () => {
      await awaitAll(Emails.update(ctx, { id: row.id }, changes), storeBody(ctx, row.id, compressed))
      await recordRefused(ctx, row, refused)
    })
  }
  const isRefused = (answer: RecipientOutcome) => answer.fault === 'recipient'
  const storedAnswers = settled.length > 1 ? settled : null
  const refused = answers.filter(isRefused)
  if (settled.filter(({ isTo }) => isTo).every(isRefused)) {
    await finish({ state: 'refused', lastAnswer, fault: 'recipient', settled: storedAnswers }, refused)
    throw failures.recipient(lastAnswer)
  }
  await finish({ state: 'sent', sentAt: ctx.now(), lastAnswer, fault: null, settled: storedAnswers }, refused)
  return true
}

/** A refusal during the SMTP session counts as a bounce report. */
async function recordRefused(ctx: AppContext, row: EmailRow, refused: readonly RecipientOutcome[]): Promise<void> {
  for (const { address, isTo, answer } of refused) {
    const kind = bounceKind({ status: '', answer })
    const event = { key: `smtp:${row.id}:${row.attempts}:${address}`, kind, at: null, status: statusOf(answer), answer }
    await recordDeliveryEvent(ctx, { ...row, sentAt: null }, { ...event, address: isTo ? row.toAddress : address })
  }
}

/** Whether an address needs no further attempt: it has accepted the email, or never will. */
function isSettled({ fault }: RecipientOutcome): boolean {
  return fault === null || fault === 'recipient'
}

function responseText(answers: readonly RecipientOutcome[]): string {
  const [only, ...others] = answers
  const text =
    only && others.length === 0 ? only.answer : answers.map(({ address, answer }) => `${address}: ${answer}`).join('; ')
  return text.slice(0, 1000)
}

/** The error of each fault, for the job engine. Greylisting accepts an email after some minutes; a wrong configuration has to be corrected. */
const failures: Record<MailFault, (answer: string) => AppError> = {
  recipient: (answer) => new AppError('declined', `The recipient’s server refused the email: ${answer}`),
  later: (answer) =>
    new AppError('tooMany', `The mail server asked to try again later: ${answer}`, { retryAfterSeconds: 5 * 60 }),
  connection: (answer) => new AppError('upstream', `The mail server did not accept the email: ${answer}`),
  installation: (answer) =>
    new AppError('upstream', `The mail server does not let this installation send: ${answer}`, {
      hint: 'Check MAIL_URL and MAIL_FROM; for details, run subscriptions doctor',
      retryAfterSeconds: 10 * 60,
    }),
}
