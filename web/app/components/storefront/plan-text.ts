import type { Translator } from '#core/kernel/translator.ts'
import type { PlanChoice, Product, TermMonths } from '#core/pricing/plan-code.rules.ts'
import { phrase } from '../../i18n/phrase.ts'

const products: Record<Product, string> = {
  print: phrase('Print'),
  digital: phrase('Digital'),
  bundle: phrase('Print and digital'),
}

const terms: Record<TermMonths, string> = {
  12: phrase('One year'),
  6: phrase('Six months'),
  3: phrase('Three months'),
  1: phrase('One month'),
}

/** The terms inside a sentence: separate phrases, because German keeps the capitals. */
const termsInSentence: Record<TermMonths, string> = {
  12: phrase('one year'),
  6: phrase('six months'),
  3: phrase('three months'),
  1: phrase('one month'),
}

export function productText(t: Translator, product: Product): string {
  return t(products[product])
}

export function termText(t: Translator, termMonths: TermMonths | null): string {
  return termMonths === null ? t('Until further notice') : t(terms[termMonths])
}

/** "Print, one year, renews automatically", in the language of the page. */
export function planText(t: Translator, plan: PlanChoice): string {
  const term = plan.termMonths === null ? t('free') : t(termsInSentence[plan.termMonths])
  return [productText(t, plan.product), term, ...(plan.isRecurring ? [t('renews automatically')] : [])].join(', ')
}

/** The description of an order of back issues: "2 back issues: Winter 2025, Spring 2026". */
export function issuesText(t: Translator, volumes: readonly string[]): string {
  const [volume = ''] = volumes
  return volumes.length === 1
    ? t('Back issue: {volume}', { volume })
    : t('{count} back issues: {volumes}', { count: volumes.length, volumes: volumes.join(', ') })
}
