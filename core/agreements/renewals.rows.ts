import type { AppContext } from '../context.ts'
import { daysAfter, greatest, rowLock, typedValue } from '../dialect.ts'
import { addDays } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { day, defaulted, defineTable, id, instant, integer, nullable, type RowOf, ref, text } from '../table.ts'
import { declineResolved, keysRefused } from './declines.rules.ts'
import { maxGraceDays } from './dunning.rules.ts'
import { noticeSql } from './notice-days.query.ts'
import { narrowedTo, ownColumns, type RenewalScope } from './renewal-scope.query.ts'
import { openRenewalStates, type RenewalState } from './renewal-states.rules.ts'
import { cancelledSql, charge, isNewCycleSql, noOpenRenewalSql, upcomingSql } from './renewals-to-plan.query.ts'

/** One cycle of an agreement: announced, charged and settled once. Each attempt to charge it is an order (`orders.renewal_id`). */
export const Renewals = defineTable('renewals', {
  id: id(),
  publisherId: ref(),
  publicationId: ref(),
  agreementId: ref(),
  /** The last day of the term that it follows. */
  cycleOn: day(),
  /** The first day it may be charged: `cycleOn`, or later if it could not be announced in time. */
  chargeOn: day(),
  /** The last day on which a payment continues the subscription from the old end; then the renewal lapses. */
  graceUntil: day(),
  /** The announced amount, in minor units. */
  amount: integer(),
  /** The price of the previous term, if a price change applies to this one; null if the price is the same. */
  oldAmount: nullable(integer()),
  /** The price change that it was planned with. */
  priceChangeId: nullable(ref()),
  currency: text<Currency>(),
  state: text<RenewalState>(),
  attempts: defaulted(integer()),
  /** When it is charged next; null if no charge is planned. */
  nextTryOn: nullable(day()),
  /** The order of the current or last attempt. */
  orderId: nullable(ref()),
  /** Why the last attempt was declined: the provider's code, or one of `declines.rules.ts`. */
  declineCode: nullable(text()),
  /** Why it is in its state, as text for staff. */
  reason: defaulted(text()),
  /** When its notice was enqueued. */
  noticedOn: nullable(day()),
  /** The last day on which the reader was told that it is not paid, or that the card expires before the charge. */
  toldOn: nullable(day()),
  /** When its last cancellation was undone: retries and the notice of a first decline count from then. Null: never. */
  returnedAt: nullable(instant()),
  /** When it reached a final state; null while it is open. */
  settledAt: nullable(instant()),
  createdAt: instant(),
  updatedAt: instant(),
})

export type RenewalRow = RowOf<typeof Renewals>

/** The open renewal of an agreement; null if there is none. With `isLocked` it is locked until the transaction ends. */
export async function openRenewalOf(
  ctx: Pick<AppContext, 'db'>,
  agreementId: number,
  { isLocked = false }: { isLocked?: boolean } = {},
): Promise<RenewalRow | null> {
  const [row] = await Renewals.rows(
    ctx,
    `SELECT ${Renewals.columns()} FROM renewals WHERE agreement_id = :agreementId AND state IN (:states)
     ${isLocked ? rowLock(ctx.db) : ''}`,
    { agreementId, states: [...openRenewalStates] },
  )
  return row ?? null
}

/** A cycle that was just planned. */
export interface PlannedRenewal {
  id: number
  publisherId: number
  agreementId: number
  cycleOn: Day
  state: RenewalState
  noticedOn: Day | null
}

/**
 * The cancelled renewals of the cycles that these agreements are at, or move to: if an agreement comes back to an end that it had left, that renewal
 * is charged after all. Locked until the transaction ends.
 */
export function cancelledRenewalsOf(ctx: Pick<AppContext, 'db'>, ids: readonly number[]): Promise<RenewalRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return Renewals.rows(
    ctx,
    `SELECT ${Renewals.columns()} FROM renewals WHERE id IN (
       SELECT ${cancelledSql(ctx.db, 'x.id')} FROM payment_agreements a JOIN readers r ON r.id = a.reader_id
       WHERE a.id IN (:ids) AND a.state = 'active' AND ${noOpenRenewalSql('a')})
     ORDER BY id ${rowLock(ctx.db)}`,
    { ids: [...ids], open: [...openRenewalStates] },
  )
}

