import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import type { ApplicableProducts, PromoTerms } from '../pricing/discount.rules.ts'

/** A promo code of a publication, with its id. */
export interface FoundPromo extends PromoTerms {
  id: number
  code: string
}

/** A code as it is compared: case and spaces around it do not count. */
export function promoKey(code: string): string {
  return code.trim().toUpperCase()
}

/** The promo code of a publication by what the buyer typed; null when there is none. */
export async function findPromo(ctx: AppContext, publicationId: number, code: string): Promise<FoundPromo | null> {
  const [row] = await ctx.db.query<{
    id: number
    code: string
    discount_percent: number
    starts_on: Day | null
    ends_on: Day | null
    uses: number
    used: number
    applicable_products: ApplicableProducts | string
  }>(
    `SELECT id, code, discount_percent, starts_on, ends_on, uses, used, applicable_products
     FROM promo_codes WHERE publication_id = :publicationId AND code_key = :key AND removed_at IS NULL`,
    { publicationId, key: promoKey(code) },
  )
  if (!row) return null
  const products = row.applicable_products
  return {
    id: row.id,
    code: row.code,
    discountPercent: row.discount_percent,
    startsOn: row.starts_on,
    endsOn: row.ends_on,
    uses: row.uses,
    used: row.used,
    applicableProducts: typeof products === 'string' ? (JSON.parse(products) as ApplicableProducts) : products,
  }
}

/** Takes one use for an order, in the order's own transaction; false when the last one is gone: two buyers can never both have it. */
export async function takePromoUse(ctx: AppContext, promoId: number, orderId: number): Promise<boolean> {
  const taken = await ctx.db.run(
    `UPDATE promo_codes SET used = used + 1, updated_at = :now WHERE id = :promoId AND (uses = 0 OR used < uses) AND removed_at IS NULL`,
    { promoId, now: ctx.now() },
  )
  if (taken === 0) return false
  await ctx.db.run(
    `INSERT INTO promo_redemptions (promo_code_id, order_id, taken_at) VALUES (:promoId, :orderId, :now)
     ON CONFLICT (order_id) DO UPDATE SET given_back_at = NULL, taken_at = :now`,
    { promoId, orderId, now: ctx.now() },
  )
  return true
}

/** Gives an order's use back when it fails or is cancelled; once, however often it is asked. */
export async function giveBackPromoUse(ctx: AppContext, orderId: number): Promise<void> {
  const [redemption] = await ctx.db.query<{ promo_code_id: number }>(
    `UPDATE promo_redemptions SET given_back_at = :now WHERE order_id = :orderId AND given_back_at IS NULL RETURNING promo_code_id`,
    { orderId, now: ctx.now() },
  )
  if (!redemption) return
  await ctx.db.run(`UPDATE promo_codes SET used = used - 1, updated_at = :now WHERE id = :id AND used > 0`, {
    id: redemption.promo_code_id,
    now: ctx.now(),
  })
}

/** Money came for an order that was given up: its use is taken again, if there is one left. */
export async function retakePromoUse(ctx: AppContext, promoId: number, orderId: number): Promise<void> {
  const [redemption] = await ctx.db.query(
    `SELECT id FROM promo_redemptions WHERE order_id = :orderId AND given_back_at IS NULL`,
    { orderId },
  )
  if (!redemption) await takePromoUse(ctx, promoId, orderId)
}
