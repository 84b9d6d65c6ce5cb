import { formatMinorUnits } from '#core/kernel/money.ts'
import { bandNames } from '#core/pricing/region.rules.ts'

/** The form's fields as text. */
export type BackIssueValues = Record<string, string>

/** The three price bands in the form and on the cards, with the names of their two amounts. */
export const bandFields = [
  { label: bandNames.UK, currency: 'GBP', price: 'price', postage: 'postage' },
  { label: bandNames.US, currency: 'USD', price: 'priceUs', postage: 'postageUs' },
  { label: bandNames.EU, currency: 'EUR', price: 'priceEu', postage: 'postageEu' },
] as const

type AmountField = (typeof bandFields)[number]['price' | 'postage']

/** A back issue's amounts in minor units, by field. */
export type BandAmounts = Record<AmountField, number | null>

interface StoredIssue extends BandAmounts {
  volume: string
  description: string
  stock: number | null
  coverImage: string | null
}

/** A stored back issue as the form shows it. */
export function storedIssueValues(issue: StoredIssue): BackIssueValues {
  const amounts = bandFields.flatMap(({ price, postage }) => [price, postage])
  return {
    volume: issue.volume,
    description: issue.description,
    stock: issue.stock === null ? '' : String(issue.stock),
    coverImage: issue.coverImage ?? '',
    ...Object.fromEntries(amounts.map((name) => [name, amountText(issue[name])])),
  }
}

function amountText(amount: number | null): string {
  return amount === null ? '' : formatMinorUnits(amount)
}
