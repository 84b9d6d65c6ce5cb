import { moveAgreement, PaymentAgreements } from '../agreements/payment-agreements.rows.ts'
import {
  isPlannedForSql,
  narrowedTo,
  noOpenRenewalSql,
  openRenewalOf,
  openRenewalStates,
  type RenewalsOf,
} from '../agreements/renewals.rows.ts'
import type { AppContext } from '../context.ts'
import { Readers } from '../readers/readers.rows.ts'

/**
 * Returns each agreement that had moved to a later end of its reader's record, which no order paid for, once that end is corrected: to the record's
 * end, but never before the last paid one. Otherwise the reader would be charged, or reminded, only at the wrong end. `plan` plans the renewal of an
 * agreement that has returned, in the same transaction: later it would count as one that nobody paid in time. Returns the sum of what it returns.
 */
export async function followCorrectedEnds(
  ctx: AppContext,
  of: RenewalsOf,
  plan: (agreementId: number) => Promise<number>,
): Promise<number> {
  let planned = 0
  for (const { id, readerId } of await correctedEnds(ctx, of))
    planned += await ctx.db.transaction(async () => ((await followCorrectedEnd(ctx, { id, readerId })) ? plan(id) : 0))
  return planned
}

/**
 * They are few, and an index has only those that moved: nothing is locked to find them. One that cannot be planned now returns once it can: it would
 * count as one that nobody paid in time.
 */
async function correctedEnds(
  { db }: Pick<AppContext, 'db'>,
  of: RenewalsOf,
): Promise<{ id: number; readerId: number }[]> {
  const narrow = narrowedTo(of, { publicationId: 'p.id', publisherId: 'p.publisher_id' })
  return db.query<{ id: number; readerId: number }>(
    `SELECT a.id, a.reader_id AS "readerId" FROM payment_agreements a JOIN readers r ON r.id = a.reader_id
       JOIN publications p ON p.id = a.publication_id JOIN users u ON u.id = p.publisher_id
     WHERE a.paid_end_on IS NOT NULL AND a.state = 'active' AND ${isPlannedForSql} AND r.sub_end_on < a.renews_on AND ${noOpenRenewalSql('a')}${narrow.sql}
     ORDER BY a.id`,
    { open: [...openRenewalStates], ...narrow.values },
  )
}

/** False where it is no longer to be moved. */
async function followCorrectedEnd(
  ctx: AppContext,
  { id, readerId }: { id: number; readerId: number },
): Promise<boolean> {
  // Locks the reader, then the renewal, then its agreement, as everywhere.
  const reader = await Readers.find(ctx, { id: readerId }, { isLocked: true })
  const open = await openRenewalOf(ctx, id, { isLocked: true })
  const agreement = await PaymentAgreements.find(ctx, { id, readerId, state: 'active' }, { isLocked: true })
  if (!reader || open || !agreement) return false
  const { renewsOn, paidEndOn } = agreement
  if (paidEndOn === null || reader.subEndOn >= renewsOn) return false
  const isUnpaid = reader.subEndOn > paidEndOn
  const endOn = isUnpaid ? reader.subEndOn : paidEndOn
  await moveAgreement(ctx, id, { renewsOn: endOn, paidEndOn: isUnpaid ? paidEndOn : null })
  return true
}
