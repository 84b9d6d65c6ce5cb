import { z } from 'zod'
import type { PromoConditions } from '#core/pricing/discount.rules.ts'
import { products } from '#core/pricing/plan-code.rules.ts'
import type { Promo } from '#core/promos/own-promo.ts'
import { promoDay, promoStatuses, promoTerms } from '#core/promos/promo.rules.ts'
import type { FoundPromo } from '#core/promos/promo-uses.ts'
import { WireId } from './wire-values.ts'

/** The fields to add or change a promo code, under the specification's names. */
const promoBody = {
  code: 'code',
  name: 'name',
  discount: 'discountPercent',
  added: 'startsOn',
  uses: 'uses',
  endDate: 'endsOn',
  applicableProducts: 'applicableProducts',
}

export const newPromoBody = { pubid: 'publicationId', ...promoBody }

export const changedPromoBody = { promoid: 'id', pubid: 'publicationId', ...promoBody }

const WirePromoDay = z.string().nullable()

type TermFlags = Record<(typeof promoTerms)[number], z.ZodBoolean>
const Terms = z.object(Object.fromEntries(promoTerms.map((term) => [term, z.boolean()])) as TermFlags)
type ProductFlags = Record<(typeof products)[number], typeof Terms>

export const WirePromo = z.object({
  _id: WireId,
  pubid: WireId,
  name: z.string(),
  code: z.string(),
  discount: z.int().describe('Percent'),
  used: z.int(),
  uses: z.int().describe('0: unlimited'),
  added: WirePromoDay.describe('The first day, DD-MM-YYYY'),
  endDate: WirePromoDay.describe('The last day, DD-MM-YYYY; null: no end'),
  applicableProducts: z.object(Object.fromEntries(products.map((product) => [product, Terms])) as ProductFlags),
})

export const WireListedPromo = WirePromo.extend({ status: z.enum(promoStatuses) })

/** The fields of a promo code that buyers may see. */
export const WireShopPromo = WirePromo.omit({ pubid: true, name: true })

export function wireShopPromo(promo: FoundPromo): z.input<typeof WireShopPromo> {
  return { _id: promo.id, code: promo.code, used: promo.used, uses: promo.uses, ...wireConditions(promo) }
}

export function wirePromo<More extends Promo>(promo: More): More & z.input<typeof WirePromo> {
  return { ...promo, _id: promo.id, pubid: promo.publicationId, ...wireConditions(promo) }
}

function wireConditions(promo: PromoConditions) {
  const flagsOf = (product: (typeof products)[number]) =>
    Object.fromEntries(promoTerms.map((term) => [term, promo.applicableProducts[product]?.[term] === true]))
  return {
    discount: promo.discountPercent,
    added: promoDay(promo.startsOn) || null,
    endDate: promoDay(promo.endsOn) || null,
    applicableProducts: Object.fromEntries(products.map((product) => [product, flagsOf(product)])) as z.input<
      typeof WirePromo
    >['applicableProducts'],
  }
}
