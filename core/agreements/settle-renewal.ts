import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { asInstant, awaitAll } from '../database.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { cutText } from '../kernel/text-format.ts'
import { isFinalForCard, isOtherNumber, keysRefused } from './declines.rules.ts'
import { afterDecline, maxAttempts } from './dunning.rules.ts'
import { type PaidTerm, paidEndAfter } from './paid-end.query.ts'
import { type AgreedPrice, followTerm, moveAgreement, PaymentAgreements, stopCard } from './payment-agreements.rows.ts'
import { renewalSettingsOf } from './renewal-settings.rows.ts'
import { endRenewal, openRenewalOf, type RenewalRow, Renewals } from './renewals.rows.ts'
import { enqueueFailedNotices } from './warn-renewals.ts'

/** An attempt to charge a renewal: the renewal and its order. */
interface Attempt {
  renewalId: number
  orderId: number
}

/**
 * Called when a locked renewal was paid: moves its agreement, or the agreement that replaced it during the charge, to the new end. Call it in the
 * transaction that settles the order.
 */
export async function renewalPaid(
  ctx: AppContext,
  { id, agreementId, cycleOn, amount: price, priceChangeId }: RenewalRow,
  { orderId, readerId, term }: { orderId: number; readerId: number | null; term: PaidTerm },
): Promise<void> {
  // The agreement is only read if the term does not directly follow the cycle: otherwise, it is paid to the term's end.
  const isLater = term.startOn > addDays(cycleOn, 1)
  const agreement = isLater ? await PaymentAgreements.find(ctx, { id: agreementId }, { isLocked: true }) : null
  const paidEndOn = agreement && (await paidEndAfter(ctx, agreement, term))
  const priceChangedOn = dayOf(ctx.now(), ctx.settings.timeZone)
  const [, isActive] = await awaitAll(
    Renewals.update(
      ctx,
      { id },
      { state: 'paid', orderId, nextTryOn: null, declineCode: null, reason: '', settledAt: ctx.now() },
    ),
    moveAgreement(ctx, agreementId, {
      renewsOn: term.endOn,
      paidEndOn,
      price,
      ...(priceChangeId === null ? {} : { priceChangeId, priceChangedOn }),
    }),
  )
  if (!isActive && readerId !== null) await followTerm(ctx, readerId, term)
}

/** Why an attempt was not charged, as the provider reports it. */
interface Decline {
  code: string | null
  reason: string
  isFinal: boolean
}

/** Called when an attempt was declined: it is retried on a later day, or waits for the reader. Call it in the transaction that settles the order. */
export async function renewalDeclined(
  ctx: AppContext,
  { renewalId, orderId }: Attempt,
  declined: Decline,
): Promise<void> {
  const renewal = await lockRenewal(ctx, renewalId)
  // A renewal that was paid or ended meanwhile is not retried.
  if (renewal.orderId !== orderId || !isUnsettled(renewal)) return
  await planNext(ctx, renewal, declined)
}

/**
 * Called when a direct debit has failed that had counted as paid: its renewal is reopened, and the agreement moves back to the end of the previous
 * term. Call it in the transaction that reverses the order, afterwards.
 */
export async function renewalFailedLate(
  ctx: AppContext,
  { renewalId, orderId }: Attempt,
  declined: Decline,
): Promise<void> {
  const renewal = await lockRenewal(ctx, renewalId)
  if (renewal.state !== 'paid' || renewal.orderId !== orderId) return
  const agreement = await PaymentAgreements.find(ctx, { id: renewal.agreementId }, { isLocked: true })
  if (agreement?.state !== 'active')
    return endRenewal(ctx, renewalId, 'cancelled', 'The automatic renewal was turned off')
  const next = await openRenewalOf(ctx, agreement.id)
  // A renewal that is only planned is removed: it will be planned again once this one is paid.
  if (next?.state === 'planned') await Renewals.remove(ctx, { id: next.id })
  else if (next)
    return endRenewal(ctx, renewalId, 'lapsed', 'This renewal was not paid, and a later one is being charged')
  await moveAgreement(ctx, agreement.id, { renewsOn: renewal.cycleOn, ...(await priceBefore(ctx, renewal)) })
  await Renewals.update(ctx, { id: renewalId }, { settledAt: null })
  await planNext(ctx, renewal, declined)
}

