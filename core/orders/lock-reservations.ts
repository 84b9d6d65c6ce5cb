import type { AppContext } from '../context.ts'
import { rowLock } from '../dialect.ts'
import type { OrderRow } from './orders.rows.ts'

/**
 * Locks the promo code and the back issues of an order until the transaction ends: for transactions that may release them, or take them again, after
 * they have written the ledger. Call it once the order is locked, before the ledger's first row (see `lockReader`).
 */
export async function lockReservations(
  ctx: AppContext,
  { id: orderId, promoCodeId, kind }: Pick<OrderRow, 'id' | 'promoCodeId' | 'kind'>,
): Promise<void> {
  // A new order refers to these rows before it takes them: it must not wait here for them one by one.
  const lock = rowLock(ctx.db, { isKeyFree: true })
  if (promoCodeId !== null)
    await ctx.db.query(`SELECT id FROM promo_codes WHERE id = :promoCodeId ${lock}`, { promoCodeId })
  if (kind !== 'back-issues') return
  await ctx.db.query(
    `SELECT id FROM back_issues WHERE id IN (SELECT back_issue_id FROM order_items WHERE order_id = :orderId) ORDER BY id ${lock}`,
    { orderId },
  )
}
