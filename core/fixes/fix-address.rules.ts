import { postCodeKey } from '../kernel/search-keys.rules.ts'
import { parseUkPostCode } from '../kernel/uk-postcode.rules.ts'
import { addressState, isOnePremises } from '../readers/address-state.rules.ts'

/** The parts of an address that the fix may move words between. */
export interface FixableAddress {
  addressOne: string
  addressTwo: string
  addressThree: string
  addressFour: string
  city: string
  postCode: string
}

const lines = ['addressOne', 'addressTwo', 'addressThree', 'addressFour'] as const
const loneNumber = /^\d+[A-Za-z]?$/

/**
 * The address with every part in its own field: commas separate parts, except a flat from its house, a postcode goes to its field, a repeated town or
 * postcode is removed, a house number joins its street, and gaps are closed. No other word is lost or added. Null when the result is not a good
 * address, or would not fit: a person has to review it.
 */
export function fixedAddress(address: FixableAddress): FixableAddress | null {
  const fixed = { city: address.city.trim(), postCode: address.postCode.trim() }
  takePostCodeFromCity(fixed)
  const partsByLine = lines.map((line) => partsOfLine(address[line], fixed))
  const parts = partsByLine.flatMap((line) =>
    withoutSplitPremises(
      line.filter((part) => !isTown(part, fixed.city)),
      fixed.city,
    ),
  )
  const remaining = joinNumbers(parts)
  if (remaining.length > lines.length) return null
  const [addressOne = '', addressTwo = '', addressThree = '', addressFour = ''] = remaining
  const after = { addressOne, addressTwo, addressThree, addressFour, ...fixed }
  if (remaining.some((part) => part.length > 200) || fixed.city.length > 100) return null
  // A hamlet with the same name as its post town: the line is the whole address.
  if (remaining.length === 0 && lines.some((line) => address[line].trim() !== '')) return null
  const isChanged = (Object.keys(after) as (keyof FixableAddress)[]).some((field) => after[field] !== address[field])
  return isChanged && addressState(after) === 'ok' ? after : null
}

interface FixedFields {
  city: string
  postCode: string
}

/** A line's parts, without a postcode that belongs in its own field; the town in front of that postcode goes to its field too. */
function partsOfLine(line: string, fixed: FixedFields): string[] {
  const parts = line
    .split(',')
    .map((part) => part.trim().replaceAll(/\s+/g, ' '))
    .filter((part) => part !== '')
  return parts.flatMap((part, index) => {
    const ending = endingPostCode(part)
    if (!ending || !isFree(ending.postCode, fixed)) return [part]
    fixed.postCode ||= ending.postCode
    if (ending.textBefore !== '') return [ending.textBefore]
    // "Mill Street, Fowey, PL23 1AQ": this is certainly the town only if the line itself shows it.
    if (fixed.city === '' && index > 1 && index === parts.length - 1) fixed.city = extractTown(parts, index)
    return []
  })
}

/** "Flat 1, Holly House" is well formed on one line; a number joins its street. */
function withoutSplitPremises(parts: readonly string[], city: string): readonly string[] {
  const line = parts.join(', ')
  return parts.length === 2 && !loneNumber.test(parts[0] ?? '') && isOnePremises(line, city) ? [line] : parts
}

/** The part in front of the postcode, when it has no digits. It then counts as the town, and its repetitions are removed. */
function extractTown(parts: readonly string[], index: number): string {
  const before = parts[index - 1] ?? ''
  return /\d/.test(before) ? '' : before
}

function takePostCodeFromCity(fixed: FixedFields): void {
  const ending = endingPostCode(fixed.city)
  if (!ending || !isFree(ending.postCode, fixed)) return
  fixed.postCode ||= ending.postCode
  fixed.city = ending.textBefore
}

/** Whether the postcode field is empty, or has the same value. */
function isFree(postCode: string, { postCode: stored }: FixedFields): boolean {
  return stored === '' || postCodeKey(stored) === postCodeKey(postCode)
}

function endingPostCode(text: string): { postCode: string; textBefore: string } | null {
  const words = text.split(/\s+/)
  for (const count of [2, 1]) {
    const postCode = words.slice(-count).join(' ')
    const parsed = words.length >= count ? parseUkPostCode(postCode) : null
    if (parsed)
      return {
        postCode: parsed.text,
        textBefore: words
          .slice(0, -count)
          .join(' ')
          .replace(/[\s.;-]+$/, ''),
      }
  }
  return null
}

function isTown(part: string, city: string): boolean {
  return city !== '' && part.toLowerCase() === city.toLowerCase()
}

/** A house number alone goes in front of the next part, unless that already says where in a building it is. */
function joinNumbers(parts: readonly string[]): string[] {
  const joined: string[] = []
  let number = ''
  for (const part of parts) {
    if (number === '' && loneNumber.test(part)) number = part
    else if (number !== '' && part.includes(',')) {
      joined.push(number, part)
      number = ''
    } else {
      joined.push(number === '' ? part : `${number} ${part}`)
      number = ''
    }
  }
  return number === '' ? joined : [...joined, number]
}
