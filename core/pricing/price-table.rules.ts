import type { Currency } from '../kernel/money.ts'
import { formatPlanCode, type Plan, type Product, products, type TermMonths, termLengths } from './plan-code.rules.ts'
import { type Band, bandOf, currencyOf } from './region.rules.ts'

/** One stored price of a publication, in minor units of its band's currency. */
export interface PriceRow {
  product: Product
  termMonths: TermMonths
  band: Band
  isRecurring: boolean
  amount: number
}

/** A publication's prices in all bands, as the storefront knows them. */
export interface PriceList {
  prices: readonly PriceRow[]
  /** The free products; a free product has no prices, even if older rows remain. */
  freeProducts: readonly Product[]
}

/** A plan on offer, with the code a form sends for it. */
export interface PlanOption extends Plan {
  code: string
  currency: Currency
  isFree: boolean
}

/** Every plan a country can buy, longest term first, one-off before recurring, free plans last. A price of zero does not count as a price. */
export function plansFor(list: PriceList, country: string): PlanOption[] {
  const band = bandOf(country)
  const currency = currencyOf(band)
  const option = (plan: Plan): PlanOption => ({
    ...plan,
    code: formatPlanCode(plan),
    currency,
    isFree: plan.termMonths === null,
  })
  const sold = termLengths.flatMap((termMonths) =>
    [false, true].flatMap((isRecurring) =>
      products.flatMap((product) => {
        if (list.freeProducts.includes(product)) return []
        const row = list.prices.find(
          (price) =>
            price.product === product &&
            price.termMonths === termMonths &&
            price.band === band &&
            price.isRecurring === isRecurring &&
            price.amount > 0,
        )
        return row ? [option({ product, termMonths, isRecurring, price: row.amount })] : []
      }),
    ),
  )
  const free = products
    .filter((product) => list.freeProducts.includes(product))
    .map((product) => option({ product, termMonths: null, isRecurring: false, price: 0 }))
  return [...sold, ...free]
}

/** The plan on offer that matches a chosen one, regardless of the price shown; null if this country cannot buy it. */
export function offerFor(list: PriceList, country: string, chosen: Omit<Plan, 'price'>): PlanOption | null {
  return (
    plansFor(list, country).find(
      (plan) =>
        plan.product === chosen.product &&
        plan.termMonths === chosen.termMonths &&
        plan.isRecurring === chosen.isRecurring,
    ) ?? null
  )
}
