const digits = new Map<string, number>()

/** The number of decimals of a currency, by ISO 4217: 2 for pounds, none for yen, 3 for Kuwaiti dinars. */
function digitsOf(currency: string): number {
  let cached = digits.get(currency)
  if (cached === undefined) {
    cached = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
    digits.set(currency, cached)
  }
  return cached
}

const withPoint = /^(-?)(\d{1,3}(?:,\d{3})+|\d{1,13})(?:\.(\d+))?$/
const withComma = /^(-?)(\d{1,3}(?:[. ]\d{3})+|\d{1,13}),(\d{1,2})$/

/**
 * Parses an amount of a report, such as `-1,234.50`, `1234.5`, `1.234,50` or `1000` (yen), into minor units of its currency. Null if it is not an
 * amount, has more decimals than the currency, or is too large to be represented exactly.
 */
export function parseReportAmount(text: string, currency: string): number | null {
  const plain = text
    .trim()
    .replaceAll(/[\u00a0\u202f]/g, ' ')
    .replace(/^\u2212/, '-')
  const match = withPoint.exec(plain) ?? withComma.exec(plain)
  if (!match?.[2]) return null
  const places = digitsOf(currency)
  const decimals = match[3] ?? ''
  if (/[1-9]/.test(decimals.slice(places))) return null
  const units = `${match[2].replaceAll(/\D/g, '')}${decimals.slice(0, places).padEnd(places, '0')}`
  const amount = Number(units)
  if (!Number.isSafeInteger(amount)) return null
  return match[1] === '-' ? 0 - amount : amount
}

/** Minor units as plain decimals for files: -123450 pence as `-1234.50`, 1000 yen as `1000`. */
export function formatReportDecimal(amount: number, currency: string): string {
  return (amount / 10 ** digitsOf(currency)).toFixed(digitsOf(currency))
}

/** Minor units as text for people: `-£1,234.50`. */
export function formatReportAmount(amount: number, currency: string): string {
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(
    amount / 10 ** digitsOf(currency),
  )
}
