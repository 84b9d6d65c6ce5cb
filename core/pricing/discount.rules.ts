import type { Day } from '../kernel/dates.ts'
import { percentOf } from '../kernel/money.ts'
import type { Plan, Product, TermMonths } from './plan-code.rules.ts'

/** The terms a promo code can apply to: a one-month term is never among them. */
export type PromoTerm = 'priceOneYear' | 'priceSixMonths' | 'priceThreeMonths'

/** Which products and terms a promo code is valid for. */
export type ApplicableProducts = Partial<Record<Product, Partial<Record<PromoTerm, boolean>>>>

/** What a promo code takes off, when, how often and for what. */
export interface PromoConditions {
  discountPercent: number
  startsOn: Day | null
  endsOn: Day | null
  /** Zero is unlimited. */
  uses: number
  used: number
  applicableProducts: ApplicableProducts
}

export const promoMessages = {
  invalid: 'Promo code invalid or expired',
  otherProduct: 'This promo code is not for the product selected',
  freeRenewal:
    'This promo code cannot be used for a subscription that renews automatically. Please choose one that does not renew.',
} as const

const termFlags: Partial<Record<TermMonths, PromoTerm>> = {
  12: 'priceOneYear',
  6: 'priceSixMonths',
  3: 'priceThreeMonths',
}

/**
 * Why a promo code does not apply to a plan on a day, as the text shown to the buyer; null if it does. Its last day still counts.
 * If no plan is chosen yet, only the code is checked.
 */
export function promoProblem(promo: PromoConditions | null, plan: Plan | null, today: Day): string | null {
  if (!promo || promo.discountPercent <= 0) return promoMessages.invalid
  if ((promo.startsOn && today < promo.startsOn) || (promo.endsOn && today > promo.endsOn)) return promoMessages.invalid
  if (promo.uses !== 0 && promo.used >= promo.uses) return promoMessages.invalid
  if (plan === null) return null
  const flag = plan.termMonths === null ? undefined : termFlags[plan.termMonths]
  if (!flag || !promo.applicableProducts[plan.product]?.[flag]) return promoMessages.otherProduct
  // A free first term stores no payment method with which the next one could be charged.
  const isFree = discounted(plan.price, promo.discountPercent).amount === 0
  return plan.isRecurring && isFree ? promoMessages.freeRenewal : null
}

/** Whether any promo code can apply to a term; null: none is chosen yet. */
export function takesPromo(termMonths: TermMonths | null): boolean {
  return termMonths === null || termFlags[termMonths] !== undefined
}

/** A price less a percentage: the discount is rounded half up, and both parts add up to the price. */
export function discounted(price: number, percent: number): { discount: number; amount: number } {
  const discount = percentOf(price, percent)
  return { discount, amount: price - discount }
}
