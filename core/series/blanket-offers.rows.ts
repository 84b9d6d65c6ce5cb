import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'
import { day, defaulted, defineTable, id, instant, integer, json, nullable, type RowOf, ref, text } from '../table.ts'

export const offeredStatuses = ['any', 'running', 'ended'] as const
export type OfferedStatus = (typeof offeredStatuses)[number]

/** Offers to readers whom staff choose by a filter. An offer is a draft until it is sent; it is sent once to each reader. */
export const BlanketOffers = defineTable('blanket_offers', {
  id: id(),
  publisherId: ref(),
  publicationId: ref(),
  /** The name that staff see; its promo codes have the same name. */
  name: text(),
  status: text<OfferedStatus>(),
  endsFrom: nullable(day()),
  endsUntil: nullable(day()),
  product: nullable(text<Product>()),
  /** Blank: all. */
  country: defaulted(text()),
  offerProduct: nullable(text<Product>()),
  offerTermMonths: nullable(integer<TermMonths>()),
  /** The discount, by a promo code for one reader and one use. */
  offerPercent: nullable(integer()),
  /** A special price in minor units, for each currency it applies to. */
  offerPrices: nullable(json<Partial<Record<Currency, number>>>()),
  validUntil: day(),
  /** Empty: the publication's template for offers; without one, the standard text. */
  subject: defaulted(text()),
  body: defaulted(text()),
  /** The day on which sending began; null: a draft. */
  sentOn: nullable(day()),
  createdAt: instant(),
  updatedAt: instant(),
})

export type BlanketOfferRow = RowOf<typeof BlanketOffers>

/** The filter that chooses the readers. */
export interface OfferFilter {
  status: OfferedStatus
  endsFrom: Day | null
  endsUntil: Day | null
  product: Product | null
  country: string
}
