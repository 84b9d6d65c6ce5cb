import { z } from 'zod'

interface JobDefinition {
  /** Payloads carry ids, never records: the handler reads the current data when it runs. */
  payload: z.ZodType
  attempts: number
  /** Wait before the second attempt, in seconds; it doubles with each further attempt, up to an hour or `maxBackoffSeconds`. */
  backoffSeconds: number
  maxBackoffSeconds?: number
  /** Recipients that refused it permanently are recorded in its own table: such a job counts as done, and is not listed as failed. */
  isDoneWhenDeclined?: boolean
  /** A repeating job: one row per period, inserted by whichever process is first. */
  everyMinutes?: number
}

/** The job table. A row here without a handler in worker/handlers does not compile. */
export const jobs = {
  /** An email of core/emails/emails.ts, enqueued by `enqueueMail`. `about` identifies its subject: ids, and short texts such as a kind or a key. */
  'send-mail': {
    payload: z.object({
      mail: z.string(),
      about: z.record(z.string(), z.union([z.number().int(), z.string()])),
      // Identifies one request to send it again.
      again: z.string().optional(),
    }),
    // Two days of attempts: a server that is down overnight, or greylists for hours, loses no email.
    attempts: 22,
    backoffSeconds: 15,
    maxBackoffSeconds: 4 * 3600,
    isDoneWhenDeclined: true,
  },
  /** Reads the bounce mailbox, where one is set up. */
  'read-bounces': { payload: z.object({}), attempts: 1, backoffSeconds: 60, everyMinutes: 5 },
  /** Checks whether publishers' own sender addresses still have their records in DNS. */
  'check-senders': { payload: z.object({}), attempts: 1, backoffSeconds: 60, everyMinutes: 60 },
  'remove-image': {
    // The kinds of `images/image.rules`, repeated because the job table imports from no area. Enqueuing a job with another kind does not compile.
    payload: z.object({ name: z.string(), kind: z.enum(['cover', 'logo']) }),
    attempts: 8,
    backoffSeconds: 60,
  },
  /** Enqueued by a provider's webhook: the provider is queried, and the order settled by its response. */
  'settle-order': { payload: z.object({ orderId: z.number().int() }), attempts: 8, backoffSeconds: 15 },
  /** Enqueued by a provider's webhook about a card or a mandate: the provider is queried for its state. */
  'refresh-agreement': { payload: z.object({ agreementId: z.number().int() }), attempts: 8, backoffSeconds: 15 },
  'settle-pending-orders': { payload: z.object({}), attempts: 1, backoffSeconds: 60, everyMinutes: 5 },
  'settle-refunds': { payload: z.object({}), attempts: 1, backoffSeconds: 60, everyMinutes: 5 },
  /** Plans and announces upcoming renewals, and warns readers of cards that expire and grace periods that end. */
  'plan-renewals': { payload: z.object({}), attempts: 3, backoffSeconds: 300, everyMinutes: 60 },
  /** Plans the emails to readers before and after the end of a subscription that does not renew automatically. */
  'plan-efforts': { payload: z.object({}), attempts: 3, backoffSeconds: 300, everyMinutes: 60 },
  /** Notifies webhooks of the subscriptions whose last day has passed. */
  'note-ended-subscriptions': { payload: z.object({}), attempts: 3, backoffSeconds: 300, everyMinutes: 60 },
  /** Starts the transfers of files that are due at this time of day. */
  'start-transfers': { payload: z.object({}), attempts: 1, backoffSeconds: 60, everyMinutes: 5 },
  'charge-renewals': { payload: z.object({}), attempts: 1, backoffSeconds: 60, everyMinutes: 5 },
  /** Updates the stored totals of orders for the day, before a page of the ledger has to. */
  'refresh-order-sums': { payload: z.object({}), attempts: 1, backoffSeconds: 60, everyMinutes: 15 },
  /** Reminders of overdue invoices: one row a day. */
  'remind-invoices': { payload: z.object({}), attempts: 3, backoffSeconds: 300, everyMinutes: 24 * 60 },
  /** Counts the data health of every publication, and in the first run of a week enqueues the digests. */
  'note-data-health': { payload: z.object({}), attempts: 3, backoffSeconds: 300, everyMinutes: 24 * 60 },
  /** Enqueued by a webhook about a publisher's plan: a row of core/plan-events/plan-event-steps.ts handles it. */
  'handle-plan-event': { payload: z.object({ eventId: z.number().int() }), attempts: 8, backoffSeconds: 15 },
  /** Queries the provider for the state of one publisher's plan. */
  'refresh-plan': { payload: z.object({ publisherId: z.number().int() }), attempts: 8, backoffSeconds: 15 },
  /** Refreshes all plans that have not been checked for a long time, and enqueues the emails about unpaid ones. */
  'refresh-plans': { payload: z.object({}), attempts: 1, backoffSeconds: 60, everyMinutes: 30 },
  /** Enqueued when a publisher's country changes: it is the country of readers whose own is blank. */
  'rekey-home-readers': { payload: z.object({ publisherId: z.number().int() }), attempts: 8, backoffSeconds: 15 },
  'settle-signups': { payload: z.object({}), attempts: 1, backoffSeconds: 60, everyMinutes: 10 },
  /** Long work (core/tasks): a task counts its own attempts, so its job only runs it. */
  'run-task': {
    payload: z.object({ taskId: z.number().int(), token: z.number().int() }),
    attempts: 8,
    backoffSeconds: 15,
  },
  'sweep-tasks': { payload: z.object({}), attempts: 1, backoffSeconds: 60, everyMinutes: 1 },
  'clean-up': { payload: z.object({}), attempts: 1, backoffSeconds: 60, everyMinutes: 60 },
  /** Statistics for SQLite's query planner. */
  'analyse-indexes': { payload: z.object({}), attempts: 1, backoffSeconds: 60, everyMinutes: 24 * 60 },
} as const satisfies Record<string, JobDefinition>

export type JobName = keyof typeof jobs
export type JobPayload<Name extends JobName> = z.output<(typeof jobs)[Name]['payload']>

/**
 * A job of a later or an earlier release. It is retried for a day, so that during a rolling upgrade a process that knows the job can take it.
 */
const unknownJob: JobDefinition = { payload: z.unknown(), attempts: 30, backoffSeconds: 60 }

/** The definition of a row's job, whose name may be one that this release does not know. */
export function jobDefinition(name: string): JobDefinition {
  return Object.hasOwn(jobs, name) ? jobs[name as JobName] : unknownJob
}

/** Whether a declined job counts as done. */
export function isDoneWhenDeclined(name: JobName): boolean {
  return jobDefinition(name).isDoneWhenDeclined ?? false
}

export const jobNames = Object.keys(jobs) as JobName[]

/** When a job that failed its nth attempt is tried again: after its backoff, or later where the failure named a minimum wait. */
export function nextTry(name: JobName, attempt: number, now: Date, minSeconds = 0): Date {
  const { backoffSeconds, maxBackoffSeconds = 3600 } = jobDefinition(name)
  const seconds = Math.min(backoffSeconds * 2 ** (attempt - 1), maxBackoffSeconds)
  return new Date(now.getTime() + Math.max(seconds, minSeconds) * 1000)
}
