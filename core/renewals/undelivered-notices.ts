import { noticeOf, priceStep, type UpcomingCharge } from '../agreements/notice-days.rules.ts'
import { PaymentAgreements } from '../agreements/payment-agreements.rows.ts'
import type { RenewalScope } from '../agreements/renewal-scope.query.ts'
import { type RenewalRow, Renewals, recordNotice } from '../agreements/renewals.rows.ts'
import type { AppContext } from '../context.ts'
import { asInstant } from '../database.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { retryFailed, unsentEmails } from '../jobs/jobs.rows.ts'
import { addDays, dayOf, daysBetween } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'

/** The message for staff about a renewal whose notice could not be sent. */
const undelivered = 'The notice could not be delivered'

/** How far back to look for notices that could not be sent, in days: longer than any renewal is open. */
const lookBackDays = 120

/** The key of the job that sends a renewal's notice. It contains the renewal's id: a cycle that is planned again gets a notice of its new day. */
export const noticeJobKey = (renewal: Pick<RenewalRow, 'id' | 'agreementId' | 'cycleOn'>) =>
  `${formerJobKey(renewal)}:${renewal.id}`

/** The key of jobs that an older release added. */
const formerJobKey = ({ agreementId, cycleOn }: Pick<RenewalRow, 'agreementId' | 'cycleOn'>) =>
  `renewal-notice:${agreementId}:${cycleOn}`

/**
 * Handles notices that the mail server did not accept in any attempt, or refused permanently, or that bounced: each is retried once a
 * day, and its charge is postponed to keep the minimum notice, while that is within the grace period. Staff see why. Returns how many are still not
 * delivered.
 */
export async function followNotices(ctx: AppContext, on: Day, scope: RenewalScope): Promise<number> {
  const since = new Date(ctx.now().getTime() - lookBackDays * 86_400_000)
  const failed = await unsentEmails(ctx, 'renewal-notice', since)
  let undeliveredCount = 0
  for (const { id: jobId, about, finishedAt } of failed) {
    const isPlanned = await followNotice(ctx, on, scope, {
      renewalId: Number(about.renewalId),
      isDue: dayOf(finishedAt, ctx.settings.timeZone) < on,
      resend: () => retryFailed(ctx, [jobId]),
    })
    if (isPlanned) undeliveredCount++
  }
  for (const renewalId of await bouncedNotices(ctx, since)) {
    const isPlanned = await followNotice(ctx, on, scope, {
      renewalId,
      isDue: true,
      // The finished job is not run again: a new one is added. While the address is marked as bouncing, the new job fails, and is handled above.
      resend: ({ publisherId, ...renewal }) =>
        enqueueMail(
          ctx,
          'renewal-notice',
          { renewalId },
          { dedupeKey: `${noticeJobKey(renewal)}:again:${on}`, publisherId },
        ),
    })
    if (isPlanned) undeliveredCount++
  }
  await clearDelivered(ctx)
  return undeliveredCount
}

interface Undelivered {
  renewalId: number
  /** Whether it may be tried again: it was not tried today. */
  isDue: boolean
  resend(renewal: RenewalRow): Promise<void>
}

/** Postpones the charge of a renewal whose notice was not delivered, and retries the notice. False if it is not one of these, or no longer planned. */
function followNotice(
  ctx: AppContext,
  on: Day,
  scope: RenewalScope,
  { renewalId, isDue, resend }: Undelivered,
): Promise<boolean> {
  return ctx.db.transaction(async () => {
    const renewal = await Renewals.find(ctx, { id: renewalId }, { isLocked: true })
    if (renewal?.state !== 'planned') return false
    const { publicationId = renewal.publicationId, publisherId = renewal.publisherId } = scope
    if (renewal.publicationId !== publicationId || renewal.publisherId !== publisherId) return false
    const noticeDays = await minNotice(ctx, renewal)
    const next = addDays(on, noticeDays)
    const chargeOn = noticeDays > 0 && next > renewal.chargeOn ? next : renewal.chargeOn
    const isRetried = isDue && chargeOn <= renewal.graceUntil
    const postponement = isRetried ? { chargeOn, nextTryOn: chargeOn, noticedOn: on } : {}
    await recordNotice(ctx, renewal, { reason: undelivered, ...postponement })
    if (isRetried) await resend(renewal)
    return true
  })
}

/**
 * The renewals whose notice the mail server accepted and which bounced later, unless another copy did not bounce: the first one, or one that staff
 * sent again.
 */
async function bouncedNotices({ db }: AppContext, since: Date): Promise<number[]> {
  const bounced = await db.query<{ emailKey: string }>(
    `SELECT email_key AS "emailKey" FROM emails
     WHERE state = 'bounced' AND template = 'renewal-notice' AND created_at >= :since ORDER BY id`,
    { since },
  )
  if (bounced.length === 0) return []
  const ids = bounced.map(({ emailKey }) => Number.parseInt(emailKey.slice('renewal-notice:'.length), 10))
  const rows = await db.query<{ id: number }>(
    `SELECT r.id FROM renewals r WHERE r.id IN (:ids) AND r.state = 'planned' AND NOT EXISTS (${sentNotices}) ORDER BY r.id`,
    { ids },
  )
  return rows.map(({ id }) => id)
}

