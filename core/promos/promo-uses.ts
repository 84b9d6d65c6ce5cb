import type { AppContext } from '../context.ts'
import type { PromoTerms } from '../pricing/discount.rules.ts'
import { countPromoUse, PromoCodes, returnPromoUse } from './promo-codes.rows.ts'
import { addRedemption, endRedemption, PromoRedemptions } from './promo-redemptions.rows.ts'

/** A promo code of a publication, with its id. */
export interface FoundPromo extends PromoTerms {
  id: number
  code: string
}

/** A code as it is compared: case and spaces around it do not count. */
export function promoKey(code: string): string {
  return code.trim().toUpperCase()
}

const found = PromoCodes.pick(
  'id',
  'code',
  'discountPercent',
  'startsOn',
  'endsOn',
  'uses',
  'used',
  'applicableProducts',
)

/** The promo code of a publication by what the buyer typed; null when there is none. */
export async function findPromo(ctx: AppContext, publicationId: number, code: string): Promise<FoundPromo | null> {
  const [promo] = await found.rows(
    ctx,
    `SELECT ${found.columns()} FROM promo_codes WHERE publication_id = :publicationId AND code_key = :key AND removed_at IS NULL`,
    { publicationId, key: promoKey(code) },
  )
  return promo ?? null
}

/** Takes one use for an order, in the order's own transaction; false when the last one is gone: two buyers can never both have it. */
export async function takePromoUse(ctx: AppContext, promoId: number, orderId: number): Promise<boolean> {
  if (!(await countPromoUse(ctx, promoId))) return false
  await addRedemption(ctx, promoId, orderId)
  return true
}

/** Gives an order's use back when it fails or is cancelled; once, however often it is asked. */
export async function giveBackPromoUse(ctx: AppContext, orderId: number): Promise<void> {
  const promoId = await endRedemption(ctx, orderId)
  if (promoId !== null) await returnPromoUse(ctx, promoId)
}

/** Money came for an order that was given up: its use is taken again, if there is one left. */
export async function retakePromoUse(ctx: AppContext, promoId: number, orderId: number): Promise<void> {
  const redemption = await PromoRedemptions.find(ctx, { orderId, givenBackAt: null })
  if (!redemption) await takePromoUse(ctx, promoId, orderId)
}
