import { domainToASCII } from 'node:url'
import nodemailer, { type SendMailOptions } from 'nodemailer'
import addressparser from 'nodemailer/lib/addressparser'
import type { DkimKey, MailHeaders, MailOutcome, OutgoingMail, RecipientOutcome } from '#core/ports/mailer.ts'
import { makeMailCircuitBreaker } from './mail-circuit-breaker.ts'
import { mailFaultOf, responseOf, type SmtpFailure } from './mail-faults.rules.ts'

/** The headers that a signature covers, if an email has them: with RFC 8058 both headers of one-click unsubscription. */
const signedHeaders =
  'From:Reply-To:To:Cc:Subject:Date:Message-ID:MIME-Version:Content-Type:Content-Transfer-Encoding:List-Unsubscribe:List-Unsubscribe-Post'

export interface TransportOptions {
  mailUrl: string
  mailFrom: string
  /** The number of pooled connections. */
  connections: number
  /** How long one email may take, from its connection to the server's acceptance. */
  timeoutMs: number
  dkim?: DkimKey | null
  now(): Date
}

interface MailTransport {
  send(mail: OutgoingMail): Promise<MailOutcome>
  close(): void
}

/** SMTP over a small connection pool. */
export function openMailTransport({
  mailUrl,
  mailFrom,
  connections,
  timeoutMs,
  dkim,
  now,
}: TransportOptions): MailTransport {
  const stepMs = Math.min(15_000, timeoutMs)
  const transport = nodemailer.createTransport({
    url: mailUrl,
    pool: true,
    maxConnections: connections,
    maxMessages: 200,
    // If the server ends the session midway, the job retries with its pauses.
    maxRequeues: 1,
    idleTimeout: 10_000,
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: timeoutMs,
    socketCloseTimeout: 1000,
    ...(dkim && { dkim: signedWith(dkim) }),
  } as Parameters<typeof nodemailer.createTransport>[0])
  const circuitBreaker = makeMailCircuitBreaker(now)
  const limited = semaphore(connections)

  /**
   * A mail server that does not relay mail from a publisher's address refuses the whole email, and its reply looks like a refusal of the
   * content. Sending the same email from the installation's address shows whether the sender is the cause: no email is lost, and no reader's
   * address is marked as bad because of it.
   */
  async function deliverWithFallbackSender(mail: OutgoingMail, recipients: readonly Recipient[]) {
    const publisherResult = await deliver(mail, recipients)
    if (!mail.ownSender || !publisherResult.isMailRefused) return { answers: publisherResult.answers }
    const { ownSender: _, ...fromInstallation } = mail
    const installationResult = await deliver(fromInstallation, recipients)
    if (installationResult.isMailRefused) return { answers: publisherResult.answers }
    const isAccepted = installationResult.answers.some(({ fault }) => fault === null)
    return {
      answers: installationResult.answers,
      ...(isAccepted && { ownSenderRefused: publisherResult.answers[0]?.answer ?? '' }),
    }
  }

  async function deliver(mail: OutgoingMail, recipients: readonly Recipient[]): Promise<DeliveryResult> {
    // No per-step timeout notices a server that sends one byte a second.
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const info = (await transport.sendMail({
        to: mail.to,
        cc: mail.cc,
        replyTo: mail.replyTo,
        subject: mail.subject,
        html: mail.html,
        text: mail.text,
        messageId: mail.messageId,
        headers: unfolded(mail.headers ?? {}),
        from: { name: mail.fromName, address: mail.ownSender?.address ?? mail.from ?? mailFrom },
        ...(mail.ownSender && { dkim: signedWith(mail.ownSender.dkim) }),
        envelope: { from: mail.envelope?.from ?? mail.from ?? mailFrom, to: recipients.map(({ address }) => address) },
        // No content is read from a file or a URL.
        disableFileAccess: true,
        disableUrlAccess: true,
        signal,
      } as SendMailOptions)) as unknown as SentInfo
      const accepted = { answer: info.response, fault: null }
      return { answers: answersOf(recipients, info.rejectedErrors ?? [], accepted), isMailRefused: false }
    } catch (thrown) {
      const failure = signal.aborted
        ? { code: 'ETIMEDOUT', message: `Not accepted within ${timeoutMs / 1000} seconds` }
        : (thrown as SmtpFailure & { rejectedErrors?: RejectedError[] })
      const rejected = 'rejectedErrors' in failure ? (failure.rejectedErrors ?? []) : []
      const fault = mailFaultOf(failure)
      return {
        answers: answersOf(recipients, rejected, { answer: responseOf(failure), fault }),
        isMailRefused: fault === 'recipient' && 'command' in failure && failure.command === 'DATA',
      }
    }
  }

  return {
    send: (mail) =>
      limited(async () => {
        const recipients = recipientsOf(mail)
        if (recipients.length === 0) return { answers: noAddress(mail) }
        const heldUntil = circuitBreaker.heldUntil()
        if (heldUntil) return { heldUntil }
        const { answers, ...sender } = await deliverWithFallbackSender(mail, recipients)
        circuitBreaker.note(answers.some(({ fault }) => fault === 'connection' || fault === 'installation'))
        return { answers, ...sender }
      }, mail.isUrgent),
    close: () => transport.close(),
  }
}

