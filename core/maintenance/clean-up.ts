import { z } from 'zod'
import { clearOldAudit } from '../audit/clear-old-audit.ts'
import { clearDeliveryEvents } from '../bounces/delivery-events.rows.ts'
import { clearWebhookTokens } from '../bounces/spent-webhook-tokens.rows.ts'
import { clearClaims } from '../buyers/account-claims.rows.ts'
import { clearContactRequests } from '../contact/contact-requests.rows.ts'
import { clearOldMerges } from '../duplicates/clear-old-merges.ts'
import { clearEmailsOfRemovedReaders } from '../emails/clear-emails-of-removed-readers.ts'
import { deleteExpiredBodies } from '../emails/email-bodies.rows.ts'
import { clearMailPace } from '../emails/mail-pace.rows.ts'
import { clearOldFixes } from '../fixes/clear-old-fixes.ts'
import { clearUnusedImages } from '../images/clear-unused-images.ts'
import { clearOldBackups } from '../imports/clear-old-backups.ts'
import { clearOldUploads } from '../imports/clear-old-uploads.ts'
import { clearJobs } from '../jobs/jobs.rows.ts'
import { clearAbandonedDrafts } from '../orders/clear-abandoned-drafts.ts'
import { clearGrants } from '../partners/app-grants.rows.ts'
import { clearPlanEvents } from '../plan-events/plan-events.rows.ts'
import { clearCachedAddresses } from '../postcodes/postcode-lookups.rows.ts'
import { clearPageViewSalts } from '../publications/page-view-salts.rows.ts'
import { clearRateLimits } from '../rate-limits/rate-limits.rows.ts'
import { clearSpentCaptchas } from '../rate-limits/spent-captchas.rows.ts'
import { clearLapsedMarketing } from '../readers/clear-lapsed-marketing.ts'
import { clearRemovedReaders } from '../readers/removed-readers.rows.ts'
import { clearOldRemovals } from '../removals/reader-removals.rows.ts'
import { clearLinks } from '../sessions/password-resets.rows.ts'
import { clearSessions } from '../sessions/sessions.rows.ts'
import { clearTransferLog } from '../transfers/clear-transfer-log.ts'
import { useCase } from '../use-case.ts'
import { clearDeliveries } from '../webhooks/webhook-deliveries.rows.ts'

const retentionDays = 7
/** How long a repeated message about a plan is recognised as such: providers retry for days, people manually for up to a month. */
const planEventDays = 90
/** How long webhook logs are kept. */
const webhookLogDays = 30
/** How long delivery reports of individual emails are kept; the marks of addresses are not deleted. */
const deliveryEventDays = 400

/**
 * Deletes what is no longer needed: jobs done a week ago, expired sessions and password links, expired rate limit counters, old audit rows, bodies of
 * emails, pictures that nothing shows, looked-up addresses, the salts of past days, readers removed too long ago to be restored, data that
 * imports replaced too long ago to be undone, the records of merges that can no longer be undone, the buyer's data in orders that were abandoned a
 * month ago, messages of the contact form after a year, logs of webhooks and transfers, and the marketing data of readers five years after their last
 * active use.
 */
export const cleanUp = useCase({
  permission: 'machine:operate',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{
    jobs: number
    sessions: number
    links: number
    limits: number
    images: number
    addresses: number
    salts: number
    captchas: number
    planEvents: number
    mailBodies: number
    readers: number
    backups: number
    uploads: number
    fixes: number
    contacts: number
    marketing: number
    merges: number
    transfers: number
    drafts: number
    audit: { rows: number; addresses: number }
  }> {
    const weekAgo = new Date(ctx.now().getTime() - retentionDays * 86_400_000)
    const jobs = await clearJobs(ctx, weekAgo)
    const sessions = await clearSessions(ctx, weekAgo)
    const links =
      (await clearLinks(ctx, weekAgo)) + (await clearClaims(ctx, weekAgo)) + (await clearGrants(ctx, weekAgo))
    const limits = await clearRateLimits(ctx)
    await clearMailPace(ctx)
    await clearDeliveryEvents(ctx, new Date(ctx.now().getTime() - deliveryEventDays * 86_400_000))
    await clearWebhookTokens(ctx, weekAgo)
    await clearDeliveries(ctx, new Date(ctx.now().getTime() - webhookLogDays * 86_400_000))
    const images = await clearUnusedImages(ctx)
    const addresses = await clearCachedAddresses(ctx)
    const salts = await clearPageViewSalts(ctx)
    const captchas = await clearSpentCaptchas(ctx)
    const planEvents = await clearPlanEvents(ctx, new Date(ctx.now().getTime() - planEventDays * 86_400_000))
    // One moment for all three: a reader that expired between two of them would be deleted without its emails.
    const at = ctx.now()
    const mailBodies = (await deleteExpiredBodies(ctx)) + (await clearEmailsOfRemovedReaders(ctx, at))
    const readers = await clearRemovedReaders(ctx, at)
    await clearOldRemovals(ctx, at)
    const backups = await clearOldBackups(ctx, at)
    const uploads = await clearOldUploads(ctx)
    const fixes = await clearOldFixes(ctx)
    const contacts = await clearContactRequests(ctx)
    const marketing = await clearLapsedMarketing(ctx)
    // After every step that decides whether the reader that a merge kept can still be restored.
    const merges = await clearOldMerges(ctx)
    const transfers = await clearTransferLog(ctx)
    const drafts = await clearAbandonedDrafts(ctx)
    const audit = await clearOldAudit(ctx)
    return {
      jobs,
      sessions,
      links,
      limits,
      images,
      addresses,
      salts,
      captchas,
      planEvents,
      mailBodies,
      readers,
      backups,
      uploads,
      fixes,
      contacts,
      marketing,
      merges,
      transfers,
      drafts,
      audit,
    }
  },
})
