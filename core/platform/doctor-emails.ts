import { join } from 'node:path'
import type { Database } from '#core/database.ts'
import { formatUtc } from '#core/kernel/dates.ts'
import { spfTexts } from '#core/kernel/mail-records.rules.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { type Check, failed, messageOf, ok, warning } from './doctor-check.ts'
import { timeoutMs } from './doctor-services.ts'
import type { Env } from './env.ts'
import { openMailDns } from './mail-dns.ts'
import { lookUpMailDomain } from './mail-domain.ts'

/** Whether the mail server accepts mail, if there is one. */
export async function checkMail({ mailUrl, dataDir, isProduction }: Env): Promise<Check> {
  if (!mailUrl) {
    const devMailNotice = `no MAIL_URL: mail is kept in ${join(dataDir, 'mail')} and reaches nobody`
    return isProduction
      ? warning('Mail', devMailNotice, 'Set MAIL_URL, for example smtp://user:password@mail.example.com:587')
      : ok('Mail', devMailNotice)
  }
  const { default: nodemailer } = await import('nodemailer')
  const transport = nodemailer.createTransport(mailUrl, {})
  Object.assign(transport.options, {
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  })
  const { hostname, port } = new URL(mailUrl)
  const server = `${hostname}${port ? `:${port}` : ''}`
  try {
    await transport.verify()
    return ok('Mail', `${server} accepts mail`)
  } catch (error) {
    return failed(
      'Mail',
      `${server} does not accept mail: ${messageOf(error)}`,
      'Correct MAIL_URL or start the mail server',
    )
  } finally {
    transport.close()
  }
}

/** Whether the bounce mailbox can be read, if one is set up; null if none is. */
export async function checkBounceMailbox({ mailBouncesImap, mailBounces }: Env): Promise<Check | null> {
  const name = 'Bounces'
  if (mailBouncesImap === null) return null
  const { hostname } = new URL(mailBouncesImap)
  try {
    const { tryBounceMailbox } = await import('./bounce-mailbox.ts')
    const messages = await tryBounceMailbox({ url: mailBouncesImap, timeoutMs })
    const finding = `the mailbox at ${hostname} can be read, ${countOf(messages, 'message')} in it`
    return mailBounces
      ? ok(name, finding)
      : warning(
          name,
          `${finding}; bounced mail goes to MAIL_FROM`,
          'Set MAIL_BOUNCES to the address of that mailbox, so that each report names its email',
        )
  } catch (error) {
    const { responseText, authenticationFailed } = error as { responseText?: string; authenticationFailed?: boolean }
    const reason = authenticationFailed ? 'the user name or password is wrong' : (responseText ?? messageOf(error))
    return failed(
      name,
      `the mailbox at ${hostname} cannot be read: ${reason}`,
      'Correct MAIL_BOUNCES_IMAP: imaps://user:password@host/INBOX',
    )
  }
}

/** Longer than the five minutes between two readings, with enough margin that a slow one is not a fault. */
const readingMs = 30 * 60_000

