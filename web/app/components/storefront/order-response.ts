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

/** A refused order as its form shows it: all values are returned except passwords and card details. */
export interface OrderProblem {
  message: Phrase
  hint: Phrase | undefined
  errors: FieldPhrases
  values: Record<string, string>
  /** Whether it is shown at its field only: no order was sent. */
  isFieldOnly?: boolean
}

/** An order that waits for the buyer to pay, and the page that will show the result. */
export interface OpenOrder {
  orderNumber: string
  key: string
  productName: string
  amount: number
  currency: Currency
  successUrl: string
}

/** The server's response to an order form, sent by script or by the browser. */
export type OrderResponse =
  | { kind: 'done'; url: string }
  | { kind: 'step'; step: PaymentStep; order: OpenOrder; values: Record<string, string> }
  | { kind: 'promo'; promo: Promo; values: Record<string, string> }
  /**
   * Nothing was ordered: the form is shown again with its values, to show the total, for another country, or after a cancelled payment. Here
   * and below, an undefined promo code is unchanged.
   */
  | { kind: 'redisplay'; promo?: Promo | null; values: Record<string, string> }
  | { kind: 'refused'; problem: OrderProblem; promo: Promo | null | undefined; status: number }
  /** The shop was closed in the meantime, as its page states. */
  | { kind: 'closed'; url: string }

/** The values of a form that the browser posted. */
export function sentValues(answer: OrderResponse | undefined): Record<string, string> {
  if (answer?.kind === 'refused') return answer.problem.values
  return answer && 'values' in answer ? answer.values : {}
}
