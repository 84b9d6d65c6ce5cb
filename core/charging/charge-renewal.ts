import { keysRefused } from '../agreements/declines.rules.ts'
import {
  type AgreementEnd,
  endAgreement,
  followLaterEnds,
  PaymentAgreements,
} from '../agreements/payment-agreements.rows.ts'
import { beginAttempt, endRenewal, type RenewalRow, Renewals } from '../agreements/renewals.rows.ts'
import { renewalKeysRefused } from '../agreements/settle-renewal.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { asBoolean } from '../database.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { type Day, formatDay } from '../kernel/dates.ts'
import type { OrderState } from '../kernel/order-state.ts'
import { createRenewalOrder } from '../orders/create-renewal-order.ts'
import { Orders, resetOrderDate } from '../orders/orders.rows.ts'
import { cancelPayment, chargeRenewalOrder } from '../orders/pay-order.ts'
import { settleOrder } from '../orders/settle-order.ts'
import { lockReader, type ReaderRow } from '../readers/readers.rows.ts'
import { recordReaderChange } from '../readers/record-reader-change.ts'
import { noticeHasPassed } from '../renewals/undelivered-notices.ts'
import type { RowOf } from '../table.ts'

/** The result of charging a renewal: its order's state, or why it was not charged. */
export type ChargeOutcome = OrderState | 'not-due' | 'not-charged' | 'keys-refused'

/** Whether a charge was attempted: its order is pending or settled. */
export function isAttempted(outcome: ChargeOutcome): boolean {
  return outcome !== 'not-due' && outcome !== 'not-charged' && outcome !== 'keys-refused'
}

/**
 * Charges one renewal that is due on a day: idempotent, whoever calls it and however often. The attempt is stored with its order before the provider
 * is called, and settled by the provider's response; if the response is lost, the provider is queried later.
 */
export async function chargeRenewal(ctx: AppContext, renewalId: number, on: Day): Promise<ChargeOutcome> {
  const attempt = await ctx.db.transaction(() => writeAttempt(ctx, renewalId, on))
  if (typeof attempt === 'string') return attempt
  if (attempt.isNew && attempt.stopCode !== null) return declineStopped(ctx, attempt.orderId, attempt.stopCode)
  if (attempt.isNew) return chargeAttempt(ctx, renewalId, attempt.orderId)
  const previousState = await cancelPayment(ctx, attempt.orderId)
  return previousState === 'cancelled' || previousState === 'declined'
    ? chargeRenewal(ctx, renewalId, on)
    : previousState
}

async function chargeAttempt(ctx: AppContext, renewalId: number, orderId: number): Promise<ChargeOutcome> {
  const state = await chargeRenewalOrder(ctx, orderId)
  if (state !== 'keys-refused') return state
  await ctx.db.transaction(() => renewalKeysRefused(ctx, { renewalId, orderId }))
  return state
}

/** Checks again, with everything locked, whether the renewal is still due, and stores its attempt. */
async function writeAttempt(
  ctx: AppContext,
  renewalId: number,
  on: Day,
): Promise<{ orderId: number; isNew: boolean; stopCode: string | null } | 'not-due' | 'not-charged'> {
  const locked = await lockReaderOfRenewal(ctx, renewalId)
  const renewal = await Renewals.find(ctx, { id: renewalId }, { isLocked: true })
  const isDue =
    renewal !== null &&
    (renewal.state === 'planned' || renewal.state === 'retrying') &&
    renewal.nextTryOn !== null &&
    renewal.nextTryOn <= on
  if (!isDue) return 'not-due'
  // The reader entered another card while the previous attempt waits for their confirmation: that attempt is cancelled first, or both could be paid.
  const { orderId: lastOrderId } = renewal
  const isOpen = lastOrderId !== null && (await Orders.find(ctx, { id: lastOrderId, state: 'pending' })) !== null
  const isUnsent = isOpen && renewal.declineCode === keysRefused
  if (isOpen && !isUnsent) return { orderId: lastOrderId, isNew: false, stopCode: null }
  const payer = await resolveCharge(ctx, renewal, on, locked)
  if (payer === 'not-charged') return payer
  if (isUnsent) {
    // The provider never received it: it is sent now, dated today.
    await resetOrderDate(ctx, lastOrderId, on)
    await beginAttempt(ctx, renewalId, null)
    return { orderId: lastOrderId, isNew: true, stopCode: payer.agreement.cardStopCode }
  }
  if (!(await noticeHasPassed(ctx, renewal, on))) return 'not-charged'
  const attempt = renewal.attempts + 1
  const orderId = await createRenewalOrder(ctx, { renewal, ...payer, attempt, on })
  return { orderId, isNew: true, stopCode: payer.agreement.cardStopCode }
}