function signedWith({ domain, selector, privateKey }: DkimKey) {
  return { domainName: domain, keySelector: selector, privateKey, headerFieldNames: signedHeaders }
}

interface DeliveryResult {
  answers: RecipientOutcome[]
  /** Whether the server permanently refused the whole email after accepting sender and recipients. */
  isMailRefused: boolean
}

interface Recipient {
  address: string
  isTo: boolean
}

type RejectedError = SmtpFailure & { recipient: string }

interface SentInfo {
  response: string
  rejectedErrors?: RejectedError[]
}

/** Every address that the email still has to be sent to, once. */
function recipientsOf({ to, cc, envelope }: OutgoingMail): Recipient[] {
  const settled = new Set(envelope?.settled ?? [])
  const all = [
    ...addresses(to).map((address) => ({ address, isTo: true })),
    ...addresses(cc ?? '').map((address) => ({ address, isTo: false })),
  ]
  const seen = new Set<string>()
  return all.filter(({ address }) => !settled.has(address) && !seen.has(address) && seen.add(address))
}

/** The addresses of a header, as they are sent to a server: an international domain in ASCII. */
function addresses(header: string): string[] {
  return addressparser(header, { flatten: true })
    .map(({ address }) => {
      const at = address.lastIndexOf('@')
      const domain = domainToASCII(address.slice(at + 1))
      return at > 0 && domain !== '' ? `${address.slice(0, at)}@${domain}` : ''
    })
    .filter((address) => address !== '')
}

/** We refuse a text that is not an address before a server has to. */
function noAddress({ to }: OutgoingMail): RecipientOutcome[] {
  return [{ address: to, isTo: true, answer: 'This is not an email address', fault: 'recipient' }]
}

/** An answer for each address: its own if there is one, else the common one. */
function answersOf(
  recipients: readonly Recipient[],
  rejected: readonly RejectedError[],
  common: Pick<RecipientOutcome, 'answer' | 'fault'>,
): RecipientOutcome[] {
  const errors = new Map(rejected.map((error) => [error.recipient, error]))
  return recipients.map((recipient) => {
    const error = errors.get(recipient.address)
    return error ? { ...recipient, answer: responseOf(error), fault: mailFaultOf(error) } : { ...recipient, ...common }
  })
}

/** Headers that are sent unfolded on one line: a folded List-Unsubscribe breaks the DKIM signature of some servers. */
function unfolded(headers: MailHeaders): Record<string, { prepared: true; value: string }> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { prepared: true, value }]))
}

/**
 * A semaphore: lets `max` through concurrently, the others in order of arrival, urgent ones first. Waiting in the
 * pool would count towards the email's timeout.
 */
function semaphore(max: number): <T>(work: () => Promise<T>, isUrgent?: boolean) => Promise<T> {
  let free = max
  const urgent: (() => void)[] = []
  const others: (() => void)[] = []
  return async (work, isUrgent = false) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => (isUrgent ? urgent : others).push(resolve))
    try {
      return await work()
    } finally {
      const next = urgent.shift() ?? others.shift()
      if (next) next()
      else free++
    }
  }
}
