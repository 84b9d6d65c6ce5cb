import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { type AddressMark, addressMark, markOwner } from '../bounces/address-marks.rows.ts'
import { bounceAddresses } from '../bounces/bounce-addresses.ts'
import { bounceKind, statusOf } from '../bounces/bounce-kind.rules.ts'
import { noteDeliveryEvent } from '../bounces/note-delivery-event.ts'
import type { AppContext } from '../context.ts'
import { Postponed } from '../jobs/postponed.ts'
import { AppError } from '../kernel/errors.ts'
import { type AddressAnswer, type MailFault, type MailHeaders, mailFaults } from '../ports/mailer.ts'
import type { RowOf } from '../table.ts'
import { useCase } from '../use-case.ts'
import { Emails } from './emails.rows.ts'
import type { Mail, MailRecipient } from './mail.ts'
import { takeTurn } from './mail-pace.rows.ts'
import { mails } from './mails.ts'
import { isWanted } from './stop-mails.ts'

/**
 * The job: writes a mail of the table and sends it, once however often it is asked for. Gives false when it had gone before, and when
 * there is nothing to say, or nobody to say it to, any more. Throws what the job engine goes by: `declined` where the recipient's server
 * refuses it for good, kinds that are tried again for what may pass, `Postponed` for what was no try. With `isLast` the row says `failed`
 * where it is not taken this time either.
 */
export const sendMail = useCase({
  permission: 'machine:operate',
  input: z.object({ mail: z.string(), about: z.record(z.string(), z.unknown()), isLast: z.boolean().default(false) }),
  transaction: 'none',
  async run(ctx, input): Promise<boolean> {
    const mail = mailNamed(input.mail)
    const about = mail.about.safeParse(input.about)
    if (!about.success) throw new AppError('malformed', `No ${input.mail} is about this`, { detail: about.error })
    const key = mail.key(about.data)
    const row = await Emails.find(ctx, { emailKey: key })
    // Before it is written: a link is made anew each time, and the older ones of its user are void from then on.
    if (row?.state === 'sent') return false
    const written = await mail.write(ctx, about.data, input.mail)
    if (!written || !(await mayBeSent(ctx, mail.kind, written.recipient))) return false
    const publisherId = await markOwner(ctx, written.recipient.publicationId)
    const mark = await addressMark(ctx, { publisherId, address: written.recipient.to })
    if (mail.kind !== 'notice' && mark?.complainedAt) return false
    const headers = written.view.stop ? stopHeaders(written.view.stop.url) : {}
    const outgoing = { key, template: input.mail, kind: mail.kind, row, isLast: input.isLast, headers, ...written }
    return sendOnce(ctx, { ...outgoing, mark, recipient: await withoutBounced(ctx, publisherId, written.recipient) })
  },
})

/** A notice is owed to everybody; reminders and offers only go to those who take them, as it stands when the mail goes. */
async function mayBeSent(
  ctx: AppContext,
  kind: Mail['kind'],
  { readerId, publicationId }: MailRecipient,
): Promise<boolean> {
  if (kind === 'notice') return true
  if (readerId === undefined || publicationId === undefined) return false
  return isWanted(ctx, { readerId, publicationId, what: kind })
}

/** The copy goes where mail arrives; whom the mail is for is looked at apart. */
async function withoutBounced(ctx: AppContext, publisherId: number, recipient: MailRecipient): Promise<MailRecipient> {
  const { cc, ...others } = recipient
  if (cc === undefined) return recipient
  const mark = await addressMark(ctx, { publisherId, address: cc })
  return mark?.bouncedAt ? others : recipient
}

