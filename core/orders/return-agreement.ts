import { paidEndMoved } from '../agreements/paid-end.query.ts'
import { endAgreement, moveAgreement, PaymentAgreements } from '../agreements/payment-agreements.rows.ts'
import { openRenewalOf, type RenewalRow, Renewals, reopenRenewal } from '../agreements/renewals.rows.ts'
import { liveBuyer } from '../buyers/live-buyer.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { lockKeptRecord } from '../readers/kept-record.ts'
import { recordReaderChange } from '../readers/record-reader-change.ts'
import { noticeWasSent } from '../renewals/undelivered-notices.ts'
import { notifyBuyer } from '../sessions/notify.ts'
import type { RowOf } from '../table.ts'
import type { OrderRow } from './orders.rows.ts'

type Extension = Pick<
  OrderRow,
  'orderNumber' | 'publicationId' | 'readerId' | 'renewalId' | 'isRecurring' | 'termMonths' | 'subStartOn' | 'subEndOn'
>

/**
 * Moves the automatic renewal that continued after a reversed order back to the record's new end. If the renewal at that end can no longer be charged as
 * announced, it ends, and its buyer is notified. Call it in the transaction that reverses the term, after the reversal.
 */
export async function returnAgreement(ctx: AppContext, order: Extension): Promise<void> {
  const agreement = await agreementAfter(ctx, order)
  if (!agreement) return
  const { readerId, publicationId } = agreement
  const reader = (await lockKeptRecord(ctx, { readerId, publicationId }))?.reader
  // The record was changed since, and its end was not moved back.
  if (!reader || reader.subEndOn >= agreement.renewsOn) return
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  // A term that began after a gap extended nothing, so there is no earlier end to return to.
  const isExtension = order.subStartOn !== null && reader.subEndOn < order.subStartOn
  if (!isExtension || !(await canReturn(ctx, { agreementId: agreement.id, cycleOn: reader.subEndOn, today })))
    return endAndNotify(ctx, agreement, order)
  const paidEndOn = await paidEndBefore(ctx, agreement, order)
  await moveAgreement(ctx, agreement.id, { renewsOn: reader.subEndOn, paidEndOn })
}

/** The day until which the agreement was paid before the order (see `paidEndAfter`). */
async function paidEndBefore(
  ctx: AppContext,
  { readerId, paidEndOn }: Agreement,
  { termMonths }: Extension,
): Promise<Day | null> {
  return paidEndOn === null || termMonths === null ? null : paidEndMoved(ctx, readerId, paidEndOn, -termMonths)
}

/** Ends the automatic renewal that continues after an order: its buyer took back the money, or the subscription was ended. Tells the buyer. */
export async function endAgreementAfter(ctx: AppContext, order: Extension): Promise<void> {
  const agreement = await agreementAfter(ctx, order)
  if (agreement) await endAndNotify(ctx, agreement, order)
}

type Agreement = RowOf<typeof PaymentAgreements> & { readerId: number }

/** The active agreement that moved to the end of this order, which neither began nor renews it (see `followTerm`). */
async function agreementAfter(ctx: AppContext, order: Extension): Promise<Agreement | null> {
  const { readerId, renewalId, isRecurring, subEndOn } = order
  if (readerId === null || subEndOn === null) return null
  const agreement = await PaymentAgreements.find(ctx, { readerId, state: 'active', renewsOn: subEndOn })
  const isOwn = agreement && (renewalId === null ? isRecurring : await isRenewalOf(ctx, renewalId, agreement.id))
  return agreement && !isOwn ? { ...agreement, readerId } : null
}

async function isRenewalOf(ctx: AppContext, renewalId: number, agreementId: number): Promise<boolean> {
  return (await Renewals.find(ctx, { id: renewalId }))?.agreementId === agreementId
}

async function endAndNotify(ctx: AppContext, { id, buyerId, readerId }: Agreement, order: Extension): Promise<void> {
  if (!(await endAgreement(ctx, id, 'taken-back'))) return
  const note = `Automatic renewal ended: ${order.orderNumber}, which it continued after, was reversed`
  await recordReaderChange(ctx, { readerId, publicationId: order.publicationId, kind: 'renewal-off', note })
  const buyer = await liveBuyer(ctx, { id: buyerId })
  if (buyer) await notifyBuyer(ctx, buyer, 'renewal-off', { agreementId: id })
}

interface Cycle {
  agreementId: number
  cycleOn: Day
  today: Day
}

/** Whether the renewal of an end can still be charged with its notice: it is planned later, is open, or was cancelled before its day and is reopened. */
async function canReturn(ctx: AppContext, { agreementId, cycleOn, today }: Cycle): Promise<boolean> {
  if (cycleOn < today) return false
  // Locks the renewal before its agreement, as everywhere.
  const openRenewal = await openRenewalOf(ctx, agreementId, { isLocked: true })
  if (openRenewal) return openRenewal.cycleOn === cycleOn
  const cancelled = await Renewals.find(ctx, { agreementId, cycleOn }, { isLocked: true })
  if (!cancelled) return true
  if (!(await isStillAnnounced(ctx, cancelled, today))) return false
  await reopenRenewal(ctx, cancelled)
  return true
}

/** Whether a cancelled renewal was never charged, and its notice names a day that is still to come. */
async function isStillAnnounced(ctx: AppContext, renewal: RenewalRow, today: Day): Promise<boolean> {
  const { id, state, attempts, chargeOn } = renewal
  return state === 'cancelled' && attempts === 0 && chargeOn > today && (await noticeWasSent(ctx, id))
}