/**
 * Adds a renewal for each of these agreements that is to be announced by a day and has none for this cycle. If the day of the notice has passed, the
 * charge and its grace period are postponed until the minimum notice is kept. A renewal whose grace period is over is added as lapsed; one whose
 * buyer cannot be notified waits. The price is the agreed one, or that of a price change that applies by then. The caller enqueues the notices in the
 * same transaction. `isReturned`: the records had a wrong end meanwhile, so nothing could be charged in time; if a minimum notice applies, they are
 * still planned within the longest possible grace period.
 */
export async function addRenewals(
  ctx: AppContext,
  {
    on,
    graceDays,
    ids,
    isReturned = false,
    ...scope
  }: { on: Day; graceDays: number; ids: readonly number[]; isReturned?: boolean } & RenewalScope,
): Promise<PlannedRenewal[]> {
  const { db } = ctx
  const lateDays = isReturned ? `(CASE WHEN min_notice > 0 THEN ${maxGraceDays} ELSE grace_days END)` : 'grace_days'
  const now = typedValue(db, ':now', 'instant')
  const today = typedValue(db, ':on', 'day')
  const { sql, values } = upcomingSql(db, {
    on,
    scope,
    columns: `a.id AS agreement_id, a.publication_id, p.publisher_id, a.renews_on,
           COALESCE(d.new_price, a.price) AS amount, CASE WHEN d.new_price <> a.price THEN a.price END AS old_amount,
           d.id AS price_change_id, a.currency, b.email,
           COALESCE(s.grace_days, :graceDays) AS grace_days, ${noticeSql(db, charge, 'usual')} >= 0 AS is_announced,
           ${noticeSql(db, charge, 'min')} AS min_notice`,
    from: 'payment_agreements a',
    where: `a.id IN (:ids) AND ${isNewCycleSql}`,
  })
  return db.write(() =>
    db.query<PlannedRenewal>(
      // MATERIALIZED: each column is computed only once, not at every use.
      `WITH coming AS MATERIALIZED (${sql}), due AS MATERIALIZED (
         SELECT coming.*, email = '' AND is_announced AS is_unreachable, ${daysAfter(db, 'renews_on', lateDays)} < ${today} AS is_over,
           CASE WHEN min_notice < 0 THEN renews_on ELSE ${greatest(db, ['renews_on', daysAfter(db, today, 'min_notice')])} END AS charge_on
         FROM coming
       )
       INSERT INTO renewals (publisher_id, publication_id, agreement_id, cycle_on, charge_on, grace_until, amount, old_amount,
         price_change_id, currency, state, next_try_on, reason, noticed_on, settled_at, created_at, updated_at)
       SELECT publisher_id, publication_id, agreement_id, renews_on, CASE WHEN is_over THEN renews_on ELSE charge_on END,
         ${daysAfter(db, 'CASE WHEN is_over THEN renews_on ELSE charge_on END', 'grace_days')}, amount, old_amount,
         price_change_id, currency,
         CASE WHEN is_over THEN 'lapsed' WHEN is_unreachable THEN 'waiting' ELSE 'planned' END,
         CASE WHEN is_over OR is_unreachable THEN NULL ELSE charge_on END,
         CASE WHEN is_over THEN 'Not paid within the grace period'
           WHEN is_unreachable THEN 'The reader has no email address for the notice' ELSE '' END,
         CASE WHEN is_announced AND NOT is_over AND NOT is_unreachable THEN ${today} END,
         CASE WHEN is_over THEN ${now} END, ${now}, ${now}
       FROM due WHERE 1 = 1 ORDER BY agreement_id
       ON CONFLICT DO NOTHING
       RETURNING id, publisher_id AS "publisherId", agreement_id AS "agreementId", cycle_on AS "cycleOn", state,
         noticed_on AS "noticedOn"`,
      { ...values, on, graceDays, ids: [...ids], now: ctx.now() },
    ),
  )
}

/** A renewal that is to be charged; `nextTryOn` and `id` are its key for keyset pagination. */
export interface DueRenewal {
  id: number
  publisherId: number
  nextTryOn: Day
}

/** Renewals that are due on a day, the longest due first, after the last one of the previous page. */
export async function dueRenewals(
  ctx: Pick<AppContext, 'db'>,
  { on, limit, after, ...scope }: { on: Day; limit: number; after?: DueRenewal | undefined } & RenewalScope,
): Promise<DueRenewal[]> {
  const narrow = narrowedTo(scope, ownColumns)
  const afterSql = after ? ' AND (next_try_on, id) > (:afterOn, :afterId)' : ''
  return ctx.db.query<DueRenewal>(
    `SELECT id, publisher_id AS "publisherId", next_try_on AS "nextTryOn" FROM renewals
     WHERE state IN ('planned', 'retrying') AND next_try_on <= :on${afterSql}${narrow.sql}
     ORDER BY next_try_on, id LIMIT :limit`,
    { on, limit, ...(after ? { afterOn: after.nextTryOn, afterId: after.id } : {}), ...narrow.values },
  )
}