/** Declines a card that must never be charged again: the provider is not called, and the reader has to enter another one. */
function declineStopped(ctx: AppContext, orderId: number, code: string): Promise<OrderState> {
  const reason = 'The card must not be charged again'
  return settleOrder(ctx, { orderId, result: { state: 'declined', reference: '', code, reason, isFinal: true } })
}

/** The locked reader of an open renewal, and whether its title can currently charge readers. */
interface LockedForRenewal {
  reader: ReaderRow | null
  /** Why the title cannot charge; null if it can. */
  cannotChargeReason: string | null
}

/** Locks the reader of a renewal. Call it before anything that locks the renewal itself (see `lockReader`). */
export async function lockReaderOfRenewal(ctx: AppContext, renewalId: number): Promise<LockedForRenewal> {
  const { row, reader } = await lockReader<{ removedAt: unknown; isActive: unknown }>(ctx, {
    sql: `SELECT a.reader_id AS "readerId", p.removed_at AS "removedAt", u.is_active AS "isActive"
          FROM renewals r JOIN payment_agreements a ON a.id = r.agreement_id
            JOIN publications p ON p.id = r.publication_id JOIN users u ON u.id = p.publisher_id WHERE r.id = :renewalId`,
    values: { renewalId },
  })
  if (!row || row.removedAt !== null) return { reader, cannotChargeReason: 'The title was removed' }
  return { reader, cannotChargeReason: asBoolean(row.isActive) ? null : 'The publisher is deactivated' }
}

/**
 * Who is charged for an open, locked renewal, and by which payment method. If it can no longer be charged, it is ended with the reason; while the
 * title cannot charge, it stays due within the grace period. Call it in the transaction that locked its reader.
 */
export async function resolveCharge(
  ctx: AppContext,
  renewal: RenewalRow,
  on: Day,
  { reader, cannotChargeReason }: LockedForRenewal,
): Promise<{ agreement: RowOf<typeof PaymentAgreements>; reader: ReaderRow } | 'not-charged'> {
  const agreement = await PaymentAgreements.find(ctx, { id: renewal.agreementId }, { isLocked: true })
  if (agreement?.state !== 'active') return cancel(ctx, renewal, 'The automatic renewal was turned off')
  // It stays due: the title or its publisher may be restored within the grace period. If not, it lapses without
  // notifying the reader, who could not have paid.
  if (cannotChargeReason)
    return on > renewal.graceUntil ? lapseWithoutNotice(ctx, renewal, cannotChargeReason) : 'not-charged'
  if (!reader || reader.isDeleted)
    return endWithAgreement(ctx, renewal, 'reader-gone', 'The reader was removed or deactivated')
  if (reader.subEndOn > renewal.cycleOn) {
    // The record has a later end: the next renewal follows it.
    await endRenewal(ctx, renewal.id, 'cancelled', 'The subscription was extended meanwhile')
    await followLaterEnds(ctx, [agreement.id])
    return 'not-charged'
  }
  if (on > renewal.graceUntil) {
    await recordLapse(ctx, renewal, reader)
    return endWithAgreement(ctx, renewal, 'lapsed', 'Not paid within the grace period')
  }
  return { agreement, reader }
}

async function lapseWithoutNotice(ctx: AppContext, renewal: RenewalRow, reasonText: string): Promise<'not-charged'> {
  const { id, publisherId, cycleOn, attempts } = renewal
  await recordAudit(ctx, 'renewal-lapsed', { type: 'renewal', id, publisherId }, { cycleOn, attempts, why: reasonText })
  return endWithAgreement(ctx, renewal, 'lapsed', reasonText)
}

/** Records a lapse in the history and the audit log, and notifies the reader. */
async function recordLapse(ctx: AppContext, renewal: RenewalRow, reader: ReaderRow): Promise<void> {
  const { id, publisherId, publicationId, cycleOn, attempts } = renewal
  const note = `Lapsed: the term after ${formatDay(cycleOn)} was not paid for; automatic renewal is off`
  await recordReaderChange(ctx, { readerId: reader.id, publicationId, kind: 'renewal-off', note })
  const subject = { type: 'reader', id: reader.id, publisherId }
  await recordAudit(ctx, 'renewal-lapsed', subject, { renewal: id, cycleOn, attempts })
  await enqueueMail(ctx, 'renewal-lapsed', { renewalId: id }, { dedupeKey: `renewal-lapsed:${id}`, publisherId })
}

async function cancel(ctx: AppContext, { id }: RenewalRow, reasonText: string): Promise<'not-charged'> {
  await endRenewal(ctx, id, 'cancelled', reasonText)
  return 'not-charged'
}

async function endWithAgreement(
  ctx: AppContext,
  renewal: RenewalRow,
  endReason: AgreementEnd,
  reasonText: string,
): Promise<'not-charged'> {
  await endAgreement(ctx, renewal.agreementId, endReason)
  await endRenewal(ctx, renewal.id, endReason === 'lapsed' ? 'lapsed' : 'cancelled', reasonText)
  return 'not-charged'
}
