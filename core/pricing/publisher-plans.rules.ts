/** What a publisher pays for: its titles with the online page turner, or with the mobile app as well. */
export const planKinds = ['standard', 'plus'] as const
export type PlanKind = (typeof planKinds)[number]

/** With VAT for a publisher in the United Kingdom, without for all others (docs/deviations.md). */
export const priceTypes = ['VAT', 'TAXFREE'] as const
export type PriceType = (typeof priceTypes)[number]

/** A monthly plan. Amounts are pence. */
export interface PublisherPlan {
  /** Its name in calls and in the account: the kind and the number of titles. */
  key: string
  name: string
  kind: PlanKind
  titles: number
  /** Its position on the slider, from zero: one less than the number of titles. */
  order: number
  pricePerTitle: number
  /** Per month, for all its titles. */
  price: number
  pricePlusVat: number
}

/** More titles than this are on request. */
export const maxTitles = 10

/** The VAT rate on the plans' prices in the United Kingdom. */
export const vatPercent = 20

/** The prices: pence per title and month, from a number of titles on. */
const pricePerTitle: Record<PlanKind, readonly { from: number; pence: number }[]> = {
  standard: [
    { from: 1, pence: 6500 },
    { from: 2, pence: 4500 },
    { from: 6, pence: 3500 },
  ],
  plus: [
    { from: 1, pence: 19500 },
    { from: 2, pence: 14000 },
    { from: 6, pence: 11500 },
  ],
}

const kindNames: Record<PlanKind, string> = { standard: 'Standard', plus: 'With the mobile app' }

/** Every plan that can be bought: the standard ones, then those with the app, each from one title to ten. */
export const publisherPlans: readonly PublisherPlan[] = planKinds.flatMap((kind) =>
  Array.from({ length: maxTitles }, (_, order) => {
    const titles = order + 1
    const perTitle = pricePerTitle[kind].findLast(({ from }) => from <= titles)?.pence ?? 0
    const price = perTitle * titles
    return {
      key: `${kind}-${titles}`,
      name: `${kindNames[kind]}, ${titles === 1 ? '1 title' : `${titles} titles`}`,
      kind,
      titles,
      order,
      pricePerTitle: perTitle,
      price,
      pricePlusVat: price + partOf(price, vatPercent),
    }
  }),
)

/** The monthly price per title by the number of titles: the rows of a price table. */
export function priceTiers(kind: PlanKind): { from: number; to: number; pence: number }[] {
  const tiers = pricePerTitle[kind]
  return tiers.map((tier, index) => ({ ...tier, to: (tiers[index + 1]?.from ?? maxTitles + 1) - 1 }))
}

/** The plan for a number of titles; undefined for none, a fraction or more than ten. */
export function planFor(titles: number, kind: PlanKind): PublisherPlan | undefined {
  return publisherPlans.find((plan) => plan.titles === titles && plan.kind === kind)
}

export function planByKey(key: string): PublisherPlan | undefined {
  return publisherPlans.find((plan) => plan.key === key)
}

export function priceTypeOf(country: string): PriceType {
  return country.toUpperCase() === 'GB' ? 'VAT' : 'TAXFREE'
}

/** What is charged each month, a coupon's percentage deducted from the amount including VAT. */
export function monthlyTotal(plan: PublisherPlan, priceType: PriceType, percentOff = 0): number {
  const full = priceType === 'VAT' ? plan.pricePlusVat : plan.price
  return full - partOf(full, percentOff)
}

/** A percentage of an amount, rounded half up to the penny. Percentages have two decimals at most, so integer arithmetic is exact. */
function partOf(amount: number, percent: number): number {
  return Math.floor((amount * Math.round(percent * 100) + 5000) / 10_000)
}

/** The price of a plan for a publisher, line by line. Amounts are pence a month; net + vat - off is the total. */
export interface PlanQuote {
  titles: number
  perTitle: number
  net: number
  vat: number
  off: number
  total: number
}

/** The quotes of a kind of plan, from one title to ten. */
export function planQuotes(kind: PlanKind, priceType: PriceType, percentOff: number): PlanQuote[] {
  return publisherPlans
    .filter((plan) => plan.kind === kind)
    .map((plan) => {
      const vat = priceType === 'VAT' ? plan.pricePlusVat - plan.price : 0
      const total = monthlyTotal(plan, priceType, percentOff)
      return {
        titles: plan.titles,
        perTitle: plan.pricePerTitle,
        net: plan.price,
        vat,
        off: plan.price + vat - total,
        total,
      }
    })
}
