import { EventEmitter } from 'node:events'
import { join } from 'node:path'
import type { Log, Services } from '#core/context.ts'
import { makeUploadFiles } from '#core/imports/upload-folder.ts'
import { countLines, exportLines } from '#core/reader-files/export-lines.ts'
import { makeAmazonNotices } from './amazon-notices.ts'
import { openBounceMailbox } from './bounce-mailbox.ts'
import { openDatabase } from './database/open-database.ts'
import { openPostcodeLoad } from './database/postcode-load.ts'
import type { Env } from './env.ts'
import { makeImageStore } from './images/image-store.ts'
import { openImageFiles } from './images/open-image-files.ts'
import { makeLikelyFinder } from './likely/make-likely-finder.ts'
import { makeLog } from './log.ts'
import { openMailDns } from './mail-dns.ts'
import { makeMailer } from './mailer.ts'
import { makePayeeCheck } from './payee-check.ts'
import { makePaymentGateways } from './payment-gateways.ts'
import { makePlanBilling } from './plan-billing.ts'
import { makePostcodeLookup } from './postcodes/make-postcode-lookup.ts'
import { processes } from './processes.ts'
import { projectRoot } from './project-root.ts'
import { makeJobQueue } from './queue/make-job-queue.ts'
import { makeRemoteFiles } from './remote-files.ts'
import { openTitleCopy } from './title-copy.ts'
import { makeWebhookSender } from './webhook-sender.ts'

export interface Running extends Services {
  /** Emits `enqueued` when a committed transaction queued a job. */
  events: EventEmitter
}

/**
 * Assembles the real ports for one process. `overrides`: a settable clock and a silent log for tests, and the size of SQLite's page cache for a
 * process that needs little of it.
 */
export async function makeServices(
  env: Env,
  overrides: { now?: () => Date; log?: Log; cacheKiB?: number } = {},
): Promise<Running> {
  const now = overrides.now ?? (() => new Date())
  const log = overrides.log ?? makeLog(env.logLevel)
  const events = new EventEmitter()
  const db = await openDatabase(env.databaseUrl, {
    ...overrides,
    connections: env.databaseConnections,
    tempFolder: join(env.dataDir, 'tmp'),
  })
  const services: Running = {
    db,
    events,
    jobs: makeJobQueue(db, now, () => events.emit('enqueued')),
    mail: makeMailer({
      templatesDir: join(projectRoot(), 'templates'),
      mailUrl: env.mailUrl,
      mailFrom: env.mailFrom,
      connections: env.mailConnections,
      timeoutMs: env.mailTimeoutSeconds * 1000,
      dkim: env.mailDkim,
      keepDir: join(env.dataDir, 'mail'),
      now,
    }),
    bounceMailbox: env.mailBouncesImap === null ? null : openBounceMailbox({ url: env.mailBouncesImap }),
    amazonNotices: makeAmazonNotices(env.snsBase),
    dns: openMailDns({ server: env.mailDns }),
    payments: makePaymentGateways(db, env, now),
    planBilling: makePlanBilling(db, env, now),
    readerFiles: {
      countLines: (plan) => countLines(db, plan),
      exportLines: (plan) => exportLines(db, plan),
    },
    uploadFiles: makeUploadFiles(env.dataDir),
    openPostcodeLoad: (fileId) => openPostcodeLoad(db, fileId),
    likelyReaders: makeLikelyFinder(db, env.dataDir),
    images: makeImageStore(openImageFiles(env)),
    payeeCheck: makePayeeCheck(env, log),
    postcodes: makePostcodeLookup(env.postcodeLookup, log),
    processes,
    webhooks: makeWebhookSender({ allowsLoopback: env.webhooksToLoopback }),
    remoteFiles: makeRemoteFiles({
      allowsLoopback: env.transfersToLoopback,
      stableMs: env.transferSettleSeconds * 1000,
    }),
    openTitleCopy: (publicationId, options) => openTitleCopy(services, publicationId, options),
    settings: {
      timeZone: env.timeZone,
      appUrl: env.appUrl,
      appSecret: env.appSecret,
      passwordMinLength: env.passwordMinLength,
      requireTwoStep: env.requireTwoStep,
      auditKeepDays: env.auditKeepDays,
      uploadMaxBytes: env.uploadMaxBytes,
      uploadWaitingFiles: env.uploadWaitingFiles,
      uploadWaitingBytes: env.uploadWaitingBytes,
      uploadFreeBytes: env.uploadFreeBytes,
      contactEmail: env.contactEmail,
      bounceMailbox: env.mailBounces,
      mailReports: env.mailReports,
      mailPace: env.mailPace,
      mailBodyDays: env.mailBodyDays,
      mailOffersFrom: env.mailOffersFrom,
      mailSpfInclude: env.mailSpfInclude,
      planSeller: env.planSeller,
      siteVideoUrl: env.siteVideoUrl,
      sitePromises: env.sitePromises,
      countryHeader: env.countryHeader,
      isProduction: env.isProduction,
      dataDir: env.dataDir,
    },
    log,
    now,
  }
  return services
}