/** The notices of the renewal `r` that were delivered as far as we know: the first, and copies that staff sent again, which have longer keys. */
const sentNotices = `SELECT first.sent_at FROM emails first
    WHERE first.email_key = 'renewal-notice:' || r.id AND first.state = 'sent'
  UNION ALL SELECT copy.sent_at FROM payment_agreements a JOIN emails copy ON copy.reader_id = a.reader_id
    WHERE a.id = r.agreement_id AND copy.template = 'renewal-notice' AND copy.state = 'sent'
      AND copy.email_key LIKE 'renewal-notice:' || r.id || ':%'`

/** Whether the notice of a renewal was delivered, as far as we know. */
export async function noticeWasSent({ db }: Pick<AppContext, 'db'>, renewalId: number): Promise<boolean> {
  const sent = await db.query(`SELECT 1 FROM renewals r WHERE r.id = :renewalId AND EXISTS (${sentNotices})`, {
    renewalId,
  })
  return sent.length > 0
}

/** Clears the message once the notice was sent after all. */
async function clearDelivered(ctx: AppContext): Promise<void> {
  const delivered = await ctx.db.query<{ id: number }>(
    `SELECT r.id FROM renewals r
     WHERE r.state = 'planned' AND r.reason <> '' AND r.reason = :undelivered AND EXISTS (${sentNotices})`,
    { undelivered },
  )
  for (const { id } of delivered) await recordNotice(ctx, { id, state: 'planned' }, { reason: '' })
}

/**
 * Whether the notice of an announced, locked renewal allows a charge on a day: where a minimum notice applies, nothing is charged before the notice.
 * One whose notice is waiting to be sent, or could not be sent so far, stays due. One whose notice was sent so late that the minimum notice has not
 * passed is postponed, and its grace period with it.
 */
export async function noticeHasPassed(ctx: AppContext, renewal: RenewalRow, on: Day): Promise<boolean> {
  const { id, noticedOn, chargeOn, graceUntil, attempts } = renewal
  if (noticedOn === null || attempts > 0) return true
  const [notice] = await ctx.db.query<{ sentAt: Date | string | null; isLate: unknown }>(
    `SELECT (SELECT MIN(sent.sent_at) FROM (${sentNotices}) sent) AS "sentAt",
       (SELECT COUNT(*) FROM jobs j WHERE j.dedupe_key IN (:jobKeys) AND j.state <> 'done')
         + (SELECT COUNT(*) FROM emails b WHERE b.email_key = :emailKey AND b.state IN ('refused', 'bounced', 'suppressed')) AS "isLate"
     FROM renewals r WHERE r.id = :id`,
    { id, emailKey: `renewal-notice:${id}`, jobKeys: [noticeJobKey(renewal), formerJobKey(renewal)] },
  )
  const sentAt = notice?.sentAt ?? null
  if (sentAt === null) return Number(notice?.isLate) === 0 || (await minNotice(ctx, renewal)) === 0
  const sentOn = dayOf(asInstant(sentAt), ctx.settings.timeZone)
  if (sentOn <= noticedOn) return true
  const earliestOn = addDays(sentOn, await minNotice(ctx, renewal))
  if (earliestOn <= on) return true
  const daysPostponed = daysBetween(chargeOn, earliestOn)
  await recordNotice(ctx, renewal, {
    chargeOn: earliestOn,
    nextTryOn: earliestOn,
    graceUntil: addDays(graceUntil, daysPostponed),
  })
  return false
}

/** The minimum number of days that the law, the rules of direct debit or we ourselves require between a renewal's notice and its charge. */
async function minNotice(ctx: AppContext, renewal: RenewalRow): Promise<number> {
  const { agreementId, publisherId, cycleOn, amount } = renewal
  const agreement = await PaymentAgreements.find(ctx, { id: agreementId })
  if (!agreement) return 0
  const { termMonths, provider, contractOn, price, readerId } = agreement
  const [row] = await ctx.db.query<{ country: string | null }>(
    `SELECT COALESCE((SELECT NULLIF(country, '') FROM readers WHERE id = :readerId),
       (SELECT country FROM accounts WHERE user_id = :publisherId)) AS country`,
    { readerId, publisherId },
  )
  const charge: UpcomingCharge = {
    country: row?.country ?? '',
    termMonths,
    contractOn,
    cycleOn,
    isDebit: provider === 'stripe-bacs',
    price: priceStep(amount, price),
  }
  return noticeOf(charge)?.min ?? 0
}
