import type { AppContext } from '../context.ts'
import type { PromoConditions } from '../pricing/discount.rules.ts'
import { countPromoUse, PromoCodes, returnPromoUse } from './promo-codes.rows.ts'
import { addRedemption, endRedemption, PromoRedemptions } from './promo-redemptions.rows.ts'

/** A promo code of a publication, with its id. */
export interface FoundPromo extends PromoConditions {
  id: number
  code: string
}

/** A code as it is compared: ignoring case and surrounding spaces. */
export function promoKey(code: string): string {
  return code.trim().toUpperCase()
}

const conditionColumns = PromoCodes.pick(
  'id',
  'code',
  'discountPercent',
  'startsOn',
  'endsOn',
  'uses',
  'used',
  'applicableProducts',
)

/**
 * The promo code of a publication by what the buyer typed; null if there is none. A code that was made for one reader is found only for orders
 * of that reader's record. The use that an open order holds is not counted for the order that continues or replaces it.
 */
export async function findPromo(
  ctx: AppContext,
  publicationId: number,
  code: string,
  { readerId = null, openOrderId = null }: { readerId?: number | null; openOrderId?: number | null } = {},
): Promise<FoundPromo | null> {
  const [promo] = await conditionColumns.rows(
    ctx,
    `SELECT ${conditionColumns.columns()} FROM promo_codes
     WHERE publication_id = :publicationId AND code_key = :key AND removed_at IS NULL AND (reader_id IS NULL OR reader_id = :readerId)`,
    { publicationId, key: promoKey(code), readerId },
  )
  if (!promo) return null
  const heldUse =
    openOrderId === null
      ? null
      : await PromoRedemptions.find(ctx, { promoCodeId: promo.id, orderId: openOrderId, givenBackAt: null })
  return heldUse ? { ...promo, used: promo.used - 1 } : promo
}

/**
 * Takes one use for an order, in the order's own transaction; false if none is left (two buyers can never both get the last one) or if
 * the code was made for another reader than the order's.
 */
export async function takePromoUse(
  ctx: AppContext,
  promoId: number,
  order: { id: number; readerId: number | null },
): Promise<boolean> {
  if (!(await countPromoUse(ctx, promoId, order.readerId))) return false
  await addRedemption(ctx, promoId, order.id)
  return true
}

/** Releases an order's use when it fails or is cancelled. Idempotent. */
export async function releasePromoUse(ctx: AppContext, orderId: number): Promise<void> {
  const promoId = await endRedemption(ctx, orderId)
  if (promoId !== null) await returnPromoUse(ctx, promoId)
}

/** Takes again the use that an order released, unless it still holds one; false if none is left. */
export async function retakePromoUse(
  ctx: AppContext,
  promoId: number,
  order: { id: number; readerId: number | null },
): Promise<boolean> {
  const redemption = await PromoRedemptions.find(ctx, { orderId: order.id, givenBackAt: null })
  return redemption !== null || takePromoUse(ctx, promoId, order)
}