/** One due renewal of each publisher whose keys were refused: charging it shows whether the keys work again. */
export async function renewalsWithRefusedKeys(
  ctx: Pick<AppContext, 'db'>,
  { on, ...scope }: { on: Day } & RenewalScope,
): Promise<{ id: number; publisherId: number }[]> {
  const narrow = narrowedTo(scope, ownColumns)
  return ctx.db.query<{ id: number; publisherId: number }>(
    `SELECT MIN(id) AS id, publisher_id AS "publisherId" FROM renewals
     WHERE state IN ('planned', 'retrying') AND next_try_on <= :on AND decline_code = :keysRefused${narrow.sql} GROUP BY publisher_id`,
    { on, keysRefused, ...narrow.values },
  )
}

/**
 * Open renewals whose grace period ended before a day and whose reader was not notified on that day, oldest first, each with its pending attempt, if
 * there is one.
 */
export async function lapsingRenewals(
  ctx: Pick<AppContext, 'db'>,
  { on, limit, ...scope }: { on: Day; limit: number } & RenewalScope,
): Promise<{ id: number; pendingOrderId: number | null }[]> {
  const narrow = narrowedTo(scope, { publicationId: 'r.publication_id', publisherId: 'r.publisher_id' })
  return ctx.db.query<{ id: number; pendingOrderId: number | null }>(
    `SELECT r.id, o.id AS "pendingOrderId" FROM renewals r LEFT JOIN orders o ON o.id = r.order_id AND o.state = 'pending'
     WHERE r.settled_at IS NULL AND r.state IN (:states) AND r.grace_until < :on AND (r.told_on IS NULL OR r.told_on < :on)${narrow.sql}
     ORDER BY r.grace_until, r.id LIMIT :limit`,
    { states: [...openRenewalStates], on, limit, ...narrow.values },
  )
}

/** Makes a declined renewal due on a day, whether or not a retry was planned; false if it is in another state. */
export async function makeDueOn(ctx: AppContext, id: number, on: Day): Promise<boolean> {
  return ctx.db.transaction(async () => {
    const renewal = await Renewals.find(ctx, { id }, { isLocked: true })
    if (renewal?.state !== 'retrying' && renewal?.state !== 'waiting') return false
    await Renewals.update(ctx, { id }, { state: 'retrying', nextTryOn: on })
    return true
  })
}

/**
 * Records that the readers of these renewals are notified on a day, if the renewal is in one of these states and no notice was recorded for that day
 * yet. Returns the renewals that were updated.
 */
export async function recordNotified(
  ctx: AppContext,
  { ids, on, states }: { ids: readonly number[]; on: Day; states: readonly RenewalState[] },
): Promise<{ id: number; publisherId: number; graceUntil: Day }[]> {
  return ctx.db.write(() =>
    ctx.db.query<{ id: number; publisherId: number; graceUntil: Day }>(
      `UPDATE renewals SET told_on = :on, updated_at = :now
       WHERE id IN (SELECT id FROM renewals WHERE id IN (:ids) AND state IN (:states) AND (told_on IS NULL OR told_on <> :on)
         ORDER BY id ${rowLock(ctx.db)})
       RETURNING id, publisher_id AS "publisherId", grace_until AS "graceUntil"`,
      { ids: [...ids], on, states: [...states], now: ctx.now() },
    ),
  )
}

/** Stores the outcome of a renewal's notice, if the renewal is still in that state: why it waits, and the days to which it is postponed. */
export async function recordNotice(
  ctx: AppContext,
  { id, state }: Pick<RenewalRow, 'id' | 'state'>,
  changes: Partial<Pick<RenewalRow, 'reason' | 'chargeOn' | 'nextTryOn' | 'noticedOn' | 'graceUntil'>>,
): Promise<void> {
  await Renewals.update(ctx, { id, state }, changes)
}

/** Records that a charge is in progress: a new attempt or, with null, the last one again, which the provider never received. */
export async function beginAttempt(ctx: AppContext, id: number, attempt: { attempts: number; orderId: number } | null) {
  await Renewals.update(ctx, { id }, { ...attempt, state: 'charging', nextTryOn: null, reason: '' })
}

