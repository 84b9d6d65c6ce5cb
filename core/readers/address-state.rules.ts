import { parseUkPostCode } from '../kernel/uk-postcode.rules.ts'

export type AddressState = 'ok' | 'queried'

interface AddressLines {
  addressOne: string
  addressTwo: string
  addressThree: string
  addressFour: string
  city: string
}

/**
 * Whether the parts of an address stand in the right fields. Queried: a gap between lines, several parts in one line, a house number
 * alone on a line, a postcode or the town in a line. No address at all is not a format problem.
 */
export function addressState(address: AddressLines): AddressState {
  const { addressOne, addressTwo, addressThree, addressFour, city } = address
  if (addressFour !== '' && (addressThree === '' || addressTwo === '' || addressOne === '')) return 'queried'
  if (addressThree !== '' && (addressTwo === '' || addressOne === '')) return 'queried'
  if (addressTwo !== '' && addressOne === '') return 'queried'
  return isMisplaced(addressOne, city) ||
    isMisplaced(addressTwo, city) ||
    isMisplaced(addressThree, city) ||
    isMisplaced(addressFour, city)
    ? 'queried'
    : 'ok'
}

function isMisplaced(line: string, city: string): boolean {
  const length = line.length
  if (length === 0) return false
  if (length <= 5 && isDigit(line.charCodeAt(0)) && /^\d+[A-Za-z]?$/.test(line)) return true
  if (line.indexOf(',') > 0 && /[A-Za-z].*,.*[A-Za-z]{2}/.test(line)) return true
  if (length === city.length && line.toLowerCase() === city.toLowerCase()) return true
  return length >= 5 && isDigit(line.charCodeAt(length - 3)) && endsWithPostCode(line)
}

function endsWithPostCode(line: string): boolean {
  const words = line.split(' ')
  return parseUkPostCode(words.slice(-2).join('')) !== null || parseUkPostCode(words.at(-1) ?? '') !== null
}

const isDigit = (code: number) => code >= 48 && code <= 57
