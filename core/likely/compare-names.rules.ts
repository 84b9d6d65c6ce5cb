import { editDistance } from '../kernel/edit-distance.ts'
import { isKnownFirstName, isShortFor } from './first-names.rules.ts'
import type { NameParts } from './name-parts.rules.ts'
import { phoneticHash } from './phonetic-hash.rules.ts'
import { stringSimilarity } from './string-similarity.rules.ts'

/**
 * How far two first names agree. `middle`: only the middle names differ. `short`: one is a short form, or the person uses the middle name.
 * `initial`: one is the initial of the other. `slip`: one typing error. `near`: a similar spelling. `sound`: they sound alike. `otherName`: both
 * are known first names.
 */
type FirstLevel =
  | 'same'
  | 'middle'
  | 'short'
  | 'initial'
  | 'slip'
  | 'near'
  | 'sound'
  | 'otherName'
  | 'other'
  | 'missing'
/** How far two surnames agree, in the same terms. `part`: one begins or ends with the other. */
type LastLevel = 'same' | 'slip' | 'near' | 'sound' | 'part' | 'other' | 'missing'

export interface NameEvidence {
  first: FirstLevel
  last: LastLevel
  /** First name and surname are swapped. */
  isSwapped: boolean
}

/** The distance of each level: it decides whether names are compared as they are or swapped. */
const firstCost: Record<FirstLevel, number> = {
  same: 0,
  middle: 1,
  short: 1,
  slip: 1.5,
  initial: 2,
  sound: 2.5,
  near: 2.5,
  missing: 4,
  otherName: 7,
  other: 6,
}
const lastCost: Record<LastLevel, number> = {
  same: 0,
  slip: 1.5,
  near: 2.5,
  sound: 2.5,
  part: 2.5,
  missing: 5,
  other: 7,
}

/** Compares two names, also with first name and surname swapped. */
export function compareNames(a: NameParts, b: NameParts): NameEvidence {
  const unswapped = { first: firstLevel(a, b), last: lastLevel(a.last, b.last), isSwapped: false }
  const cost = firstCost[unswapped.first] + lastCost[unswapped.last]
  if (cost < 4 || (unswapped.first === 'missing' && unswapped.last === 'missing')) return unswapped
  // The first name of each is compared with the surname of the other.
  const canBeSwapped =
    (hasBothNames(a) && (b.first !== '' || b.last !== '')) || (hasBothNames(b) && (a.first !== '' || a.last !== ''))
  if (canBeSwapped) {
    const swapped = swappedNames(wordLevel(a.first, b.last), wordLevel(a.last, b.first))
    if (costOf(swapped) + 1 < cost) return swapped
  }
  // The space is in another position, or a word is in the other field.
  const wholeA = a.first + a.middle + a.last
  const wholeB = b.first + b.middle + b.last
  const areSpeltOut = a.first.length !== 1 && b.first.length !== 1 && wholeA.length > 5 && wholeB.length > 5
  if (cost > 5 && areSpeltOut && editDistance(wholeA, wholeB, 1) <= 1) {
    return { first: 'slip', last: 'slip', isSwapped: false }
  }
  return unswapped
}

const hasBothNames = ({ first, last }: NameParts) => first !== '' && last !== ''

/** The evidence of two swapped comparisons: the one that agrees more as a surname counts as the surname. */
function swappedNames(a: WordLevel, b: WordLevel): NameEvidence {
  const difference = surnameCost(b) - surnameCost(a) || firstCost[a] - firstCost[b]
  // "near" and "sound" cost the same: comparing them alphabetically makes the result independent of the order of the records.
  const [first, last] = (difference || (a < b ? -1 : 1)) < 0 ? [a, b] : [b, a]
  return { first, last: last as LastLevel, isSwapped: true }
}

/** The distance as a surname: a short form or an initial counts as a different one. */
const surnameCost = (level: WordLevel) => lastCost[level as LastLevel] ?? lastCost.other
const costOf = ({ first, last }: NameEvidence) => firstCost[first] + surnameCost(last as WordLevel)

function firstLevel(a: NameParts, b: NameParts): FirstLevel {
  const firstA = a.first
  const firstB = b.first
  if (firstA === '' || firstB === '') return 'missing'
  if (firstA === firstB) {
    if (firstA.length > 1) return isOtherMiddle(a.middle, b.middle) ? 'middle' : 'same'
    return a.middle !== '' && b.middle !== '' && a.middle[0] !== b.middle[0] ? 'other' : 'initial'
  }
  if (firstA.length === 1 || firstB.length === 1) {
    if (firstA[0] === firstB[0]) return 'initial'
    // Somebody who uses the middle name: "J Peter" and "Peter".
    const long = firstA.length === 1 ? a.middle : b.middle
    return long !== '' && long === (firstA.length === 1 ? firstB : firstA) ? 'short' : 'other'
  }
  if (a.middle === firstB || b.middle === firstA || firstA + a.middle === firstB + b.middle) return 'short'
  const level = wordLevel(firstA, firstB)
  return level === 'other' && (isPartOf(firstA, firstB) || isPartOf(firstB, firstA)) ? 'near' : level
}

const isOtherMiddle = (a: string, b: string) => a !== '' && b !== '' && a[0] !== b[0]
const isPartOf = (part: string, whole: string) => part.length >= 3 && whole.startsWith(part)

type WordLevel = FirstLevel & (LastLevel | 'short' | 'initial' | 'otherName')

function wordLevel(a: string, b: string): WordLevel {
  if (a === '' || b === '') return 'missing'
  if (a === b) return 'same'
  if (isShortFor(a, b)) return 'short'
  if (a.length === 1 || b.length === 1) return a[0] === b[0] ? 'initial' : 'other'
  const isTwoNames = isKnownFirstName(a) && isKnownFirstName(b)
  const errors = editDistance(a, b, 2)
  if (isTwoNames) return errors === 1 ? 'near' : 'otherName'
  if (errors === 1) return a.length > 3 || b.length > 3 ? 'slip' : 'near'
  if (errors === 2 && Math.min(a.length, b.length) >= 4) return 'near'
  if (phoneticHash(a) === phoneticHash(b)) return 'sound'
  return stringSimilarity(a, b) >= 0.86 ? 'near' : 'other'
}

function lastLevel(a: string, b: string): LastLevel {
  if (a === '' || b === '') return 'missing'
  if (a === b) return 'same'
  const errors = editDistance(a, b, 2)
  if (errors === 1) return Math.max(a.length, b.length) > 3 ? 'slip' : 'near'
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length >= 4 && (long.startsWith(short) || long.endsWith(short))) return 'part'
  if (errors === 2 && short.length >= 5) return 'near'
  if (phoneticHash(a) === phoneticHash(b)) return 'sound'
  return stringSimilarity(a, b) >= 0.88 ? 'near' : 'other'
}
