import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import type { Product } from '../pricing/plan-code.rules.ts'

/** What the page after an order says. */
export interface Confirmation {
  /** `confirmed`, `being-confirmed` while the bank has not answered, or `not-confirmed`: then no money was taken. */
  face: 'confirmed' | 'being-confirmed' | 'not-confirmed'
  orderNumber: string
  /** Null for back issues, which stand in `issues`. */
  product: Product | null
  productName: string
  amount: number
  issues: { volume: string; price: number; postage: number }[]
  currency: Currency
  isFree: boolean
  email: string
  subStartOn: Day | null
  subEndOn: Day | null
  termMonths: number | null
  isRecurring: boolean
  urlKey: string
}
