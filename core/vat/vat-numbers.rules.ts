import { isInEu } from './vat-rates.rules.ts'

/** The part after the country's letters, in the formats that the EU's VIES and HMRC publish. */
const formats: Readonly<Record<string, string>> = {
  AT: 'U\\d{8}',
  BE: '[01]\\d{9}',
  BG: '\\d{9,10}',
  CY: '\\d{8}[A-Z]',
  CZ: '\\d{8,10}',
  DE: '\\d{9}',
  DK: '\\d{8}',
  EE: '\\d{9}',
  EL: '\\d{9}',
  ES: '[A-Z0-9]\\d{7}[A-Z0-9]',
  FI: '\\d{8}',
  FR: '[A-Z0-9]{2}\\d{9}',
  HR: '\\d{11}',
  HU: '\\d{8}',
  IE: '\\d[A-Z0-9+*]\\d{5}[A-Z]{1,2}',
  IT: '\\d{11}',
  LT: '(\\d{9}|\\d{12})',
  LU: '\\d{8}',
  LV: '\\d{11}',
  MT: '\\d{8}',
  NL: '\\d{9}B\\d{2}',
  PL: '\\d{10}',
  PT: '\\d{9}',
  RO: '\\d{2,10}',
  SE: '\\d{12}',
  SI: '\\d{8}',
  SK: '\\d{10}',
  GB: '(\\d{9}|\\d{12}|GD\\d{3}|HA\\d{3})',
}

/** Greek VAT numbers begin with EL instead of the country code. */
const lettersOf = (country: string) => (country === 'GR' ? 'EL' : country)

/** As it is stored: capitals, without spaces, dots and hyphens. */
export function cleanVatNumber(text: string): string {
  return text.toUpperCase().replaceAll(/[\s.-]/g, '')
}

/** The problem with the VAT number of a business in a country; undefined if its format is valid. Whether it exists is not checked. */
export function vatNumberProblem(number: string, country: string): string | undefined {
  const letters = lettersOf(country)
  const format = formats[letters]
  if (!format || !(country === 'GB' || isInEu(country)))
    return 'Leave blank: only UK and EU VAT numbers affect the VAT charged'
  if (new RegExp(`^${letters}${format}$`).test(number)) return undefined
  return number.startsWith(letters)
    ? `That is not a VAT number of this country: check its digits after ${letters}`
    : `A VAT number of this country begins with ${letters}`
}