/** When the bounce mailbox was read last, and its result; null if none is set up. */
export async function checkBounceReading(
  db: Database,
  { mailBouncesImap }: Pick<Env, 'mailBouncesImap'>,
  now: Date,
): Promise<Check | null> {
  if (mailBouncesImap === null) return null
  const label = 'Bounces read'
  const { bounceMailboxName } = await import('./bounce-mailbox.ts')
  const [row] = await db.query<{
    read_at: Date | null
    problem: string | null
    found_at: Date | null
    found_messages: number
    found_reports: number
  }>(`SELECT read_at, problem, found_at, found_messages, found_reports FROM bounce_mailboxes WHERE name = :name`, {
    name: bounceMailboxName(mailBouncesImap),
  })
  const startWorker = 'Start a worker: npm start, or the worker line of the Procfile. It reads every five minutes'
  if (!row) return warning(label, 'the mailbox has never been read', startWorker)
  const read = row.read_at ? `last read at ${formatUtc(new Date(row.read_at))} UTC` : 'never read without a problem'
  const lastArrived = row.found_at
    ? `${countOf(row.found_messages, 'message')} at ${formatUtc(new Date(row.found_at))} UTC, ${countOf(row.found_reports, 'report')} of undeliverable mail among them`
    : 'nothing has arrived yet'
  const finding = `${read}; ${row.found_at ? 'last arrived: ' : ''}${lastArrived}`
  if (row.problem !== null)
    return warning(
      label,
      `the last reading failed: ${row.problem}; ${finding}`,
      'Correct MAIL_BOUNCES_IMAP or the mailbox',
    )
  const isLate = row.read_at === null || new Date(row.read_at).getTime() < now.getTime() - readingMs
  return isLate ? warning(label, finding, startWorker) : ok(label, finding)
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/** The DNS records of MAIL_FROM's domain that receivers check; null if no email leaves the machine. */
export async function checkMailDomain(env: Env): Promise<Check | null> {
  return env.mailUrl ? checkSender(env, { name: 'Mail domain', mailFrom: env.mailFrom }) : null
}

/** The DNS check of MAIL_OFFERS_FROM, if it has a different domain. */
export async function checkOffersDomain(env: Env): Promise<Check | null> {
  const { mailUrl, mailFrom, mailOffersFrom } = env
  if (!mailUrl || mailOffersFrom === null || domainOf(mailOffersFrom) === domainOf(mailFrom)) return null
  return checkSender(env, { name: 'Offers domain', mailFrom: mailOffersFrom })
}

async function checkSender(
  { mailDkim, mailDns }: Env,
  { name, mailFrom }: { name: string; mailFrom: string },
): Promise<Check> {
  const domain = domainOf(mailFrom)
  if (!domain.includes('.'))
    return warning(
      name,
      `${mailFrom} is not an address that people can reply to`,
      'Set MAIL_FROM to an address at your domain',
    )
  try {
    const { spf, dmarc, dkim, problems } = await lookUpMailDomain({ domain, dkim: mailDkim, server: mailDns })
    if (problems.length > 0) return warning(name, problems.join('; '), 'Emails may be taken for spam until then')
    const signed = dkim === null ? 'signed by the mail server, if at all' : 'signed by us, its key is in DNS'
    return ok(name, `${domain}: SPF ${spf || 'without all'}, DMARC ${dmarc}, ${signed}`)
  } catch (error) {
    return warning(
      name,
      `DNS did not respond to the query for ${domain}: ${messageOf(error)}`,
      'Check DNS on this machine, or MAIL_DNS',
    )
  }
}

/** Whether the host that publishers are told to include in their SPF records has one; null if none is named. */
export async function checkSpfInclude({ mailUrl, mailSpfInclude, mailDns }: Env): Promise<Check | null> {
  if (!mailUrl || mailSpfInclude === null) return null
  const name = 'SPF include'
  try {
    const records = spfTexts(await openMailDns({ server: mailDns }).texts(mailSpfInclude))
    if (records.length === 1) return ok(name, `${mailSpfInclude} has the SPF record that publishers include`)
    return warning(
      name,
      `${mailSpfInclude} has ${records.length === 0 ? 'no SPF record' : 'several SPF records'}: the SPF records that include it do not count`,
      'Add one TXT record there that names your mail servers, or correct MAIL_SPF_INCLUDE',
    )
  } catch (error) {
    return warning(name, messageOf(error), 'Check DNS on this machine, or MAIL_DNS')
  }
}

interface PublisherSender {
  company: string
  address: string
  problems: readonly string[]
}

/** The result of the last DNS check of publishers' own sender addresses; empty if none has one. */
export async function checkPublisherSenders(result: Promise<readonly PublisherSender[]>): Promise<Check[]> {
  const senders = await result
  if (senders.length === 0) return []
  const failing = senders.filter(({ problems }) => problems.length > 0)
  if (failing.length === 0)
    return [ok('Senders', `${countOf(senders.length, 'publisher')} with their own address, all records found`)]
  const summary = failing
    .slice(0, maxSenders)
    .map(({ company, address, problems }) =>
      warning('Senders', `${address}${company ? ` of ${company}` : ''}: ${problems.join('; ')}`, whereToFix),
    )
  const unlisted = failing.length - summary.length
  return unlisted > 0
    ? [...summary, warning('Senders', `${countOf(unlisted, 'more publisher')} with something to fix`, whereToFix)]
    : summary
}

const whereToFix = 'The publisher finds the DNS records to add in Email templates, Sender address'
/** How many publishers are listed individually. */
const maxSenders = 20

/** Emails that wait for a setting to be corrected. A refusal by one recipient's server is not a fault of this installation. */
export async function checkEmails(db: Database): Promise<Check> {
  const rows = await db.query<{ state: string; fault: string | null; emails: number; newest: number }>(
    `SELECT state, fault, COUNT(*) AS emails, MAX(id) AS newest FROM emails
     WHERE state IN ('waiting', 'refused', 'failed') AND created_at >= :since GROUP BY state, fault`,
    { since: new Date(Date.now() - 7 * 86_400_000) },
  )
  const count = (state: string) =>
    rows.filter((row) => row.state === state).reduce((sum, { emails }) => sum + Number(emails), 0)
  const ours = rows.find(({ state, fault }) => state === 'waiting' && fault === 'installation')
  const finding = `${formatCount(count('waiting'))} waiting, ${formatCount(count('refused'))} refused by recipients’ servers in the last 7 days`
  if (ours) {
    const [last] = await db.query<{ last_answer: string | null }>(`SELECT last_answer FROM emails WHERE id = :id`, {
      id: ours.newest,
    })
    return failed(
      'Emails',
      `the mail server does not let this installation send, ${countOf(Number(ours.emails), 'email')} waiting: ${last?.last_answer}`,
      'Correct the user and password in MAIL_URL, or MAIL_FROM; the emails are then sent automatically',
    )
  }
  if (count('failed') > 0)
    return warning(
      'Emails',
      `${countOf(count('failed'), 'email')} given up after two days; ${finding}`,
      'subscriptions jobs list --state failed says why; then subscriptions jobs retry',
    )
  return ok('Emails', finding)
}
