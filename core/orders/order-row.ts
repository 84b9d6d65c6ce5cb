import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'
import type { OptOuts } from '../readers/opt-outs.rules.ts'

/** What waits in a pending order until payment makes the buyer of it. */
export interface BuyerDraft {
  /** Null where the buyer was there before and has shown the password. */
  passwordHash: string | null
  optOuts: OptOuts
  answers: Record<string, string>
}

export type OrderKind = 'subscription' | 'back-issues'

export type OrderState = 'pending' | 'paid' | 'declined' | 'cancelled' | 'refunded'

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
  band: string
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

/** A JSON column: SQLite gives text, PostgreSQL the value. */
export function asJson<T>(value: unknown): T {
  return (typeof value === 'string' ? JSON.parse(value) : value) as T
}
