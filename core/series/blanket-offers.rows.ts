import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'
import { day, defaulted, defineTable, id, instant, integer, json, nullable, type RowOf, ref, text } from '../table.ts'

export const offeredStatuses = ['any', 'running', 'ended'] as const
export type OfferedStatus = (typeof offeredStatuses)[number]

/** Offers that staff make to readers they choose by a filter. One is a draft until it is sent, and is sent once to each reader. */
export const BlanketOffers = defineTable('blanket_offers', {
  id: id(),
  publisherId: ref(),
  publicationId: ref(),
  /** The name that staff see, also for its promo codes. */
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
  /** Empty: the template of offers of the publication, then the standard text. */
  subject: defaulted(text()),
  body: defaulted(text()),
  /** The day it was sent as of; null: a draft. */
  sentOn: nullable(day()),
  createdAt: instant(),
  updatedAt: instant(),
})

export type BlanketOfferRow = RowOf<typeof BlanketOffers>

/** The filter that chooses the readers. */
export interface OfferedTo {
  status: OfferedStatus
  endsFrom: Day | null
  endsUntil: Day | null
  product: Product | null
  country: string
}
