import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { afterDecline } from './dunning.rules.ts'
import { moveAgreement, PaymentAgreements } from './payment-agreements.rows.ts'
import { renewalSettingsOf } from './renewal-settings.rows.ts'
import { endRenewal, openRenewalOf, type RenewalRow, Renewals } from './renewals.rows.ts'
import { leaveFailed } from './warn-renewals.ts'

/** An attempt at a renewal, as far as its order tells. */
interface Attempt {
  renewalId: number
  orderId: number
}

/** The money of a renewal came: its agreement goes on to the new end. Belongs in the transaction that settles the order. */
export async function renewalPaid(ctx: AppContext, { renewalId, orderId }: Attempt, renewsOn: Day): Promise<void> {
  const renewal = await lockRenewal(ctx, renewalId)
  await Renewals.update(
    ctx,
    { id: renewalId },
    { state: 'paid', orderId, nextTryOn: null, declineCode: null, reason: '', settledAt: ctx.now() },
  )
  await moveAgreement(ctx, renewal.agreementId, { renewsOn, price: renewal.amount })
}

/** Why an attempt took no money, in the provider's words. */
interface Decline {
  code: string | null
  reason: string
  isFinal: boolean
}

/** An attempt was declined: it is tried again on a later day, or waits for the reader. Belongs in the transaction that settles the order. */
export async function renewalDeclined(
  ctx: AppContext,
  { renewalId, orderId }: Attempt,
  declined: Decline,
): Promise<void> {
  const renewal = await lockRenewal(ctx, renewalId)
  // Of a renewal that was paid or given up meanwhile nothing is tried again.
  if (renewal.orderId !== orderId || !isUnderWay(renewal)) return
  await planNext(ctx, renewal, declined)
}

/**
 * A direct debit that had been taken for paid was not: its renewal is open again, and the agreement is back at the end of the term before.
 * Belongs in the transaction that reverses the order, after it.
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
  // The cycle after this one is planned again once this one is paid.
  if (next?.state === 'planned') await Renewals.remove(ctx, { id: next.id })
  else if (next) return endRenewal(ctx, renewalId, 'lapsed', 'It was not paid, and a later one is being charged')
  await moveAgreement(ctx, agreement.id, { renewsOn: renewal.cycleOn })
  await Renewals.update(ctx, { id: renewalId }, { settledAt: null })
  await planNext(ctx, renewal, declined)
}

async function planNext(ctx: AppContext, renewal: RenewalRow, { code, reason, isFinal }: Decline): Promise<void> {
  const { id, orderId, publisherId, publicationId, attempts, graceUntil } = renewal
  const on = dayOf(ctx.now(), ctx.settings.timeZone)
  const agreement = await PaymentAgreements.find(ctx, { id: renewal.agreementId })
  if (!agreement) throw new Error(`The renewal ${id} has no agreement`)
  const failed = await failures(ctx, id)
  const next = afterDecline(await renewalSettingsOf(ctx, publicationId), {
    ...{ provider: agreement.provider, on, attempts, graceUntil, isFinal },
    firstFailedOn: failed.firstOn ?? on,
  })
  const isFirst = failed.count <= 1
  await Renewals.update(
    ctx,
    { id },
    { ...next, declineCode: code, reason: reason.slice(0, 300), ...(isFirst ? { toldOn: on } : {}) },
  )
  if (isFirst) await leaveFailed(ctx, renewal, 'first')
  await recordAudit(
    ctx,
    'renewal-declined',
    { type: 'order', id: orderId, publisherId },
    { attempt: attempts, code, ...next },
  )
}

/** The bank wants the buyer to confirm an attempt: it stays open until grace is over. */
export async function renewalWaits(ctx: AppContext, { renewalId, orderId }: Attempt): Promise<void> {
  const renewal = await lockRenewal(ctx, renewalId)
  if (renewal.state !== 'charging' || renewal.orderId !== orderId) return
  const reason = 'The bank asks the reader to confirm the payment'
  const toldOn = dayOf(ctx.now(), ctx.settings.timeZone)
  await Renewals.update(ctx, { id: renewalId }, { state: 'waiting', nextTryOn: null, reason, toldOn })
  await leaveFailed(ctx, renewal, 'first')
}

/** An attempt came to nothing, and no money can be taken by it any more: the renewal is charged anew. */
export async function renewalNotAsked(ctx: AppContext, { renewalId, orderId }: Attempt): Promise<void> {
  const renewal = await lockRenewal(ctx, renewalId)
  if (renewal.orderId !== orderId || !isUnderWay(renewal)) return
  const nextTryOn = dayOf(ctx.now(), ctx.settings.timeZone)
  await Renewals.update(ctx, { id: renewalId }, { state: 'retrying', nextTryOn })
}

const isUnderWay = ({ state }: RenewalRow) => state === 'charging' || state === 'waiting'

async function lockRenewal(ctx: AppContext, id: number): Promise<RenewalRow> {
  const renewal = await Renewals.find(ctx, { id }, { isLocked: true })
  if (!renewal) throw new Error(`There is no renewal ${id}`)
  return renewal
}

/** How many attempts of the cycle took no money, and the day of the first of them. */
async function failures(ctx: AppContext, renewalId: number): Promise<{ count: number; firstOn: Day | null }> {
  const [row] = await ctx.db.query<{ count: number | string; firstOn: Day | null }>(
    `SELECT COUNT(*) AS count, MIN(ordered_on) AS "firstOn" FROM orders
     WHERE renewal_id = :renewalId AND state IN ('declined', 'reversed')`,
    { renewalId },
  )
  return { count: Number(row?.count ?? 0), firstOn: row?.firstOn ?? null }
}
