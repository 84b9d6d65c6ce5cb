import type { EnqueueOptions, JobQueue } from './job-queue.ts'

/**
 * What each email is about, by its name. The table of emails fills it in (core/emails/emails.ts), so that an area can enqueue an email, checked
 * by the compiler, without knowing how emails are written.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the table of emails adds its rows
export interface MailSubjects {}

/** Emails that a user always waits for at a screen: each is sent on request. */
const urgentEmails: readonly string[] = [
  'reset-link',
  'buyer-reset-link',
  'claim-link',
  'invitation',
  'card-link',
  'sender-link',
]

/**
 * Enqueues an email for the worker, in the running transaction. `about` contains ids: the data of the email is read when it is written. An urgent
 * email overtakes all others, however many wait, and no rate limit delays it: the emails above, and any other with `isUrgent`, such as the receipt
 * of a buyer who is at the confirmation page, but not that of an automatic renewal.
 */
export function enqueueMail<Name extends keyof MailSubjects & string>(
  { jobs }: { jobs: JobQueue },
  mail: Name,
  about: MailSubjects[Name],
  options: EnqueueOptions = {},
): Promise<void> {
  const payload = { mail, about: { ...(about as Record<string, string | number>) } }
  return jobs.enqueue('send-mail', payload, { isUrgent: urgentEmails.includes(mail), ...options })
}

/** Enqueues a sent email again, under a separate key: urgent, since it is sent on request. */
export function enqueueMailAgain(
  { jobs }: { jobs: JobQueue },
  sent: { mail: string; about: Record<string, string | number>; again: string },
  options: EnqueueOptions,
): Promise<void> {
  return jobs.enqueue('send-mail', sent, { isUrgent: true, ...options })
}

/** Enqueues many emails of one kind together, each with its own key. */
export function enqueueEmails<Name extends keyof MailSubjects & string>(
  { jobs }: { jobs: JobQueue },
  mail: Name,
  emails: readonly { about: MailSubjects[Name]; dedupeKey: string; publisherId: number }[],
): Promise<void> {
  return jobs.enqueueMany(
    'send-mail',
    emails.map(({ about, ...options }) => ({
      payload: { mail, about: { ...(about as Record<string, string | number>) } },
      ...options,
    })),
  )
}
