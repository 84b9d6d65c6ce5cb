import type { AppContext } from '../context.ts'

/**
 * Ends a buyer's agreement to pay again, by compare-and-set: of two endings at once one was the first. Null where the buyer has no such
 * agreement at this publication. Belongs in a transaction.
 */
export async function endAgreement(
  ctx: AppContext,
  which: { agreementId: number; buyerId: number; publicationId: number },
): Promise<{ wasOn: boolean; readerId: number | null; product: string } | null> {
  const [agreement] = await ctx.db.query<{ reader_id: number | null; product: string }>(
    `SELECT reader_id, product FROM payment_agreements
     WHERE id = :agreementId AND buyer_id = :buyerId AND publication_id = :publicationId`,
    which,
  )
  if (!agreement) return null
  const ended = await ctx.db.run(
    `UPDATE payment_agreements SET state = 'ended', ended_at = :now, updated_at = :now
     WHERE id = :agreementId AND state <> 'ended'`,
    { agreementId: which.agreementId, now: ctx.now() },
  )
  return { wasOn: ended > 0, readerId: agreement.reader_id, product: agreement.product }
}
