import type { Currency } from '#core/kernel/money.ts'
import type { FieldPhrases, Phrase } from '#core/kernel/phrases.ts'
import type { PaymentStep } from '#core/ports/payment-gateway.ts'
import type { ApplicableProducts } from '#core/pricing/discount.rules.ts'

/** A promo code that was checked and applies to some plans. */
export interface Promo {
  code: string
  discountPercent: number
  applicableProducts: ApplicableProducts
}

/** A refused order as its form shows it: everything typed comes back but passwords and cards. */
export interface OrderProblem {
  message: Phrase
  hint: Phrase | undefined
  errors: FieldPhrases
  values: Record<string, string>
  /** It is said beside its field alone: no order was sent. */
  isInPlace?: boolean
}

/** An order that waits for its buyer's step, and the page that will say what became of it. */
export interface OpenOrder {
  orderNumber: string
  key: string
  productName: string
  amount: number
  currency: Currency
  successUrl: string
}

/** What the server says to an order form, whether a script sent it or the browser itself. */
export type OrderAnswer =
  | { kind: 'done'; url: string }
  | { kind: 'step'; step: PaymentStep; order: OpenOrder; values: Record<string, string> }
  | { kind: 'promo'; promo: Promo; values: Record<string, string> }
  /** Nothing was ordered: the page comes back with what was typed, for its total or after an order was cancelled. */
  | { kind: 'kept'; values: Record<string, string> }
  | { kind: 'refused'; problem: OrderProblem; promo: Promo | null; status: number }
  /** The shop was closed meanwhile: its page says so. */
  | { kind: 'closed'; url: string }

/** What was typed into a form that the browser itself sent. */
export function sentValues(answer: OrderAnswer | undefined): Record<string, string> {
  if (answer?.kind === 'refused') return answer.problem.values
  return answer && 'values' in answer ? answer.values : {}
}
