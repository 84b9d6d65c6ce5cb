import type { AppContext } from '../context.ts'
import { defineTable, id, instant, nullable, ref } from '../table.ts'

/** The uses of promo codes by orders: at most one per order. */
export const PromoRedemptions = defineTable('promo_redemptions', {
  id: id(),
  promoCodeId: ref(),
  orderId: ref(),
  takenAt: instant(),
  givenBackAt: nullable(instant()),
})

/** Records that an order took a use, even if it had released one before. */
export async function addRedemption(ctx: AppContext, promoCodeId: number, orderId: number): Promise<void> {
  await ctx.db.run(
    `INSERT INTO promo_redemptions (promo_code_id, order_id, taken_at) VALUES (:promoCodeId, :orderId, :now)
     ON CONFLICT (order_id) DO UPDATE SET given_back_at = NULL, taken_at = :now`,
    { promoCodeId, orderId, now: ctx.now() },
  )
}

/** Records that an order released its use; returns the code, or null if there was nothing to release. */
export async function endRedemption(ctx: AppContext, orderId: number): Promise<number | null> {
  const [ended] = await ctx.db.query<{ promo_code_id: number }>(
    `UPDATE promo_redemptions SET given_back_at = :now WHERE order_id = :orderId AND given_back_at IS NULL RETURNING promo_code_id`,
    { orderId, now: ctx.now() },
  )
  return ended?.promo_code_id ?? null
}
