import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'
import type { PriceList } from '../pricing/price-table.rules.ts'
import { type Band, bandOf, bands, currencyOf } from '../pricing/region.rules.ts'
import type { EffortOffer } from './series.rules.ts'

/** The countries an offer may go to: one, or all of them (an empty text). */
interface OfferScope {
  country: string
  publisher: { country: string; sellsOverseas: boolean }
}

/**
 * The price bands in which an offered product, with its term if one is named, is not sold: the links of readers there offer another plan, or none.
 * A price of the offer itself sells it. Empty where the offer names no product: then each reader is offered their own.
 */
export function unsoldBands(
  { offerProduct, offerTermMonths, offerPrices }: EffortOffer,
  list: PriceList,
  { country, publisher }: OfferScope,
): Band[] {
  if (offerProduct === null || list.freeProducts.includes(offerProduct)) return []
  const isSoldIn = (band: Band) =>
    offerPrices?.[currencyOf(band)] !== undefined || hasPrice(list, { offerProduct, offerTermMonths, band })
  const reached = publisher.sellsOverseas ? country : publisher.country
  return bands.filter((band) => (reached === '' || bandOf(reached) === band) && !isSoldIn(band))
}

function hasPrice(
  { prices }: PriceList,
  plan: { offerProduct: Product; offerTermMonths: TermMonths | null; band: Band },
): boolean {
  return prices.some(
    ({ product, termMonths, band, amount }) =>
      product === plan.offerProduct &&
      band === plan.band &&
      amount > 0 &&
      (plan.offerTermMonths === null || termMonths === plan.offerTermMonths),
  )
}
