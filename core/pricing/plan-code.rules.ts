import { formatMinorUnits, parseMinorUnits } from '../kernel/money.ts'
import { english, type JoinedPhrases } from '../kernel/phrases.ts'

/** What can be subscribed to; `bundle` is print and digital together. */
export const products = ['print', 'digital', 'bundle'] as const
export type Product = (typeof products)[number]

/** The lengths a paid term can have, in months, longest first as every table shows them. */
export const termLengths = [12, 6, 3, 1] as const
export type TermMonths = (typeof termLengths)[number]

/** A chosen plan. A free plan has no term: it runs until further notice. `price` is in minor units, as it was shown. */
export interface Plan {
  product: Product
  termMonths: TermMonths | null
  isRecurring: boolean
  price: number
}

const productLetters: Record<Product, string> = { print: 'P', digital: 'D', bundle: 'B' }
const termLetters: Record<TermMonths, string> = { 12: '1', 6: '6', 3: '3', 1: '2' }

/** A plan in wire format: term, product, one-off or recurring, price. 1PN29.99 is a year of print, once, for 29.99. */
export function formatPlanCode(plan: Plan): string {
  const term = plan.termMonths === null ? 'F' : termLetters[plan.termMonths]
  return `${term}${productLetters[plan.product]}${plan.isRecurring ? 'R' : 'N'}${plan.termMonths === null ? '' : formatMinorUnits(plan.price)}`
}

/** Reads a plan code; null if it is invalid. A free code has no price or a price of zero. */
export function parsePlanCode(code: string): Plan | null {
  const match = /^([F1632])([PDB])([NR])(.*)$/.exec(code.trim())
  if (!match) return null
  const [, term, letter, renewal, amount = ''] = match
  const product = products.find((candidate) => productLetters[candidate] === letter)
  if (!product) return null
  const termMonths = termLengths.find((months) => termLetters[months] === term) ?? null
  const price = amount === '' && termMonths === null ? 0 : parseMinorUnits(amount)
  if (price === null || (termMonths === null && (price !== 0 || renewal === 'R'))) return null
  return { product, termMonths, isRecurring: renewal === 'R', price }
}

export const productNames: Record<Product, string> = { print: 'Print', digital: 'Digital', bundle: 'Print and digital' }

const termNames: Record<TermMonths, string> = { 12: 'One year', 6: 'Six months', 3: 'Three months', 1: 'One month' }

/** "One year", or "Until further notice" for a free plan. */
export function termName(termMonths: TermMonths | null): string {
  return termMonths === null ? 'Until further notice' : termNames[termMonths]
}

/** The choice of a plan, regardless of its price. */
export type PlanChoice = Pick<Plan, 'product' | 'termMonths' | 'isRecurring'>

/** The description of an order line: "Print, one year, renews automatically". */
export function planName(plan: PlanChoice): string {
  return english(planPhrase(plan))
}

/** The same description as phrases to be translated, part by part. */
export function planPhrase({ product, termMonths, isRecurring }: PlanChoice): JoinedPhrases {
  const term = termMonths === null ? 'free' : termName(termMonths).toLowerCase()
  return { phrases: [productNames[product], term, ...(isRecurring ? ['renews automatically'] : [])], by: ', ' }
}

/** Whether something is posted: digital only is not. */
export function isDelivered(product: Product): boolean {
  return product !== 'digital'
}
