import { moveAgreement, PaymentAgreements } from '../agreements/payment-agreements.rows.ts'
import { narrowedTo, type RenewalScope } from '../agreements/renewal-scope.query.ts'
import { openRenewalStates } from '../agreements/renewal-states.rules.ts'
import { openRenewalOf } from '../agreements/renewals.rows.ts'
import { isPlannedForSql, noOpenRenewalSql } from '../agreements/renewals-to-plan.query.ts'
import type { AppContext } from '../context.ts'
import { Readers } from '../readers/readers.rows.ts'

/**
 * Moves agreements back after a wrong end of their reader's record was corrected. They had moved to a later end that no order paid for; they move to
 * the record's current end, but never before the last paid one. Otherwise the reader would be charged, or reminded, only at the wrong end. `plan`
 * plans the renewal of a moved agreement in the same transaction: planned later, it would count as not paid in time. Returns the sum of its results.
 */
export async function followCorrectedEnds(
  ctx: AppContext,
  scope: RenewalScope,
  plan: (agreementId: number) => Promise<number>,
): Promise<number> {
  let planned = 0
  for (const { id, readerId } of await correctedEnds(ctx, scope))
    planned += await ctx.db.transaction(async () => ((await followCorrectedEnd(ctx, { id, readerId })) ? plan(id) : 0))
  return planned
}

/**
 * The agreements to move back: few, and found without locks by an index that contains only those that moved. One whose renewal cannot be planned now
 * is moved once it can: moved earlier, it would count as not paid in time.
 */
async function correctedEnds(
  { db }: Pick<AppContext, 'db'>,
  scope: RenewalScope,
): Promise<{ id: number; readerId: number }[]> {
  const narrow = narrowedTo(scope, { publicationId: 'p.id', publisherId: 'p.publisher_id' })
  return db.query<{ id: number; readerId: number }>(
    `SELECT a.id, a.reader_id AS "readerId" FROM payment_agreements a JOIN readers r ON r.id = a.reader_id
       JOIN publications p ON p.id = a.publication_id JOIN users u ON u.id = p.publisher_id
     WHERE a.paid_end_on IS NOT NULL AND a.state = 'active' AND ${isPlannedForSql} AND r.sub_end_on < a.renews_on AND ${noOpenRenewalSql('a')}${narrow.sql}
     ORDER BY a.id`,
    { open: [...openRenewalStates], ...narrow.values },
  )
}

/** Moves an agreement back; returns false if that is no longer needed. */
async function followCorrectedEnd(
  ctx: AppContext,
  { id, readerId }: { id: number; readerId: number },
): Promise<boolean> {
  // Locks the reader, then the renewal, then its agreement, as everywhere.
  const reader = await Readers.find(ctx, { id: readerId }, { isLocked: true })
  const openRenewal = await openRenewalOf(ctx, id, { isLocked: true })
  const agreement = await PaymentAgreements.find(ctx, { id, readerId, state: 'active' }, { isLocked: true })
  if (!reader || openRenewal || !agreement) return false
  const { renewsOn, paidEndOn } = agreement
  if (paidEndOn === null || reader.subEndOn >= renewsOn) return false
  const isUnpaid = reader.subEndOn > paidEndOn
  const endOn = isUnpaid ? reader.subEndOn : paidEndOn
  await moveAgreement(ctx, id, { renewsOn: endOn, paidEndOn: isUnpaid ? paidEndOn : null })
  return true
}
