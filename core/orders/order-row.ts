import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import type { OrderState } from '../kernel/order-state.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'
import type { OptOuts } from '../readers/opt-outs.rules.ts'

/** What waits in a pending order until payment makes the buyer of it. */
export interface BuyerDraft {
  /** Null where the buyer was there before, or pays by wallet and has chosen none. */
  passwordHash: string | null
  /** Ordered under the e-mail of a buyer who has not logged in (a wallet asks for no password): nothing of that buyer's is changed. */
  isUnproven?: boolean
  optOuts: OptOuts
  answers: Record<string, string>
}

/** What a giver says of a gift besides where it goes. */
export interface Gift {
  /** Of the one who gets it; empty where they are not to be told. */
  email: string
  message: string
}

export type OrderKind = 'subscription' | 'back-issues'

/** An order's own row, as the use-cases of this area read it. */
export interface OrderRow {
  id: number
  publisher_id: number
  publication_id: number
  order_number: string
  state: OrderState
  idempotency_key: string
  placed_at: Date | string
  ordered_on: Day
  kind: OrderKind
  /** Null for back issues. */
  product: Product | null
  product_name: string
  term_months: TermMonths | null
  is_recurring: unknown
  is_gift: unknown
  gift: unknown
  band: string
  country: string
  currency: Currency
  amount: number
  promo_code_id: number | null
  payment_type: string
  sub_start_on: Day | null
  sub_end_on: Day | null
  buyer_id: number | null
  reader_id: number | null
  buyer_draft: unknown
  title: string
  first_name: string
  last_name: string
  email: string
  mobile: string
  billing: unknown
  shipping: unknown
}
