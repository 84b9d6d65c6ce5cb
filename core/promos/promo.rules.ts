import { type Day, formatDay } from '../kernel/dates.ts'
import { countOf, formatCount } from '../kernel/text-format.ts'
import type { ApplicableProducts, PromoConditions, PromoTerm } from '../pricing/discount.rules.ts'
import { products } from '../pricing/plan-code.rules.ts'

export const promoTerms = ['priceOneYear', 'priceSixMonths', 'priceThreeMonths'] as const satisfies readonly PromoTerm[]

export const promoTermNames: Record<PromoTerm, string> = {
  priceOneYear: 'One year',
  priceSixMonths: 'Six months',
  priceThreeMonths: 'Three months',
}

const everyTerm = { priceOneYear: true, priceSixMonths: true, priceThreeMonths: true }

/** What a code is valid for by default. */
export const everyProduct: ApplicableProducts = { print: everyTerm, digital: everyTerm, bundle: everyTerm }

/** The maximum number of uses. */
export const maxUses = 1_000_000

export const promoStatuses = ['scheduled', 'live', 'used up', 'expired'] as const
export type PromoStatus = (typeof promoStatuses)[number]

/** The state of a code on a day. Its last day still counts; a code both past its end and used up is expired. */
export function promoStatus(
  promo: Pick<PromoConditions, 'startsOn' | 'endsOn' | 'uses' | 'used'>,
  today: Day,
): PromoStatus {
  if (promo.endsOn && today > promo.endsOn) return 'expired'
  if (promo.uses !== 0 && promo.used >= promo.uses) return 'used up'
  return promo.startsOn && today < promo.startsOn ? 'scheduled' : 'live'
}

/** A day as the promo screens write it: 31-12-2026. */
export function promoDay(day: Day | null): string {
  return day === null ? '' : formatDay(day).replaceAll('/', '-')
}

/** "12 of 50", or "12, Unlimited". */
export function usesText({ uses, used }: Pick<PromoConditions, 'uses' | 'used'>): string {
  return uses === 0 ? `${formatCount(used)}, Unlimited` : `${formatCount(used)} of ${formatCount(uses)}`
}

/** The address that opens a storefront with the code applied already. */
export function promoLink(appUrl: string, { urlKey, code }: { urlKey: string; code: string }): string {
  return `${appUrl}/${urlKey}?promo=${encodeURIComponent(code)}`
}

/** What a code does, in one sentence: "25% off print and bundle, from today, until 31-12-2026, unlimited uses". */
export function promoSentence(
  promo: Pick<PromoConditions, 'discountPercent' | 'startsOn' | 'endsOn' | 'uses' | 'applicableProducts'>,
  today: Day,
): string {
  const start =
    promo.startsOn === null || promo.startsOn === today
      ? 'from today'
      : `${promo.startsOn < today ? 'since' : 'from'} ${promoDay(promo.startsOn)}`
  return [
    `${promo.discountPercent}% off ${validFor(promo.applicableProducts)}`,
    start,
    promo.endsOn === null ? 'with no end' : `until ${promoDay(promo.endsOn)}`,
    promo.uses === 0 ? 'unlimited uses' : `at most ${countOf(promo.uses, 'use')}`,
  ].join(', ')
}

/**
 * What a code is valid for, as text. Products with the same terms are grouped: "print and bundle (one year)", "every subscription of three months
 * or longer".
 */
export function validFor(applicable: ApplicableProducts): string {
  const groups = new Map<string, string[]>()
  for (const product of products) {
    const terms = promoTerms.filter((term) => applicable[product]?.[term])
    if (terms.length === 0) continue
    const key =
      terms.length === promoTerms.length ? '' : ` (${list(terms.map((term) => promoTermNames[term].toLowerCase()))})`
    groups.set(key, [...(groups.get(key) ?? []), product])
  }
  if (groups.size === 0) return 'nothing'
  if (groups.get('')?.length === products.length) return 'every subscription of three months or longer'
  const groupTexts = [...groups].map(([terms, names]) => `${list(names)}${terms}`)
  // "print and digital and bundle (one year)" would be ambiguous about what the one year applies to.
  return [...groups.values()].some((names) => names.length > 1) ? groupTexts.join(', and ') : list(groupTexts)
}

function list(texts: readonly string[]): string {
  return texts.length < 2 ? (texts[0] ?? '') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`
}
