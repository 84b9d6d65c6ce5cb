import type { ApplicableProducts, PromoConditions } from '#core/pricing/discount.rules.ts'
import { products } from '#core/pricing/plan-code.rules.ts'
import { everyProduct, promoDay, promoTerms } from '#core/promos/promo.rules.ts'
import type { TypedPromo } from '#core/promos/typed-promo.rules.ts'

/** The promo form's fields as text by name. */
export type PromoValues = Record<string, string>

/** The name of a checkbox in the table of products. */
export function checkboxName(product: string, term: string): string {
  return `applicableProducts.${product}.${term}`
}

/** The values of a new code: everything ticked, nothing filled in. */
export function newPromoValues(): PromoValues {
  return checkboxValues(everyProduct)
}

/** The values of a stored code. */
export function storedPromoValues(promo: PromoConditions & { name: string; code: string }): PromoValues {
  return {
    name: promo.name,
    code: promo.code,
    discountPercent: String(promo.discountPercent),
    startsOn: promoDay(promo.startsOn),
    endsOn: promoDay(promo.endsOn),
    uses: String(promo.uses),
    ...checkboxValues(promo.applicableProducts),
  }
}

function checkboxValues(applicable: ApplicableProducts): PromoValues {
  return Object.fromEntries(
    products.flatMap((product) =>
      promoTerms.flatMap((term) => (applicable[product]?.[term] ? [[checkboxName(product, term), 'on']] : [])),
    ),
  )
}

/** The form's fields as input for the use cases; `applicableProducts.print.priceOneYear` is nested. */
export function promoInput(values: PromoValues): TypedPromo & { name: string; code: string } {
  const text = (name: string) => values[name] ?? ''
  return {
    name: text('name'),
    code: text('code'),
    discountPercent: text('discountPercent'),
    startsOn: text('startsOn'),
    endsOn: text('endsOn'),
    uses: text('uses'),
    applicableProducts: Object.fromEntries(
      products.map((product) => [
        product,
        Object.fromEntries(promoTerms.map((term) => [term, values[checkboxName(product, term)] === 'on'])),
      ]),
    ),
  }
}