/**
 * Whether a renewal whose direct debit has failed late is tried again, which its reader is told by a separate email. Call it before `renewalFailedLate`:
 * it is not, if the agreement has ended meanwhile or is already at a later renewal.
 */
export async function isTriedAgain(ctx: AppContext, renewalId: number): Promise<boolean> {
  const renewal = await Renewals.find(ctx, { id: renewalId })
  const agreement = renewal && (await PaymentAgreements.find(ctx, { id: renewal.agreementId, state: 'active' }))
  const next = agreement && (await openRenewalOf(ctx, agreement.id))
  return agreement !== null && (!next || next.state === 'planned')
}

/** The agreed price before a renewal that turned out to be unpaid; empty if the renewal had no price change. */
async function priceBefore(
  ctx: AppContext,
  { id, agreementId, priceChangeId, oldAmount, amount }: RenewalRow,
): Promise<AgreedPrice | Record<never, never>> {
  if (priceChangeId === null) return {}
  const [last] = await ctx.db.query<{ priceChangeId: number; settledAt: Date | string }>(
    `SELECT price_change_id AS "priceChangeId", settled_at AS "settledAt" FROM renewals
     WHERE agreement_id = :agreementId AND id < :id AND state = 'paid' AND price_change_id IS NOT NULL ORDER BY id DESC LIMIT 1`,
    { agreementId, id },
  )
  return {
    price: oldAmount ?? amount,
    priceChangeId: last?.priceChangeId ?? null,
    priceChangedOn: last ? dayOf(asInstant(last.settledAt), ctx.settings.timeZone) : null,
  }
}

async function planNext(ctx: AppContext, renewal: RenewalRow, { code, reason, isFinal }: Decline): Promise<void> {
  const { id, orderId, publisherId, publicationId, attempts, graceUntil } = renewal
  const on = dayOf(ctx.now(), ctx.settings.timeZone)
  const agreement = await PaymentAgreements.find(ctx, { id: renewal.agreementId })
  if (!agreement) throw new Error(`The renewal ${id} has no agreement`)
  const failed = await failures(ctx, id)
  const next = afterDecline(await renewalSettingsOf(ctx, publicationId), {
    provider: agreement.provider,
    on,
    attempts: failed.inCycle,
    graceUntil,
    isFinal,
    firstFailedOn: failed.firstOn ?? on,
  })
  if (code !== null && isFinalForCard(code)) await stopCard(ctx, agreement.id, code)
  const isFirst = failed.count <= 1
  await Renewals.update(
    ctx,
    { id },
    { ...next, declineCode: code, reason: cutText(reason, 300), ...(isFirst ? { toldOn: on } : {}) },
  )
  if (isFirst) await enqueueFirstNotice(ctx, renewal)
  await recordAudit(
    ctx,
    'renewal-declined',
    { type: 'order', id: orderId, publisherId },
    { attempt: attempts, code, ...next },
  )
}

/** Called when the bank wants the buyer to confirm an attempt: the renewal waits until its grace period is over. */
export async function renewalWaits(ctx: AppContext, { renewalId, orderId }: Attempt): Promise<void> {
  const renewal = await lockRenewal(ctx, renewalId)
  if (renewal.state !== 'charging' || renewal.orderId !== orderId) return
  const reason = 'The bank asks the reader to confirm the payment'
  const notifiedOn = dayOf(ctx.now(), ctx.settings.timeZone)
  await Renewals.update(
    ctx,
    { id: renewalId },
    { state: 'waiting', nextTryOn: null, declineCode: null, reason, toldOn: notifiedOn },
  )
  await enqueueFirstNotice(ctx, renewal)
  const { publisherId, attempts } = renewal
  await recordAudit(ctx, 'renewal-to-confirm', { type: 'order', id: orderId, publisherId }, { attempt: attempts })
}

/**
 * Enqueues the first notice: once per cycle, and again if the cancellation of the renewal was undone, since the links of earlier emails have expired.
 */
