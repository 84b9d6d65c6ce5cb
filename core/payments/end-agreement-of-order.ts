import type { AppContext } from '../context.ts'

/** Ends the agreement that an order began, where it began one: its payment was taken back. Belongs in a transaction. */
export async function endAgreementOfOrder(ctx: AppContext, orderId: number): Promise<void> {
  await ctx.db.run(
    `UPDATE payment_agreements SET state = 'ended', ended_at = :now, updated_at = :now WHERE order_id = :orderId AND state <> 'ended'`,
    { orderId, now: ctx.now() },
  )
}
