import { textKey } from '../../readers/reader-keys.rules.ts'

/** An address in comparable words. */
export interface AddressParts {
  /** House number or PO box, with its letter: "12a". */
  number: string
  flat: string
  /** The words of the line with the number, else of the first line, without number and flat. */
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
const flatWords = new Set(['flat', 'apartment', 'apt', 'unit', 'suite', 'room', 'studio', 'fl', 'floor', 'ste'])
const noise = new Set(['no', 'number', 'the', 'of', 'po', 'box', 'c', 'o', 'co'])

/** Takes an address apart, whichever of its lines the parts stand in. */
export function addressParts(lines: readonly string[], city: string): AddressParts {
  const parts: AddressParts = { number: '', flat: '', street: '', rest: '', city: textKey(city) }
  const rest: string[] = []
  for (const line of lines) {
    if (line === '') continue
    for (const piece of line.includes(',') ? line.split(',') : [line]) {
      const hadNumber = parts.number !== ''
      const words = readPiece(piece, parts)
      if (words.length === 0) continue
      // A flat written as a bare number before the house: "2, 14 High Street" or "Flat 2" on a line of its own.
      if (!hadNumber && parts.number !== '') {
        if (parts.street !== '') rest.push(parts.street)
        parts.street = words.join(' ')
      } else if (parts.street === '') parts.street = words.join(' ')
      else rest.push(words.join(' '))
    }
  }
  parts.rest = rest.join(' ')
  return parts
}

function readPiece(piece: string, parts: AddressParts): string[] {
  const words: string[] = []
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
      if (parts.number !== '' && words.length === 0 && parts.flat === '' && parts.street === '')
        parts.flat = parts.number
      if (parts.number === '' || words.length === 0) parts.number = word + letter
      else words.push(word)
    } else if (!noise.has(word)) {
      // "St" begins the name of a saint and ends that of a street.
      words.push(word === 'st' && words.length === 0 && next !== '' ? 'saint' : (shortForms.get(word) ?? word))
    }
  }
  return words
}

function isNumber(word: string): boolean {
  const code = word.charCodeAt(0)
  return code >= 48 && code <= 57 && word.length <= 6 && /^\d+[a-z]?$/.test(word)
}