function enqueueFirstNotice(ctx: AppContext, renewal: RenewalRow): Promise<void> {
  const round = renewal.returnedAt === null ? undefined : renewal.graceUntil
  return enqueueFailedNotices(ctx, [{ ...renewal, round }], 'first')
}

/** Called when an attempt failed without a charge and can no longer succeed: the renewal is charged again. */
export async function renewalNotSent(ctx: AppContext, { renewalId, orderId }: Attempt): Promise<void> {
  const renewal = await lockRenewal(ctx, renewalId)
  if (renewal.orderId !== orderId || !isUnsettled(renewal)) return
  const nextTryOn = dayOf(ctx.now(), ctx.settings.timeZone)
  await Renewals.update(ctx, { id: renewalId }, { state: 'retrying', nextTryOn })
}

/**
 * Called when the provider refused the publisher's API keys: nothing was charged, so the renewal stays due with the same order, and its reader is not
 * notified.
 */
export async function renewalKeysRefused(ctx: AppContext, { renewalId, orderId }: Attempt): Promise<void> {
  const renewal = await lockRenewal(ctx, renewalId)
  if (renewal.state !== 'charging' || renewal.orderId !== orderId) return
  const nextTryOn = dayOf(ctx.now(), ctx.settings.timeZone)
  const reason = 'The payment provider refused this account’s API keys'
  await Renewals.update(ctx, { id: renewalId }, { state: 'retrying', nextTryOn, declineCode: keysRefused, reason })
}

const isUnsettled = ({ state }: RenewalRow) => state === 'charging' || state === 'waiting'

async function lockRenewal(ctx: AppContext, id: number): Promise<RenewalRow> {
  const renewal = await Renewals.find(ctx, { id }, { isLocked: true })
  if (!renewal) throw new Error(`There is no renewal ${id}`)
  return renewal
}

/**
 * Whether a card that a reader gives may be charged for a renewal: always if its number is new, otherwise only within the limit of the cycle. The
 * number is compared because providers give a card a new reference each time it is entered.
 */
export async function mayTryCard(
  ctx: Pick<AppContext, 'db'>,
  renewalId: number,
  { before, now }: Record<'before' | 'now', Parameters<typeof isOtherNumber>[0]>,
): Promise<boolean> {
  return isOtherNumber(before, now) || (await failures(ctx, renewalId)).inCycle < maxAttempts
}

/** Whether a renewal waits for its reader to confirm the payment at the bank. A payment that the provider never received cannot be confirmed. */
export async function needsConfirmation(
  { db }: Pick<AppContext, 'db'>,
  { state, orderId }: Pick<RenewalRow, 'state' | 'orderId'>,
): Promise<boolean> {
  if (state !== 'waiting') return false
  const [open] = await db.query(
    `SELECT 1 AS found FROM orders o JOIN payments y ON y.order_id = o.id
     WHERE o.id = :orderId AND o.state = 'pending' AND y.provider_reference IS NOT NULL`,
    { orderId },
  )
  return open !== undefined
}

/** Failed attempts: their number in the cycle, and their number and first day since the renewal's cancellation was undone (or in the whole cycle). */
export async function failures(
  ctx: Pick<AppContext, 'db'>,
  renewalId: number,
): Promise<{ inCycle: number; count: number; firstOn: Day | null }> {
  const isCounted = 'r.returned_at IS NULL OR o.placed_at >= r.returned_at'
  const [row] = await ctx.db.query<{ inCycle: number; count: number; firstOn: Day | null }>(
    `SELECT COUNT(*) AS "inCycle", COUNT(*) FILTER (WHERE ${isCounted}) AS count,
       MIN(o.ordered_on) FILTER (WHERE ${isCounted}) AS "firstOn"
     FROM orders o JOIN renewals r ON r.id = o.renewal_id
     WHERE o.renewal_id = :renewalId AND o.state IN ('declined', 'reversed')`,
    { renewalId },
  )
  return { inCycle: Number(row?.inCycle ?? 0), count: Number(row?.count ?? 0), firstOn: row?.firstOn ?? null }
}
