import type { EnqueueOptions, JobQueue } from './job-queue.ts'

/**
 * What each email is about, by its name. The table of emails fills it in (core/emails/emails.ts), so that an area can enqueue an email, checked
 * by the compiler, without knowing how emails are written.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the table of emails adds its rows
export interface MailSubjects {}

/** Emails that a user is waiting for at a screen: they overtake all others, however many wait, and no rate limit delays them. */
const urgentEmails = ['reset-link', 'buyer-reset-link', 'invitation', 'card-link', 'sender-link'] as const

export function isUrgentMail(mail: string): boolean {
  return (urgentEmails as readonly string[]).includes(mail)
}

/** Enqueues an email for the worker, in the running transaction. `about` contains ids: the data of the email is read when it is written. */
export function enqueueMail<Name extends keyof MailSubjects & string>(
  { jobs }: { jobs: JobQueue },
  mail: Name,
  about: MailSubjects[Name],
  options: Omit<EnqueueOptions, 'isUrgent'> = {},
): Promise<void> {
  const payload = { mail, about: { ...(about as Record<string, string | number>) } }
  return jobs.enqueue('send-mail', payload, { ...options, isUrgent: isUrgentMail(mail) })
}

/** Enqueues a sent email again, under a separate key. */
export function enqueueMailAgain(
  { jobs }: { jobs: JobQueue },
  sent: { mail: string; about: Record<string, string | number>; again: string },
  options: Omit<EnqueueOptions, 'isUrgent'>,
): Promise<void> {
  return jobs.enqueue('send-mail', sent, options)
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