/**
 * Makes the open renewal of an agreement due on a day because its reader has given another card, to which the last decline does not apply. If there
 * is no open renewal, but a cancelled one that may return (`returningRenewalOf`), that one is due when it returns. Call it in the transaction that
 * stores the card, afterwards.
 */
export async function chargeAgainOn(ctx: AppContext, agreementId: number, on: Day): Promise<void> {
  const open = await openRenewalOf(ctx, agreementId, { isLocked: true })
  if (open) {
    if (await makeDueOn(ctx, open.id, on)) await Renewals.update(ctx, { id: open.id }, { declineCode: declineResolved })
    return
  }
  const cancelled = await returningRenewalOf(ctx, agreementId)
  if (cancelled) await Renewals.update(ctx, { id: cancelled.id, state: 'cancelled' }, { declineCode: declineResolved })
}

/**
 * The renewal of an active agreement that failed and was then cancelled because the reader's record got a later end without an order; null if there
 * is none. It returns if that end is corrected.
 */
export async function returningRenewalOf(ctx: Pick<AppContext, 'db'>, agreementId: number): Promise<RenewalRow | null> {
  const [row] = await Renewals.rows(
    ctx,
    `SELECT ${Renewals.columns('r')} FROM renewals r JOIN payment_agreements a ON a.id = r.agreement_id
     WHERE r.agreement_id = :agreementId AND r.state = 'cancelled' AND r.attempts > 0 AND a.state = 'active'
       AND r.cycle_on >= a.paid_end_on AND r.cycle_on < a.renews_on ORDER BY r.id DESC LIMIT 1`,
    { agreementId },
  )
  return row ?? null
}

/** Ends a renewal that will not be charged, with the reason as text for staff. */
export async function endRenewal(
  ctx: AppContext,
  id: number,
  state: 'lapsed' | 'cancelled',
  reason: string,
): Promise<void> {
  await Renewals.update(ctx, { id }, { state, nextTryOn: null, reason, settledAt: ctx.now() })
}

/** Reopens a cancelled renewal that was never charged: it is charged on the day that was announced. */
export async function reopenRenewal(ctx: AppContext, { id, chargeOn }: RenewalRow): Promise<void> {
  await Renewals.update(
    ctx,
    { id, state: 'cancelled' },
    { state: 'planned', nextTryOn: chargeOn, reason: '', settledAt: null },
  )
}

/**
 * Undoes the cancellation of a renewal whose agreement is at its end again. If it was never charged, it is removed, so that it is planned again with
 * a new notice. If it was declined, it waits for the reader, unless they have given another card meanwhile: then it is due at once. If it failed for
 * another reason, it is due again, unless its grace period is over. It gets a whole new grace period, since nobody could pay it while it was
 * cancelled. Returns the last day of the grace period if the renewal waits, so that its reader is notified, otherwise null.
 */
export async function undoCancellation(
  ctx: AppContext,
  { id, attempts, graceUntil, declineCode }: RenewalRow,
  { on, graceDays, hasFailed }: { on: Day; graceDays: number; hasFailed: boolean },
): Promise<Day | null> {
  const cancelled = { id, state: 'cancelled' } as const
  if (attempts === 0) {
    await Renewals.remove(ctx, cancelled)
    return null
  }
  const isResolved = declineCode === declineResolved
  const isDeclined = hasFailed && !isResolved
  const isDue = isResolved || (!isDeclined && on <= graceUntil)
  const newGrace = addDays(on, graceDays)
  const lastDay = newGrace > graceUntil ? newGrace : graceUntil
  const updated = await Renewals.update(ctx, cancelled, {
    state: isDue ? 'retrying' : 'waiting',
    nextTryOn: isDue ? on : null,
    // Without its code, the reader of a waiting renewal is warned before it lapses, even if the publisher's keys were refused.
    declineCode: isDue || isDeclined ? declineCode : null,
    reason: `It was ${hasFailed ? 'declined' : 'not charged'} before the end of the subscription was changed and corrected`,
    graceUntil: lastDay,
    toldOn: isDue ? null : on,
    returnedAt: ctx.now(),
    settledAt: null,
  })
  return isDue || updated === 0 ? null : lastDay
}

/** Cancels the open renewal of an agreement. A charge in progress is settled when the provider responds. */
export async function cancelOpenRenewal(ctx: AppContext, agreementId: number, reason: string): Promise<void> {
  const open = await openRenewalOf(ctx, agreementId, { isLocked: true })
  if (!open || open.state === 'charging') return
  await endRenewal(ctx, open.id, 'cancelled', reason)
}
