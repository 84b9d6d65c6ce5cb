import type { Actor } from './access/actor.ts'
import type { Database } from './database.ts'
import type { JobQueue } from './jobs/job-queue.ts'
import type { SitePromise } from './kernel/site-promises.ts'
import type { ImageStore } from './ports/image-store.ts'
import type { LikelyFinder } from './ports/likely-finder.ts'
import type { MailDns } from './ports/mail-dns.ts'
import type { AmazonNotices, BounceMailbox } from './ports/mail-reports.ts'
import type { Mailer } from './ports/mailer.ts'
import type { PayeeCheck } from './ports/payee-check.ts'
import type { PaymentGateways } from './ports/payment-gateway.ts'
import type { PlanBilling } from './ports/plan-billing.ts'
import type { PostcodeLoad } from './ports/postcode-load.ts'
import type { PostcodeLookup } from './ports/postcode-lookup.ts'
import type { Processes } from './ports/processes.ts'
import type { ReaderFiles } from './ports/reader-files.ts'
import type { RemoteFiles } from './ports/remote-files.ts'
import type { UploadFiles } from './ports/upload-files.ts'
import type { WebhookSender } from './ports/webhook-sender.ts'

/** The settings that rules may depend on. Addresses of other systems stay in the platform. */
interface Settings {
  timeZone: string
  appUrl: string
  appSecret: string
  passwordMinLength: number
  /** Which staff types must use two-step log-in. */
  requireTwoStep: 'superuser' | 'all' | 'none'
  /** How many days the audit log is kept. */
  auditKeepDays: number
  /** The largest file that is accepted in a browser or by the API, in bytes. */
  uploadMaxBytes: number
  /** How many files of a publisher may wait to be imported, and their maximum size together in bytes. */
  uploadWaitingFiles: number
  uploadWaitingBytes: number
  /** How much of the disk uploads leave free, in bytes. */
  uploadFreeBytes: number
  /** The address that receives messages from the contact form. */
  contactEmail: string
  /** The mailbox that bounces are returned to; each email gets its own return address. Null: they are returned to the sender of all emails. */
  bounceMailbox: string | null
  /** The secrets that verify delivery reports sent by webhook; null: reports of that kind are not accepted. */
  mailReports: {
    messageToken: string | null
    sesTopic: string | null
    postmarkSecret: string | null
    mailgunKey: string | null
  }
  /** How many emails may be sent per minute, in all and to one recipient domain; null: no limit. */
  mailPace: { perMinute: number | null; perMinutePerDomain: number | null }
  /** The address that offers come from, so that complaints about them do not hurt receipts; null: the sender of all emails. */
  mailOffersFrom: string | null
  /** The SPF include that publishers' own domains need for our mail servers; null: none is required. */
  mailSpfInclude: string | null
  /** How many days the body of a sent email is kept; 0: not at all. */
  mailBodyDays: number
  /** Who bills publishers for their plans: a name, then the lines of an address. */
  planSeller: { lines: string[]; vatNumber: string | null }
  /** The video that the landing page shows; null: none. */
  siteVideoUrl: string | null
  /** The statements about this installation on the landing page. */
  sitePromises: readonly SitePromise[]
  /** The header in which a trusted proxy passes a visitor's country; null: none does. */
  countryHeader: string | null
  isProduction: boolean
  /** The folder for uploads, rejected rows and the like. */
  dataDir: string
}

export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The ports of the core: everything it needs from outside. `make-services` provides the real implementations. */
export interface Services {
  db: Database
  jobs: JobQueue
  mail: Mailer
  /** The mailbox that undeliverable emails are returned to; null where none is configured. */
  bounceMailbox: BounceMailbox | null
  amazonNotices: AmazonNotices
  dns: MailDns
  payments: PaymentGateways
  /** How publishers pay for their plan; null where that is not configured, so that sign-up is closed. */
  planBilling: PlanBilling | null
  readerFiles: ReaderFiles
  uploadFiles: UploadFiles
  openPostcodeLoad(fileId: number): Promise<PostcodeLoad>
  likelyReaders: LikelyFinder
  images: ImageStore
  payeeCheck: PayeeCheck
  /** The address lookup by postcode; null where addresses are entered manually. */
  postcodes: PostcodeLookup | null
  processes: Processes
  webhooks: WebhookSender
  /** Files on servers of publishers and mailing houses. */
  remoteFiles: RemoteFiles
  /** Copies one title into a separate database with its own clock, for simulations. */
  openTitleCopy(
    publicationId: number,
    options: { now: () => Date; signal?: AbortSignal | undefined },
  ): Promise<TitleCopy>
  settings: Settings
  log: Log
  now(): Date
}

/** A copy of one title: its services never touch the original database, a provider or a mail server. */
export interface TitleCopy {
  services: Services
  /** Deletes the copy. */
  close(): Promise<void>
}

/** Where a call came from, for the audit log: never a name or an address of a reader. */
export interface Origin {
  entryPoint: 'web' | 'api' | 'cli' | 'worker' | 'test'
  requestId?: string
  address?: string
  /** What the caller's browser or program calls itself. */
  userAgent?: string
  /** The two headers from which `detect-country.rules` derives the caller's country. */
  proxyCountry?: string
  acceptLanguage?: string
}

/** The context that every use case gets. */
export interface AppContext extends Services {
  actor: Actor
  origin: Origin
}

export function contextFor(services: Services, actor: Actor, origin: Origin): AppContext {
  return { ...services, actor, origin }
}
