import { postalZone, zoneDigits } from '../kernel/postal-zones.rules.ts'
import { parseUkPostCode } from '../kernel/uk-postcode.rules.ts'

export type PostCodeState = 'ok' | 'missing' | 'queried'

const fourDigits = /^\d{4}$/
const fiveDigits = /^\d{5}$/
const sixDigits = /^\d{6}$/

/** What postcodes look like where the pattern is known; elsewhere any text is valid. */
const patterns: Record<string, RegExp> = {
  US: /^\d{5}(?:-?\d{4})?$/,
  CA: /^[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d$/i,
  IE: /^(?:[A-Z]\d[\dW] ?[A-Z\d]{4}|D\d{1,2}W?)$/i,
  NL: /^\d{4} ?[A-Z]{2}$/i,
  SE: /^(?:SE-)?\d{3} ?\d{2}$/i,
  GR: /^\d{3} ?\d{2}$/,
  CZ: /^\d{3} ?\d{2}$/,
  SK: /^\d{3} ?\d{2}$/,
  PL: /^\d{2}-?\d{3}$/,
  PT: /^\d{4}(?:-?\d{3})?$/,
  JP: /^\d{3}-?\d{4}$/,
  BR: /^\d{5}-?\d{3}$/,
  IN: /^\d{3} ?\d{3}$/,
  LV: /^(?:LV-?)?\d{4}$/i,
  LT: /^(?:LT-?)?\d{5}$/i,
  LU: /^(?:L-?)?\d{4}$/i,
  MT: /^[A-Z]{3} ?\d{4}$/i,
  ...Object.fromEntries(
    ['AT', 'AU', 'BE', 'BG', 'CH', 'CY', 'DK', 'GL', 'HU', 'LI', 'NO', 'NZ', 'SI', 'ZA'].map((code) => [
      code,
      fourDigits,
    ]),
  ),
  ...Object.fromEntries(
    ['DE', 'EE', 'ES', 'FI', 'FR', 'HR', 'IT', 'KR', 'MC', 'MX', 'MY', 'TH', 'TR', 'UA', 'VN', 'XK'].map((code) => [
      code,
      fiveDigits,
    ]),
  ),
  ...Object.fromEntries(['CN', 'RO', 'RU', 'SG'].map((code) => [code, sixDigits])),
  KZ: /^(?:\d{6}|[A-Z]\d{2}[A-Z]\d[A-Z]\d)$/i,
}

/** The country code that many people write before a postcode of the Continent: D-10115. */
const countryPrefix = /^[A-Z]{1,2}-/i

/** Countries that have no postcodes or, like Ireland, also deliver without one. */
const optionalCountries = new Set(
  (
    'AE AG AO AW BF BI BJ BS BW BZ CD CF CG CI CK CM DJ DM ER FJ GD GH GM GN GQ GY HK IE JM KI KM KN KP LC ML MO MR MW NR NU QA RW SB ' +
    'SC SL SR ST SY TD TG TK TO TV UG VU YE ZW'
  ).split(' '),
)

/** The messages for a postcode that cannot exist in its country. */
export const postCodeTexts = {
  uk: 'Enter a UK postcode, such as SW1A 1AA',
  abroad: 'This postcode does not exist in this country. Please check it.',
} as const

/** A postcode as it is stored: a valid British one in upper case with one space, any other as it was typed. */
export function normalisePostCode(postCode: string, country: string): string {
  return postalZone(country) === 'uk' ? (parseUkPostCode(postCode)?.text ?? postCode) : postCode
}

/** An address with its postcode as it is stored. */
export function withStoredPostCode<Address extends { postCode: string; country: string }>(address: Address): Address {
  return { ...address, postCode: normalisePostCode(address.postCode, address.country) }
}

/** Whether a postcode is valid for its country, missing, or doubtful. */
export function postCodeState(postCode: string, country: string): PostCodeState {
  if (postCode === '') return optionalCountries.has(country) ? 'ok' : 'missing'
  if (postalZone(country) === 'uk') return parseUkPostCode(postCode) ? 'ok' : 'queried'
  const local = postalZone(country) === 'europe' ? postCode.replace(countryPrefix, '') : postCode
  return (patterns[country]?.test(local) ?? true) ? 'ok' : 'queried'
}

/**
 * The message for a postcode that cannot exist in its country, as copies are held back from it; undefined for any other, and where addresses need
 * none: many people in Ireland do not know theirs, and a shop that requires a postcode must not stop them.
 */
export function postCodeProblem(postCode: string, country: string): string | undefined {
  if (optionalCountries.has(country) || postCodeState(postCode, country) !== 'queried') return undefined
  return country === 'GB' ? postCodeTexts.uk : postCodeTexts.abroad
}

/**
 * Text that sorts a mailing by zone, then area, district, sector and unit, with numbers compared as numbers
 * (B9 before B10). Abroad: country, then the postcode in natural order. Only digits, capitals and `~`, at most 40 characters.
 */
export function mailSort(postCode: string, country: string): string {
  const start = mailSortStart(country)
  if (postalZone(country) === 'uk') {
    const parts = parseUkPostCode(postCode)
    return parts ? ukSort(start, parts) : `${start}~${natural(postCode)}`.slice(0, 40)
  }
  return `${start}${natural(postCode)}`.slice(0, 40)
}

/** The prefix that `mailSort` gives to every postcode of a country, and to none of a country with other postcodes. */
export function mailSortStart(country: string): string {
  const zone = postalZone(country)
  return zone === 'uk' ? zoneDigits.uk : zoneDigits[zone] + country
}

function ukSort(
  digit: string,
  parts: { area: string; district: number; subdistrict: string; sector: number; unit: string },
): string {
  const district = parts.district < 10 ? `000${parts.district}` : String(parts.district).padStart(4, '0')
  return `${digit}${parts.area.padEnd(4, '0')}${district}${parts.subdistrict || '0'}${parts.sector}${parts.unit}`
}

/** Letters in capitals, each run of digits prefixed with its length: "A9" before "A10". */
function natural(text: string): string {
  return text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '')
    .replaceAll(/\d+/g, (digits) => `${digits.length}${digits}`)
}
