/** The currencies the platform supports. */
export const currencies = ['GBP', 'USD', 'EUR'] as const
export type Currency = (typeof currencies)[number]

/** An amount in whole minor units (pence, cents) with its currency. Never a float, from the database to the screen. */
export interface Money {
  amount: number
  currency: Currency
}

const symbols: Record<Currency, string> = { GBP: '£', USD: '$', EUR: '€' }

export function currencySymbol(currency: Currency): string {
  return symbols[currency]
}

/**
 * Reads "29.99", "29", "£29.99" or "1,234.50" as minor units; null when it is not an amount.
 * More than two decimals, a decimal comma, an exponent, a sign or more than nine digits before the decimals are not amounts.
 */
export function parseMinorUnits(text: string): number | null {
  const match = /^[£$€]?\s*(\d{1,3}(?:,\d{3}){1,2}|\d{1,9})(?:\.(\d{1,2}))?$/.exec(text.trim())
  if (!match?.[1]) return null
  return Number(match[1].replaceAll(',', '')) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
}

/** Minor units as plain decimals for files and inputs: 2999 as "29.99". */
export function formatMinorUnits(amount: number): string {
  const digits = String(Math.abs(amount)).padStart(3, '0')
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const formatters = new Map<string, Intl.NumberFormat>()

/** An amount as displayed: £1,234.50. */
export function formatMoney(money: Money, locale = 'en-GB'): string {
  const key = `${locale} ${money.currency}`
  let formatter = formatters.get(key)
  if (!formatter) {
    formatter = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency: money.currency,
      currencyDisplay: 'narrowSymbol',
    })
    formatters.set(key, formatter)
  }
  return formatter.format(money.amount / 100)
}

/** `percent` of an amount, rounded half up to the minor unit. */
export function percentOf(amount: number, percent: number): number {
  return Math.floor((amount * percent + 50) / 100)
}
