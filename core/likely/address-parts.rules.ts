import { textKey } from '../kernel/search-keys.rules.ts'

/** An address split into parts that can be compared. */
export interface AddressParts {
  /** House number or PO box, with its letter: "12a". */
  number: string
  flat: string
  /** The words of the line with the number, or of the first line if there is no number, without the number and the flat. */
  street: string
  /** All other words of the lines. */
  rest: string
  city: string
}

const shortForms = new Map(
  Object.entries({
  st: 'street', str: 'street', rd: 'road', ave: 'avenue', av: 'avenue', ln: 'lane', la: 'lane', dr: 'drive', drv: 'drive', cl: 'close',
  ct: 'court', crt: 'court', cres: 'crescent', cr: 'crescent', crs: 'crescent', gdns: 'gardens', gdn: 'garden', sq: 'square', pl: 'place',
  tce: 'terrace', ter: 'terrace', terr: 'terrace', pk: 'park', gr: 'grove', gro: 'grove', grv: 'grove', hl: 'hill', wy: 'way', wlk: 'walk',
  hse: 'house', bldg: 'building', bldgs: 'buildings', cott: 'cottage', cotts: 'cottages', fm: 'farm', mt: 'mount', nth: 'north',
  sth: 'south', n: 'north', s: 'south', e: 'east', w: 'west', upr: 'upper', lwr: 'lower', gt: 'great', lt: 'little', vlg: 'village',
  pde: 'parade', hwy: 'highway', blvd: 'boulevard', est: 'estate', ind: 'industrial', rdg: 'ridge', crcs: 'crescent', hts: 'heights',
  }), // biome-ignore format: a table
)
/** The long form of a word of an address; meaningless words become empty. */
const longForms = new Map([
  ...shortForms,
  ...'no number the of po box c o co'.split(' ').map((word) => [word, ''] as const),
])
const flatWords = new Set(['flat', 'apartment', 'apt', 'unit', 'suite', 'room', 'studio', 'fl', 'floor', 'ste'])

/** Parses an address: each part may be in any of its lines. */
export function addressParts(lines: readonly string[], city: string): AddressParts {
  const parts: AddressParts = { number: '', flat: '', street: '', rest: '', city: textKey(city) }
  let rest = ''
  for (const line of lines) {
    if (line === '') continue
    for (const piece of line.includes(',') ? line.split(',') : [line]) {
      const hadNumber = parts.number !== ''
      const words = readPiece(piece, parts)
      if (words === '') continue
      // Words before the number are not the street but perhaps the name of a house: "Rose Cottage, 14 High Street".
      if (!hadNumber && parts.number !== '') {
        if (parts.street !== '') rest = joined(rest, parts.street)
        parts.street = words
      } else if (parts.street === '') parts.street = words
      else rest = joined(rest, words)
    }
  }
  parts.rest = rest
  return parts
}

const joined = (one: string, other: string) => (one === '' ? other : `${one} ${other}`)

/** The words of a piece without its number and flat, which are stored in `parts`. */
function readPiece(piece: string, parts: AddressParts): string {
  let words = ''
  const all = textKey(piece).split(' ')
  for (let index = 0; index < all.length; index++) {
    const word = all[index] as string
    if (word === '') continue
    const next = all[index + 1] ?? ''
    if (flatWords.has(word) && next !== '' && next.length <= 4) {
      if (parts.flat === '') parts.flat = next
      index++
    } else if (isNumber(word)) {
      const letter = next.length === 1 && /[a-f]/.test(next) && all.length > index + 2 ? next : ''
      if (letter) index++
      // A flat written as a bare number before the house: "2, 14 High Street".
      if (parts.number !== '' && words === '' && parts.flat === '' && parts.street === '') parts.flat = parts.number
      if (parts.number === '' || words === '') parts.number = word + letter
      else words = joined(words, word)
    } else {
      // "St" at the beginning is "saint", at the end "street".
      const long = word === 'st' && words === '' && next !== '' ? 'saint' : (longForms.get(word) ?? word)
      if (long !== '') words = joined(words, long)
    }
  }
  return words
}

function isNumber(word: string): boolean {
  const code = word.charCodeAt(0)
  if (!(code >= 48 && code <= 57) || word.length > 6) return false
  return word.length === 1 || /^\d+[a-z]?$/.test(word)
}
