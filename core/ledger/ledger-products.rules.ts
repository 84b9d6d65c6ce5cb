import { type Product, productNames } from '../pricing/plan-code.rules.ts'

/** What the sums of the ledger are divided by. Null: copies of back issues; `postage` is what posting those was paid for, apart from them. */
export type LedgerProduct = Product | 'postage' | null

export function ledgerProductName(product: LedgerProduct): string {
  if (product === null) return 'Back issues'
  return product === 'postage' ? 'Postage of back issues' : productNames[product]
}
