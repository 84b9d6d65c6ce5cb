import type { RenewalSummary } from '../agreements/renewal-summary.rules.ts'
import type { Day } from '../kernel/dates.ts'
import type { Language } from '../kernel/languages.ts'
import type { Currency } from '../kernel/money.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'

/** The contents of the page after an order. */
export interface Confirmation {
  /** `confirmed`, `being-confirmed` while the outcome is unknown, or `not-confirmed`: no money was taken, or it was refunded. */
  status: 'confirmed' | 'being-confirmed' | 'not-confirmed'
  /** Why it is not confirmed; null in the other states. */
  why: 'declined' | 'cancelled' | 'refunded' | 'reversed' | null
  orderNumber: string
  /** Null for back issues, which are in `issues`. */
  product: Product | null
  productName: string
  amount: number
  issues: { volume: string; price: number; postage: number }[]
  currency: Currency
  isFree: boolean
  email: string
  subStartOn: Day | null
  subEndOn: Day | null
  termMonths: TermMonths | null
  isRecurring: boolean
  /** The price of each renewal, in minor units: the plan's own price, which no promo code lowers. */
  renewalPrice: number
  /** The buyer's own automatic renewal that this order ended; null if none. */
  replaced: RenewalSummary | null
  /** The day a direct debit is taken, while the bank works on it. */
  chargedOn: Day | null
  /** A buyer who paid by wallet was asked for no password: the account still needs one. */
  needsPassword: boolean
  /** The address it is posted to; null if nothing is posted. */
  delivery: PostalAddress | null
  /** The recipient and text of a gift notice; `email` is empty if the recipient is not notified. Null: the buyer's own subscription. */
  gift: { email: string; message: string } | null
  urlKey: string
  country: string
  /** The language of the page it was sent from; null if unknown. */
  language: Language | null
  /** The plan's code, to choose it again; null for back issues. */
  plan: string | null
}

/** The storefront's address with the same choices selected; typed values are filled in if the browser has kept them. */
export function orderAgainAddress({ urlKey, product, country, plan }: Confirmation): string {
  const search = new URLSearchParams({ country, ...(plan ? { plan } : {}) })
  return `/${urlKey}${product ? '' : '/issues'}?${search}`
}
