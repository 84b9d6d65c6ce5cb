import type { Coupon } from '#core/ports/plan-billing.ts'
import type { PlanQuote, PriceType } from '#core/pricing/publisher-plans.rules.ts'
import { pounds } from '../account/plan-texts.ts'

interface ChargeTexts {
  /** The name of the total in a price table. */
  total: string
  /** What is due today and later, as a sentence. */
  due: string
  /** The same in short, for a payment of the given amount. */
  summary: (amount: number) => string
}

/** How a plan's price is stated: a promo code that does not apply to every month reduces only the first charges. */
export function chargeTexts(quote: PlanQuote, coupon: Coupon | null, priceType: PriceType): ChargeTexts {
  const { net, vat, total } = quote
  const isReducedAtFirst = coupon !== null && !coupon.isForever
  const later = `${pounds(net + vat)} a month once the code has ended`
  return {
    total: `${isReducedAtFirst ? 'First month' : 'Monthly charge'}${priceType === 'VAT' ? ' including VAT' : ', no VAT'}`,
    due: `${pounds(total)} is due today, then ${isReducedAtFirst ? later : `${pounds(total)} each month`}.`,
    summary: (amount) =>
      isReducedAtFirst ? `${pounds(amount)} today, then ${later}` : `${pounds(amount)} a month, the first one today`,
  }
}
