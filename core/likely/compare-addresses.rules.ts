import { editDistance } from '../kernel/edit-distance.ts'
import type { AddressParts } from './address-parts.rules.ts'
import { stringSimilarity } from './string-similarity.rules.ts'

/** How alike a part of two addresses is. `one`: only one of them has it; `none`: neither has it; `missing`: at least one lacks it. */
type NumberLevel = 'same' | 'near' | 'other' | 'one' | 'none'
type StreetLevel = 'same' | 'near' | 'part' | 'other' | 'missing'
type FlatLevel = 'same' | 'other' | 'one' | 'none'
type CityLevel = 'same' | 'near' | 'other' | 'missing'
type PostCodeLevel = 'same' | 'near' | 'district' | 'other' | 'missing'

export interface AddressEvidence {
  number: NumberLevel
  street: StreetLevel
  flat: FlatLevel
  city: CityLevel
  postCode: PostCodeLevel
}

type Address = AddressParts & { postCode: string }

/** Compares two addresses part by part; a part may be in any line. */
export function compareAddresses(a: Address, b: Address): AddressEvidence {
  // The flat may be before or after the number of the house: "2/14 High Street" and "14/2 High Street".
  const isSwapped = a.number !== '' && a.flat !== '' && a.number === b.flat && b.number === a.flat
  return {
    number: isSwapped ? 'same' : numberLevel(a, b),
    street: streetLevel(a, b),
    flat: isSwapped ? 'same' : flatLevel(a.flat, b.flat),
    city: cityLevel(a, b),
    postCode: postCodeLevel(a.postCode, b.postCode),
  }
}

function flatLevel(a: string, b: string): AddressEvidence['flat'] {
  if (a === b) return a === '' ? 'none' : 'same'
  return a === '' || b === '' ? 'one' : 'other'
}

function numberLevel(a: Address, b: Address): NumberLevel {
  const numberA = a.number
  const numberB = b.number
  if (numberA === numberB) return numberA === '' ? 'none' : 'same'
  if (numberA === '' || numberB === '') return 'one'
  if (Number.parseInt(numberA, 10) === Number.parseInt(numberB, 10)) return 'near'
  return numberA.length + numberB.length >= 4 && editDistance(numberA, numberB, 1) === 1 ? 'near' : 'other'
}

function streetLevel(a: Address, b: Address): StreetLevel {
  const allA = join(a.street, a.rest)
  const allB = join(b.street, b.rest)
  if (allA === '' || allB === '') return 'missing'
  if (a.street === b.street) return 'same'
  const similarity = Math.max(
    textSimilarity(a.street, b.street),
    a.rest === '' ? 0 : textSimilarity(a.rest, b.street),
    b.rest === '' ? 0 : textSimilarity(a.street, b.rest),
  )
  if (similarity >= 0.99) return 'same'
  if (similarity >= 0.9) return 'near'
  const shared = sharedWords(allA, allB)
  if (shared >= 0.75) return 'near'
  return shared >= 0.45 || similarity >= 0.82 ? 'part' : 'other'
}

const join = (a: string, b: string) => (b === '' ? a : a === '' ? b : `${a} ${b}`)

/** The similarity of texts that may differ by typing errors and spaces. */
function textSimilarity(a: string, b: string): number {
  if (a === '' || b === '') return 0
  if (a === b) return 1
  const bareA = a.replaceAll(' ', '')
  const bareB = b.replaceAll(' ', '')
  if (bareA === bareB) return 1
  const longest = Math.max(bareA.length, bareB.length)
  if (longest < 6) return stringSimilarity(bareA, bareB) * 0.95
  const errors = editDistance(bareA, bareB, 3)
  // Different streets of one kind (Road, Close) share many letters, so errors are weighed by the length of the text.
  return errors > 3 ? 0 : 1 - (errors * 0.8) / longest
}

/** The share of the shorter address's words that the other has too. Long words may have one error; generic words such as "road" count for little. */
function sharedWords(a: string, b: string): number {
  let short = a.split(' ')
  let long = b.split(' ')
  if (short.length > long.length) [short, long] = [long, short]
  let found = 0
  let total = 0
  for (const word of short) {
    const weight = genericStreetWords.has(word) ? 0.3 : 1
    total += weight
    for (const other of long) {
      if (word === other || (word.length >= 5 && editDistance(word, other, 1) <= 1)) {
        found += weight
        break
      }
    }
  }
  return total < 1 ? 0 : found / total
}

const genericStreetWords = new Set(
  'street road avenue lane drive close court crescent gardens square place terrace park grove hill way house cottage farm north south east west'.split(
    ' ',
  ),
)

function cityLevel(a: Address, b: Address): CityLevel {
  const cityA = a.city
  const cityB = b.city
  if (cityA === cityB) return cityA === '' ? 'missing' : 'same'
  if (cityA === '' || cityB === '') {
    const named = cityA || cityB
    const lines = cityA === '' ? join(a.street, a.rest) : join(b.street, b.rest)
    return lines.includes(named) ? 'near' : 'missing'
  }
  if (stringSimilarity(cityA.replaceAll(' ', ''), cityB.replaceAll(' ', '')) >= 0.9) return 'near'
  return join(a.street, a.rest).includes(cityB) || join(b.street, b.rest).includes(cityA) ? 'near' : 'other'
}

function postCodeLevel(a: string, b: string): PostCodeLevel {
  if (a === '' || b === '') return 'missing'
  if (a === b) return 'same'
  if (editDistance(a, b, 1) === 1) return Math.max(a.length, b.length) >= 5 ? 'near' : 'district'
  const isLong = a.length >= 5 && b.length >= 5
  if (isLong && a.slice(0, -3) === b.slice(0, -3)) return 'district'
  return a.length >= 4 && editDistance(a, b, 2) === 2 ? 'district' : 'other'
}
