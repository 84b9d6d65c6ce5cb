import { moveAgreement, PaymentAgreements } from '../agreements/payment-agreements.rows.ts'
import {
  narrowedTo,
  noOpenRenewalSql,
  openRenewalOf,
  openRenewalStates,
  type RenewalsOf,
  undoCancellation,
} from '../agreements/renewals.rows.ts'
import type { AppContext } from '../context.ts'
import { Readers } from '../readers/readers.rows.ts'

/**
 * Returns each agreement that had moved to a later end of its reader's record, which no order paid for, once that end is corrected: to the record's
 * end, but never before the last paid one. Otherwise the reader would be charged, or reminded, only at the wrong end.
 */
export async function followCorrectedEnds(ctx: AppContext, of: RenewalsOf): Promise<void> {
  for (const { id, readerId } of await correctedEnds(ctx, of))
    await ctx.db.transaction(() => followCorrectedEnd(ctx, id, readerId))
}

/** They are few, and an index has only those that moved: nothing is locked to find them. */
async function correctedEnds(
  { db }: Pick<AppContext, 'db'>,
  of: RenewalsOf,
): Promise<{ id: number; readerId: number }[]> {
  const narrow = narrowedTo(of, { publicationId: 'p.id', publisherId: 'p.publisher_id' })
  return db.query<{ id: number; readerId: number }>(
    `SELECT a.id, a.reader_id AS "readerId" FROM payment_agreements a JOIN readers r ON r.id = a.reader_id
       JOIN publications p ON p.id = a.publication_id
     WHERE a.paid_end_on IS NOT NULL AND a.state = 'active' AND r.sub_end_on < a.renews_on AND ${noOpenRenewalSql('a')}${narrow.sql}
     ORDER BY a.id`,
    { open: [...openRenewalStates], ...narrow.values },
  )
}

async function followCorrectedEnd(ctx: AppContext, id: number, readerId: number): Promise<void> {
  // Locks the reader, then the renewal, then its agreement, as everywhere.
  const reader = await Readers.find(ctx, { id: readerId }, { isLocked: true })
  const open = await openRenewalOf(ctx, id, { isLocked: true })
  const agreement = await PaymentAgreements.find(ctx, { id, readerId, state: 'active' }, { isLocked: true })
  if (!reader || open || !agreement) return
  const { renewsOn, paidEndOn } = agreement
  if (paidEndOn === null || reader.subEndOn >= renewsOn) return
  const isUnpaid = reader.subEndOn > paidEndOn
  const endOn = isUnpaid ? reader.subEndOn : paidEndOn
  await undoCancellation(ctx, { agreementId: id, cycleOn: endOn })
  await moveAgreement(ctx, id, { renewsOn: endOn, paidEndOn: isUnpaid ? paidEndOn : null })
}
