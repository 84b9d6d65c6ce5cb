import { type Product, productNames } from '../pricing/plan-code.rules.ts'

/** What the ledger's totals are broken down by. Null: copies of back issues, without their postage, which is a product of its own. */
export type LedgerProduct = Product | 'postage' | null

export function ledgerProductName(product: LedgerProduct): string {
  if (product === null) return 'Back issues'
  return product === 'postage' ? 'Postage of back issues' : productNames[product]
}
