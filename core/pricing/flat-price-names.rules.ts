import { type Product, products, type TermMonths, termLengths } from './plan-code.rules.ts'
import type { PriceRow } from './price-table.rules.ts'
import { type Band, bands } from './region.rules.ts'

const stems: Record<Product, string> = { digital: 'price', print: 'printPrice', bundle: 'printDigPrice' }
const terms: Record<TermMonths, string> = { 12: 'OneYear', 6: 'SixMonth', 3: 'ThreeMonth', 1: '' }
const suffixes: Record<Band, string> = { UK: '', US: 'US', EU: 'EU' }

/** The table that maps price rows to the flat names of the API, such as printPriceOneYearUSRecurring. */
export const flatPriceNames: readonly (Omit<PriceRow, 'amount'> & { name: string })[] = products.flatMap((product) =>
  termLengths.flatMap((termMonths) =>
    bands.flatMap((band) =>
      [false, true].map((isRecurring) => ({
        product,
        termMonths,
        band,
        isRecurring,
        name: `${stems[product]}${terms[termMonths]}${suffixes[band]}${isRecurring ? 'Recurring' : ''}`,
      })),
    ),
  ),
)

/** Price rows as flat names with minor units; a name without a row is null. */
export function flatPrices(rows: readonly PriceRow[]): Record<string, number | null> {
  return Object.fromEntries(
    flatPriceNames.map(({ name, ...key }) => [name, rows.find((row) => isSamePrice(row, key))?.amount ?? null]),
  )
}

/** The rows behind flat names; names that are missing or null have none. */
export function priceRowsOf(flat: Record<string, number | null | undefined>): PriceRow[] {
  return flatPriceNames.flatMap(({ name, ...key }) => {
    const amount = flat[name]
    return amount === null || amount === undefined ? [] : [{ ...key, amount }]
  })
}

function isSamePrice(a: Omit<PriceRow, 'amount'>, b: Omit<PriceRow, 'amount'>): boolean {
  return (
    a.product === b.product && a.termMonths === b.termMonths && a.band === b.band && a.isRecurring === b.isRecurring
  )
}
