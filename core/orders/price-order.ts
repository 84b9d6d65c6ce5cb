import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { conflict, invalid } from '../kernel/errors.ts'
import { type FieldPhrases, phraseOf } from '../kernel/phrases.ts'
import { discounted, promoProblem } from '../pricing/discount.rules.ts'
import { parsePlanCode, planName, planPhrase } from '../pricing/plan-code.rules.ts'
import { offerFor, type PlanOption } from '../pricing/price-table.rules.ts'
import { bandOf } from '../pricing/region.rules.ts'
import { type FoundPromo, findPromo } from '../promos/promo-uses.ts'
import type { Storefront } from '../storefronts/storefront.rules.ts'
import { checkCountry, type NewSale, requireSameTotal } from './new-sale.ts'
import type { ShownTotal } from './order-form.input.ts'
import { orderTexts } from './order-form-problems.rules.ts'
import type { Gift } from './orders.rows.ts'
import type { PlaceOrderInput } from './place-order.input.ts'

/** The fields of an order that its price depends on, and those that the sale keeps. */
export type PricedOrder = Pick<
  PlaceOrderInput,
  'plan' | 'country' | 'currency' | 'promoCode' | 'answers' | 'optOuts' | 'isGift' | 'giftEmail' | 'giftMessage'
> &
  ShownTotal

/**
 * Works out the price of what was chosen. A plan that is not on offer is refused; a price or currency other than the server's is a
 * conflict that names the right one, so that no buyer pays a price they did not see.
 */
export async function priceOrder(
  ctx: AppContext,
  storefront: Storefront,
  input: PricedOrder,
  /** The record that the order is for, if known, which may have its own promo code; and the open order that this one continues or replaces. */
  record: { readerId: number | null; openOrderId?: number | null } = { readerId: null },
): Promise<NewSale> {
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const chosen = parsePlanCode(input.plan)
  if (!chosen) throw invalid({ plan: 'Choose a subscription' })
  checkCountry(storefront, input.country)
  const plan = offerFor(storefront, input.country, chosen)
  if (!plan) throw invalid({ plan: 'This subscription is not available. Please choose another one.' })
  if (plan.price !== chosen.price || (input.currency !== undefined && input.currency !== plan.currency)) {
    const price = plan.isFree
      ? { template: 'free', values: {} }
      : { money: { amount: plan.price, currency: plan.currency } }
    const message = phraseOf('The price of {plan} is now {price}. Please check it and order again.', {
      plan: planPhrase(plan),
      price,
    })
    throw conflict(message, { fields: { plan: message }, detail: { plan: plan.code, currency: plan.currency } })
  }
  const promo = input.promoCode ? await findPromo(ctx, storefront.id, input.promoCode, record) : null
  if (input.promoCode) {
    const problem = promoProblem(promo, plan, today)
    if (problem || !promo) throw invalid({ promoCode: problem ?? '' })
  }
  return requireSameTotal(input, subscriptionSale(input, { plan, promo, today }))
}

function subscriptionSale(
  input: PricedOrder,
  { plan, promo, today }: { plan: PlanOption; promo: FoundPromo | null; today: Day },
): NewSale {
  const { answers, optOuts, country } = input
  const { price } = plan
  const { discount, amount } = promo ? discounted(price, promo.discountPercent) : { discount: 0, amount: price }
  const productName = planName(plan)
  return {
    kind: 'subscription',
    product: plan.product,
    productName,
    termMonths: plan.termMonths,
    isRecurring: plan.isRecurring,
    gift: giftOf(input),
    band: bandOf(country),
    currency: plan.currency,
    price,
    discount,
    amount,
    promo,
    items: [{ kind: 'subscription', backIssueId: null, description: productName, price, postage: 0, discount, amount }],
    buyerDraft: { optOuts, answers },
    today,
  }
}

/** The gift that a form asks for; null for an order of the buyer's own. */
export function giftOf({
  isGift,
  giftEmail,
  giftMessage,
}: Pick<PricedOrder, 'isGift' | 'giftEmail' | 'giftMessage'>): Gift | null {
  return isGift ? { email: giftEmail, message: giftMessage } : null
}

/** Every question of the publication has to be answered: A and B with Yes, C to E with any text. */
export function checkAnswers(storefront: Storefront, answers: Record<string, string>): void {
  const fields: FieldPhrases = {}
  for (const { key, kind } of storefront.questions) {
    const answer = (answers[key] ?? '').trim()
    if (answer === '') fields[`answers.${key}`] = orderTexts.required
    else if (kind === 'yesNo' && answer.toLowerCase() !== 'yes') {
      fields[`answers.${key}`] = orderTexts.notQualified
    }
  }
  if (Object.keys(fields).length > 0) throw invalid(fields)
}
