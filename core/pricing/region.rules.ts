import type { Currency } from '../kernel/money.ts'

/** The three price bands. Not the postal zones: Norway pays in dollars and is posted as Europe. */
export const bands = ['UK', 'US', 'EU'] as const
export type Band = (typeof bands)[number]

/** The names of the bands, on screens, in files and on the command line. */
export const bandNames: Record<Band, string> = { UK: 'UK', US: 'USA and rest of world', EU: 'Euro countries' }

const euroCountries = new Set('AD AT BE CY EE FR FI DE GR IE IT LV LT LU MT MC NL PT SM SK SI ES'.split(' '))

/** The price band of a country (ISO alpha-2): pounds for the United Kingdom, euros for the listed countries, dollars for the rest of the world. */
export function bandOf(country: string): Band {
  const code = country.toUpperCase()
  if (code === 'GB') return 'UK'
  return euroCountries.has(code) ? 'EU' : 'US'
}

const bandCurrencies: Record<Band, Currency> = { UK: 'GBP', US: 'USD', EU: 'EUR' }

export function currencyOf(band: Band): Currency {
  return bandCurrencies[band]
}
