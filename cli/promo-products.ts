import type { ApplicableProducts, PromoTerm } from '#core/pricing/discount.rules.ts'
import { type Product, products } from '#core/pricing/plan-code.rules.ts'
import { promoTerms } from '#core/promos/promo.rules.ts'
import { usageError } from './cli-error.ts'

const months: Record<string, PromoTerm> = { 12: 'priceOneYear', 6: 'priceSixMonths', 3: 'priceThreeMonths' }

/** Reads "print:12,6" "digital" "bundle:3": a product with the months of its terms, or with all of them. */
export function promoProducts(tokens: readonly string[]): ApplicableProducts {
  const applicable: ApplicableProducts = {}
  for (const word of tokens) {
    const [name = '', terms] = word.toLowerCase().split(':')
    const product = products.find((key) => key === name)
    const termNames = terms === undefined ? [...promoTerms] : terms.split(',').map((term) => months[term])
    if (!product || termNames.includes(undefined)) throw unknownProduct(word)
    applicable[product] = { ...applicable[product], ...Object.fromEntries(termNames.map((term) => [term, true])) }
  }
  return applicable
}

function unknownProduct(word: string): Error {
  const kinds: readonly Product[] = products
  return usageError(
    `--products: unknown product "${word}"`,
    `specify ${kinds.join(', ')}, each alone or with its months, 12, 6 or 3: --products print:12,6 digital`,
  )
}
