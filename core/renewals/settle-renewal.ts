import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { moveAgreement } from '../payments/payment-agreements.rows.ts'
import { afterDecline } from './dunning.rules.ts'
import { renewalSettingsOf } from './renewal-settings.rows.ts'
import { type RenewalRow, Renewals } from './renewals.rows.ts'

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

/** An attempt was declined: it is tried again on a later day, or waits for the reader. Belongs in the transaction that settles the order. */
export async function renewalDeclined(
  ctx: AppContext,
  { renewalId, orderId }: Attempt,
  declined: { code: string | null; reason: string; isFinal: boolean },
): Promise<void> {
  const renewal = await lockRenewal(ctx, renewalId)
  // Of a renewal that was paid or given up meanwhile nothing is tried again.
  if (renewal.orderId !== orderId || !isUnderWay(renewal)) return
  const on = dayOf(ctx.now(), ctx.settings.timeZone)
  const settings = await renewalSettingsOf(ctx, renewal.publicationId)
  const next = afterDecline(settings, {
    on,
    firstFailedOn: await firstFailedOn(ctx, renewalId, on),
    attempts: renewal.attempts,
    graceUntil: renewal.graceUntil,
    isFinal: declined.isFinal,
  })
  await Renewals.update(
    ctx,
    { id: renewalId },
    { ...next, declineCode: declined.code, reason: declined.reason.slice(0, 300) },
  )
  const subject = { type: 'order', id: orderId, publisherId: renewal.publisherId }
  await recordAudit(ctx, 'renewal-declined', subject, { attempt: renewal.attempts, code: declined.code, ...next })
}

/** The bank wants the buyer to confirm an attempt: it stays open until grace is over. */
export async function renewalWaits(ctx: AppContext, { renewalId, orderId }: Attempt): Promise<void> {
  const renewal = await lockRenewal(ctx, renewalId)
  if (renewal.state !== 'charging' || renewal.orderId !== orderId) return
  const reason = 'The bank asks the reader to confirm the payment'
  await Renewals.update(ctx, { id: renewalId }, { state: 'waiting', nextTryOn: null, reason })
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

/** The day of the first attempt of the cycle that was declined; today where this is it. */
async function firstFailedOn(ctx: AppContext, renewalId: number, today: Day): Promise<Day> {
  const [row] = await ctx.db.query<{ first: Day | null }>(
    `SELECT MIN(ordered_on) AS first FROM orders WHERE renewal_id = :renewalId AND state = 'declined'`,
    { renewalId },
  )
  return row?.first ?? today
}