/** The button of mail programs that stops such mails with one press (RFC 8058): they send a POST, which needs no page. */
function stopHeaders(url: string): MailHeaders {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

/** A name that is not in the table is of a newer release: the job is tried again, by a worker that has been upgraded meanwhile. */
function mailNamed(name: string): Mail {
  const row = Object.hasOwn(mails, name) ? (mails as Record<string, Mail>)[name] : undefined
  if (!row) throw new Error(`There is no mail ${name}`)
  return row
}

type EmailRow = RowOf<typeof Emails>

interface WrittenMail {
  key: string
  template: string
  kind: Mail['kind']
  view: object
  recipient: MailRecipient
  /** What is known of the address it is for. */
  mark: AddressMark | null
  headers: MailHeaders
  /** Of an earlier try. */
  row: EmailRow | null
  isLast: boolean
}

/**
 * Writes a mail down with its Message-ID before it goes and what became of it after. A crash in between sends it again under the same
 * Message-ID. Gives false when another process has sent it meanwhile.
 */
async function sendOnce(ctx: AppContext, mail: WrittenMail): Promise<boolean> {
  const { publicationId, orderId, readerId, ...addresses } = mail.recipient
  // Somebody may have said that the address is to be tried again.
  if (mail.row?.state === 'refused' && mail.row.toAddress === addresses.to && !mail.mark?.resetAt)
    throw failures.recipient(mail.row.lastAnswer ?? '')
  const content = await ctx.mail.render(mail.template, mail.view)
  if (mail.mark?.bouncedAt) return holdBack(ctx, mail, { content, bounced: mail.mark })
  const row = await noteSending(ctx, mail, content.subject)
  if (row === null) return false
  const { appSecret, bounceMailbox } = ctx.settings
  const turn = await takeTurn(ctx, row)
  if (turn) return postpone(ctx, row, 'The pace of mails is limited', turn)
  const outcome = await ctx.mail.send({
    ...addresses,
    ...content,
    headers: { ...mail.headers, ...nameForPostmark(ctx, row.id) },
    messageId: row.messageId,
    envelope: {
      settled: (row.settled ?? []).map(({ address }) => address),
      ...(bounceMailbox === null ? {} : { from: bounceAddresses(appSecret, bounceMailbox).of(row.id) }),
    },
  })
  if ('heldUntil' in outcome) {
    const { heldUntil: until } = outcome
    return postpone(ctx, row, 'The mail server does not answer', { until, forLane: true, slotAt: row.slotAt })
  }
  return noteOutcome(ctx, { row, answers: outcome.answers, isLast: mail.isLast })
}

/**
 * Writes down that a mail was not sent since mail to its address comes back. A notice is owed: its job stands as failed, so that whoever owes
 * it sees it, and goes once the address is corrected. Nobody has to see to a reminder or an offer.
 */
async function holdBack(
  ctx: AppContext,
  mail: WrittenMail,
  { content, bounced }: { content: { subject: string }; bounced: AddressMark },
): Promise<false> {
  const row = await noteSending(ctx, mail, content.subject)
  if (row === null) return false
  const { answer: lastAnswer } = bounced
  const attempts = row.attempts - 1
  await Emails.update(ctx, { id: row.id }, { state: 'suppressed', fault: 'bounced', lastAnswer, attempts })
  if (mail.kind !== 'notice') return false
  throw new AppError('declined', `The mail was not sent: mail to its address comes back (${lastAnswer})`, {
    hint: 'Correct the address, or have it tried again on the page of its reader',
  })
}

/** This was no try: the mail waits until it is its turn. */
async function postpone(
  ctx: AppContext,
  { id, attempts }: EmailRow,
  why: string,
  { slotAt, ...when }: { until: Date; forLane: boolean; slotAt: Date | null },
): Promise<never> {
  await Emails.update(ctx, { id }, { state: 'waiting', attempts: attempts - 1, slotAt })
  throw new Postponed(why, when)
}

/** The row of a mail that is on its way now; null when it has gone. */
async function noteSending(ctx: AppContext, mail: WrittenMail, subject: string): Promise<EmailRow | null> {
  const { publicationId, orderId, to } = mail.recipient
  const values = {
    toAddress: to,
    subject: subject.slice(0, 300),
    state: 'sending' as const,
  }
  if (!mail.row) {
    const messageId = messageIdOf(ctx, mail.key)
    const { key: emailKey, template } = mail
    const made = await Emails.insertNew(ctx, {
      ...{ emailKey, template, publicationId, orderId, messageId, attempts: 1 },
      ...values,
    })
    if (made) return made
  }
  // Another process may have begun it after this one looked.
  const row = mail.row ?? (await Emails.find(ctx, { emailKey: mail.key }))
  if (!row || row.state === 'sent') return null
  // What one address said is not what another one would.
  const settled = row.toAddress === to ? row.settled : null
  const changes = { ...values, settled, attempts: row.attempts + 1 }
  await Emails.update(ctx, { id: row.id }, changes)
  return { ...row, ...changes }
}

/** Postmark sends mails from an address and under a Message-ID of its own, and hands this back with what it reports. */
function nameForPostmark({ settings: { appSecret, mailReports } }: AppContext, emailId: number): MailHeaders {
  if (mailReports.postmarkSecret === null) return {}
  return { 'X-PM-Metadata-mail': bounceAddresses(appSecret, 'mail@localhost').of(emailId) }
}

/** What names a mail to those who have it, and to nobody else: a report that knows it is about this mail. */
function messageIdOf({ settings: { appSecret, appUrl } }: AppContext, key: string): string {
  const signature = createHmac('sha256', appSecret).update(`message:${key}`).digest('hex').slice(0, 16)
  return `<${key.replaceAll(/[^\w]+/g, '.').slice(0, 100)}.${signature}@${new URL(appUrl).hostname}>`
}

interface Answered {
  row: EmailRow
  answers: readonly AddressAnswer[]
  isLast: boolean
}

/** Writes down what became of each address. It is over when none is left that may still take it: sent where one it is for has. */
async function noteOutcome(ctx: AppContext, { row, answers, isLast }: Answered): Promise<true> {
  const settled = [...(row.settled ?? []), ...answers.filter(isSettled)]
  const lastAnswer = wordsOf(answers)
  const fault = mailFaults.findLast((one) => answers.some((answer) => answer.fault === one && !isSettled(answer)))
  if (fault) {
    await Emails.update(ctx, { id: row.id }, { state: isLast ? 'failed' : 'waiting', lastAnswer, fault, settled })
    throw failures[fault](lastAnswer)
  }
  const isRefused = (answer: AddressAnswer) => answer.fault === 'recipient'
  const kept = settled.length > 1 ? settled : null
  const refused = answers.filter(isRefused)
  if (settled.filter(({ isTo }) => isTo).every(isRefused)) {
    await ctx.db.transaction(async () => {
      await Emails.update(ctx, { id: row.id }, { state: 'refused', lastAnswer, fault: 'recipient', settled: kept })
      await noteRefused(ctx, row, refused)
    })
    throw failures.recipient(lastAnswer)
  }
  if (refused.length > 0) await ctx.db.transaction(() => noteRefused(ctx, row, refused))
  await Emails.update(ctx, { id: row.id }, { state: 'sent', sentAt: ctx.now(), lastAnswer, fault: null, settled: kept })
  return true
}

/** What a server refuses while we speak to it is as good as a report of it. */
async function noteRefused(ctx: AppContext, row: EmailRow, refused: readonly AddressAnswer[]): Promise<void> {
  for (const { address, isTo, answer } of refused) {
    const kind = bounceKind({ status: '', answer })
    const event = { key: `smtp:${row.id}:${row.attempts}:${address}`, kind, at: null, status: statusOf(answer), answer }
    await noteDeliveryEvent(ctx, { ...row, sentAt: null }, { ...event, address: isTo ? row.toAddress : address })
  }
}

/** Whether an address is not sent to again: it has taken the mail, or never will. */
function isSettled({ fault }: AddressAnswer): boolean {
  return fault === null || fault === 'recipient'
}

function wordsOf(answers: readonly AddressAnswer[]): string {
  const [only, ...others] = answers
  const words =
    only && others.length === 0 ? only.answer : answers.map(({ address, answer }) => `${address}: ${answer}`).join('; ')
  return words.slice(0, 1000)
}

/** What the job engine makes of each fault. Greylisting lets a mail pass after some minutes; what is set up wrongly takes somebody to mend. */
const failures: Record<MailFault, (answer: string) => AppError> = {
  recipient: (answer) => new AppError('declined', `The recipient’s server refused the mail: ${answer}`),
  later: (answer) =>
    new AppError('tooMany', `The mail server asks to try later: ${answer}`, { retryAfterSeconds: 5 * 60 }),
  connection: (answer) => new AppError('upstream', `The mail server did not take the mail: ${answer}`),
  installation: (answer) =>
    new AppError('upstream', `The mail server does not let this installation send: ${answer}`, {
      hint: 'Check MAIL_URL and MAIL_FROM; subscriptions doctor says more',
      retryAfterSeconds: 10 * 60,
    }),
}
