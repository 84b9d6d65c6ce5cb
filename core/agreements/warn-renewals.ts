import type { AppContext } from '../context.ts'
import { daysAfter } from '../dialect.ts'
import { leaveMail } from '../jobs/leave-mail.ts'
import type { Day } from '../kernel/dates.ts'
import { lastWarningDays } from './dunning.rules.ts'
import { Renewals } from './renewals.rows.ts'

/**
 * Tells readers of what needs them, each once: a card that expires before its charge, and a renewal that is still not paid shortly before
 * its grace ends. Gives how many.
 */
export async function warnDay(ctx: AppContext, on: Day): Promise<number> {
  const expiring = await ctx.db.query<{ id: number }>(
    `SELECT r.id FROM renewals r JOIN payment_agreements a ON a.id = r.agreement_id
     WHERE r.state = 'planned' AND r.told_on IS NULL AND a.state = 'active' AND a.expires_on < r.charge_on ORDER BY r.id`,
  )
  const last = await ctx.db.query<{ id: number }>(
    `SELECT r.id FROM renewals r JOIN payment_agreements a ON a.id = r.agreement_id
     WHERE r.state IN ('retrying', 'waiting') AND a.state = 'active' AND r.grace_until >= :on
       AND r.grace_until <= ${daysAfter(ctx.db, ':on', String(lastWarningDays))}
       AND (r.told_on IS NULL OR r.told_on < ${daysAfter(ctx.db, 'r.grace_until', String(-lastWarningDays))}) ORDER BY r.id`,
    { on },
  )
  for (const { id } of expiring) await tell(ctx, { id, on, kind: 'expiring' })
  for (const { id } of last) await tell(ctx, { id, on, kind: 'last' })
  return expiring.length + last.length
}

/** Leaves the mail of one renewal. Its key lets it go once. */
async function tell(
  ctx: AppContext,
  { id, on, kind }: { id: number; on: Day; kind: 'expiring' | 'last' },
): Promise<void> {
  await ctx.db.transaction(async () => {
    const renewal = await Renewals.find(ctx, { id }, { isLocked: true })
    if (!renewal || renewal.toldOn === on) return
    const { publisherId } = renewal
    await Renewals.update(ctx, { id }, { toldOn: on })
    if (kind === 'expiring')
      await leaveMail(ctx, 'card-expiring', { renewalId: id }, { dedupeKey: `card-expiring:${id}`, publisherId })
    else await leaveFailed(ctx, { id, publisherId }, 'last')
  })
}

/** Leaves the mail that a renewal is not paid. Belongs in the transaction of what caused it. */
export async function leaveFailed(
  ctx: AppContext,
  { id, publisherId }: { id: number; publisherId: number },
  kind: 'first' | 'last',
): Promise<void> {
  await leaveMail(
    ctx,
    'renewal-failed',
    { renewalId: id, kind },
    { dedupeKey: `renewal-failed:${kind}:${id}`, publisherId },
  )
}
