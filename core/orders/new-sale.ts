import type { Day } from '../kernel/dates.ts'
import { conflict, invalid } from '../kernel/errors.ts'
import type { Currency } from '../kernel/money.ts'
import { phraseOf } from '../kernel/phrases.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'
import type { Band } from '../pricing/region.rules.ts'
import type { FoundPromo } from '../promos/promo-uses.ts'
import type { Storefront } from '../storefronts/storefront.rules.ts'
import type { ShownTotal } from './order-form.input.ts'
import type { BuyerDraft, Gift, OrderKind } from './orders.rows.ts'

/** One line of an order, in minor units. */
interface SaleItem {
  kind: 'subscription' | 'back-issue'
  backIssueId: number | null
  description: string
  price: number
  postage: number
  discount: number
  amount: number
}

/** The items of a new order and their cost at the server's own prices, in minor units of its currency. */
export interface NewSale {
  kind: OrderKind
  /** Null for back issues: they are not a subscription and have no term. */
  product: Product | null
  productName: string
  termMonths: TermMonths | null
  isRecurring: boolean
  /** Null: the order is for the buyer. */
  gift: Gift | null
  band: Band
  currency: Currency
  price: number
  discount: number
  amount: number
  promo: FoundPromo | null
  items: SaleItem[]
  /** The reader whose subscription it renews, and the effort whose link was used. Absent: the reader is looked up when the order is paid. */
  renews?: { readerId: number; effortId: number }
  /** The buyer's choices that take effect with the payment. */
  buyerDraft: Omit<BuyerDraft, 'passwordHash' | 'isUnproven'>
  today: Day
}

/** Throws `invalid` for an order from abroad if the publisher does not sell overseas. */
export function checkCountry({ publisher, publicationName }: Storefront, country: string): void {
  if (!publisher.sellsOverseas && country !== publisher.country) {
    throw invalid({ country: phraseOf('{title} is not sold in this country', { title: publicationName }) })
  }
}

/** Throws `conflict` if the total or the discount that the buyer saw, where it was sent, differs from the server's. */
export function requireSameTotal(input: ShownTotal, sale: NewSale): NewSale {
  const own = { total: sale.amount, minorTotal: sale.amount, discountPercent: sale.promo?.discountPercent ?? 0 }
  const wrong = (['total', 'minorTotal', 'discountPercent'] as const).filter(
    (name) => input[name] !== undefined && input[name] !== own[name],
  )
  if (wrong.length === 0) return sale
  const message = phraseOf('The total is {total}. Please check it and order again.', {
    total: { money: { amount: sale.amount, currency: sale.currency } },
  })
  throw conflict(message, {
    fields: Object.fromEntries(wrong.map((name) => [name, message])),
    detail: { amount: sale.amount },
  })
}
