import { z } from 'zod'
import { imageKinds } from '../images/image.rules.ts'

interface JobDefinition {
  /** Payloads carry ids, never records: the handler reads what is true when it runs. */
  payload: z.ZodType
  attempts: number
  /** Wait before the second try, in seconds; it doubles with each further try, up to an hour. */
  backoffSeconds: number
  /** A repeating job: one row per period, made by whichever process gets there first. */
  everyMinutes?: number
}

/** What a user is told by mail when it happened to their account. */
export const accountNotices = [
  'password-changed',
  'email-changed',
  'payee-keys-changed',
  'two-step-on',
  'two-step-off',
  'recovery-code-used',
] as const
export type AccountNotice = (typeof accountNotices)[number]

/** What a reader with an account is told by mail when it happened to the account or its renewals. */
export const buyerNotices = ['password-changed', 'renewal-off'] as const
export type BuyerNotice = (typeof buyerNotices)[number]

const BuyerMail = z.object({ buyerId: z.number().int(), key: z.string() })
const UploadTurn = z.object({ uploadId: z.number().int(), turn: z.number().int() })
const UserMail = z.object({ userId: z.number().int(), key: z.string() })

/** THE job table. A row here without a handler in worker/handlers does not compile. */
export const jobs = {
  'send-receipt': { payload: z.object({ orderId: z.number().int() }), attempts: 8, backoffSeconds: 15 },
  'send-order-notice': { payload: z.object({ orderId: z.number().int() }), attempts: 8, backoffSeconds: 15 },
  'send-gift-notice': { payload: z.object({ orderId: z.number().int() }), attempts: 8, backoffSeconds: 15 },
  'send-direct-debit-notice': { payload: z.object({ orderId: z.number().int() }), attempts: 8, backoffSeconds: 15 },
  /** To the buyer and to the publication, when a paid order was taken back. */
  'send-payment-failed': {
    payload: z.object({ orderId: z.number().int(), to: z.enum(['buyer', 'publication']) }),
    attempts: 8,
    backoffSeconds: 15,
  },
  /** `key` names one asking: the same link is never mailed twice, and asking again sends a new one. */
  'send-reset-link': { payload: UserMail, attempts: 6, backoffSeconds: 15 },
  'send-invitation': { payload: UserMail, attempts: 8, backoffSeconds: 15 },
  'send-account-notice': {
    // `to`: the address it goes to, where that is no longer the user's own (a changed e-mail is told to the old one too).
    payload: UserMail.extend({ kind: z.enum(accountNotices), to: z.string().optional() }),
    attempts: 8,
    backoffSeconds: 15,
  },
  'send-buyer-reset-link': { payload: BuyerMail, attempts: 6, backoffSeconds: 15 },
  'send-buyer-notice': {
    payload: BuyerMail.extend({ kind: z.enum(buyerNotices), agreementId: z.number().int().optional() }),
    attempts: 8,
    backoffSeconds: 15,
  },
  'send-welcome': { payload: z.object({ userId: z.number().int() }), attempts: 8, backoffSeconds: 15 },
  'send-contact-request': {
    payload: z.object({ contactRequestId: z.number().int() }),
    attempts: 8,
    backoffSeconds: 15,
  },
  'remove-image': {
    payload: z.object({ name: z.string(), kind: z.enum(imageKinds) }),
    attempts: 8,
    backoffSeconds: 60,
  },
  /** What a provider's message leaves: the provider is asked, and the order settled by its answer. */
  'settle-order': { payload: z.object({ orderId: z.number().int() }), attempts: 8, backoffSeconds: 15 },
  'settle-pending-orders': { payload: z.object({}), attempts: 1, backoffSeconds: 60, everyMinutes: 5 },
  'settle-signups': { payload: z.object({}), attempts: 1, backoffSeconds: 60, everyMinutes: 10 },
  /** Readers that are likely to be one: the search, all merges above a confidence, and the undo of such a run. */
  'find-likely': {
    payload: z.object({ publicationId: z.number().int(), searchId: z.number().int() }),
    attempts: 3,
    backoffSeconds: 60,
  },
  'merge-likely': { payload: z.object({ batchId: z.number().int() }), attempts: 3, backoffSeconds: 60 },
  'undo-merges': { payload: z.object({ batchId: z.number().int() }), attempts: 3, backoffSeconds: 60 },
  /** Uploads: the dry run before somebody confirms, the import itself, its undo. `turn`: what an earlier asking left does nothing. */
  'check-upload': { payload: UploadTurn, attempts: 5, backoffSeconds: 5 },
  'run-import': { payload: UploadTurn, attempts: 8, backoffSeconds: 15 },
  'undo-import': {
    payload: UploadTurn.extend({ userId: z.number().int().nullable() }),
    attempts: 8,
    backoffSeconds: 15,
  },
  /** What is put right automatically in a whole list of readers, and its undo. */
  'fix-readers': { payload: z.object({ fixId: z.number().int() }), attempts: 3, backoffSeconds: 60 },
  'import-postcodes': { payload: z.object({ fileId: z.number().int() }), attempts: 5, backoffSeconds: 15 },
  'clean-up': { payload: z.object({}), attempts: 1, backoffSeconds: 60, everyMinutes: 60 },
} as const satisfies Record<string, JobDefinition>

export type JobName = keyof typeof jobs
export type JobPayload<Name extends JobName> = z.output<(typeof jobs)[Name]['payload']>

export const jobNames = Object.keys(jobs) as JobName[]

/** When a job that failed its nth attempt is tried again. */
export function nextTry(name: JobName, attempt: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(jobs[name].backoffSeconds * 2 ** (attempt - 1), 3600) * 1000)
}
