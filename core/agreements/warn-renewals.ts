import type { AppContext } from '../context.ts'
import { daysAfter, typedValue } from '../dialect.ts'
import { enqueueEmails } from '../jobs/enqueue-mail.ts'
import type { Day } from '../kernel/dates.ts'
import { keysRefused } from './declines.rules.ts'
import { lastWarningDays } from './dunning.rules.ts'
import { narrowedTo, type RenewalScope } from './renewal-scope.query.ts'
import { openRenewalStates } from './renewal-states.rules.ts'
import { recordNotified } from './renewals.rows.ts'

/** How many readers are notified in one transaction; on SQLite, other writers wait for it. */
const batchSize = 2000

/**
 * Notifies readers, once each, of a card that expires before its charge, and of a renewal that is still unpaid shortly before its grace period ends,
 * unless the publisher's keys are the cause. Returns how many.
 */
export async function warnRenewals(ctx: AppContext, on: Day, scope: RenewalScope): Promise<number> {
  const { db } = ctx
  const narrow = narrowedTo(scope, { publicationId: 'r.publication_id', publisherId: 'r.publisher_id' })
  // Only cards that expire before the last planned charge are read: they are few, and each is looked up by an index. The condition repeats the
  // predicate of the partial index `renewals_open`, so that PostgreSQL uses that index for the renewals.
  const expiring = await db.query<{ id: number }>(
    `SELECT r.id FROM payment_agreements a CROSS JOIN renewals r
     WHERE r.agreement_id = a.id AND r.state IN (:open) AND a.state = 'active'
       AND a.expires_on < (SELECT MAX(next_try_on) FROM renewals WHERE state IN ('planned', 'retrying'))
       AND r.state NOT IN ('charging', 'retrying', 'waiting') AND r.told_on IS NULL AND a.expires_on < r.charge_on${narrow.sql} ORDER BY r.id`,
    { open: [...openRenewalStates], ...narrow.values },
  )
  const last = await db.query<{ id: number }>(
    `SELECT r.id FROM renewals r JOIN payment_agreements a ON a.id = r.agreement_id
     WHERE r.settled_at IS NULL AND r.state IN ('retrying', 'waiting') AND a.state = 'active' AND r.grace_until >= :on
       AND (r.decline_code IS NULL OR r.decline_code <> :keysRefused)
       AND r.grace_until <= ${daysAfter(db, typedValue(db, ':on', 'day'), String(lastWarningDays))}
       AND (r.told_on IS NULL OR r.told_on < ${daysAfter(db, 'r.grace_until', String(-lastWarningDays))})${narrow.sql} ORDER BY r.id`,
    { on, keysRefused, ...narrow.values },
  )
  const warned = await notify(ctx, expiring, { on, kind: 'expiring' })
  return warned + (await notify(ctx, last, { on, kind: 'last' }))
}

/** Each kind of notice: the renewal states it applies to and the email it sends. */
const warnings = {
  expiring: {
    states: ['planned'],
    enqueue: (ctx: AppContext, renewals: readonly Notice[]) =>
      enqueueEmails(
        ctx,
        'card-expiring',
        renewals.map(({ id, publisherId }) => ({
          about: { renewalId: id },
          dedupeKey: `card-expiring:${id}`,
          publisherId,
        })),
      ),
  },
  last: {
    states: ['retrying', 'waiting'],
    // With its round, so that a renewal whose cancellation was undone gets a new warning.
    enqueue: (ctx: AppContext, renewals: readonly (Notice & { graceUntil: Day })[]) =>
      enqueueFailedNotices(
        ctx,
        renewals.map(({ graceUntil, ...renewal }) => ({ ...renewal, round: graceUntil })),
        'last',
      ),
  },
} as const

interface Notice {
  id: number
  publisherId: number
}

/** Enqueues the emails of these renewals, if they are still in one of the kind's states. Idempotent, by the dedupe key. Returns how many. */
async function notify(
  ctx: AppContext,
  renewals: readonly { id: number }[],
  { on, kind }: { on: Day; kind: keyof typeof warnings },
): Promise<number> {
  const { states, enqueue } = warnings[kind]
  let warned = 0
  for (let start = 0; start < renewals.length; start += batchSize) {
    const ids = renewals.slice(start, start + batchSize).map(({ id }) => id)
    warned += await ctx.db.transaction(async () => {
      const recorded = await recordNotified(ctx, { ids, on, states })
      await enqueue(ctx, recorded)
      return recorded.length
    })
  }
  return warned
}

/**
 * Enqueues the emails about unpaid renewals, each kind once per round. `round` is the last day of a grace period that began again after a
 * cancellation was undone; undefined in the first grace period. Call it in the transaction that causes the emails.
 */
export function enqueueFailedNotices(
  ctx: AppContext,
  renewals: readonly (Notice & { round?: Day | undefined })[],
  kind: 'first' | 'last',
): Promise<void> {
  return enqueueEmails(
    ctx,
    'renewal-failed',
    renewals.map(({ id, publisherId, round }) => ({
      about: { renewalId: id, kind, ...(round === undefined ? {} : { round }) },
      dedupeKey: failedNoticeKey({ renewalId: id, kind, round }),
      publisherId,
    })),
  )
}

/** The key of an email about an unpaid renewal, and of its job. */
export function failedNoticeKey(about: { renewalId: number; kind: 'first' | 'last'; round?: Day | undefined }): string {
  return ['renewal-failed', about.kind, about.renewalId, about.round].filter((part) => part !== undefined).join(':')
}
