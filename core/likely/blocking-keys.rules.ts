import { sketch } from './pair-sketch.rules.ts'
import { mixed } from './word-hash.rules.ts'

/** A key of the record whose sketch begins at `at`; 0 where it has none. */
type Key = (sketches: Int32Array, at: number) => number

interface BlockingKey {
  name: string
  key: Key
  /** Shared by many: its blocks are compared with a window, not pair by pair, from a smaller size on (`maxForWideKeys`). */
  isWide?: boolean
  /** The key of the other name, so that records with swapped names meet where one of the names is wrong. */
  otherKey?: Key
  /** Among many readers, what it adds is not worth its time. */
  isLowYield?: boolean
  /**
   * The index in a sketch of the number that a big block is sorted by, so that similar readers are adjacent: the names, unless all of the block
   * have the same name.
   */
  order: number
}

const { number, postCode, email, phone, firstSound, lastSound, streetSound, town, company, district, box, host } =
  sketch
const { beginnings, localPartStart, marks, characters } = sketch

/** Both names, in an order that does not depend on which is which. */
const names: Key = (of, at) => {
  const [first, last] = [word(of, at + firstSound), word(of, at + lastSound)]
  return first < last ? both(first, last) : both(last, first)
}
/** The first letters: of the first name as it is written, of the surname phonetically. */
const letter: Key = (of, at) => word(of, at + marks) & 255
const initial: Key = (of, at) => (word(of, at + marks) >>> 9) & 255
const nameLetters: Key = (of, at) => word(of, at + characters) & 0x3ffffff
const firstAndDistrict: Key = (of, at) =>
  both(both(word(of, at + firstSound), word(of, at + district)), initial(of, at))
const numberAndInitial: Key = (of, at) => both(word(of, at + number), initial(of, at))
const streetAndLetter: Key = (of, at) => both(word(of, at + streetSound), letter(of, at))

/**
 * The ways two records of one reader can be found together: readers are only compared with those that share a key. Each key omits some of the fields,
 * so that whichever two or three are wrong, another key still matches.
 */
export const blockingKeys: readonly BlockingKey[] = [
  { name: 'email', key: one(email), order: beginnings },
  { name: 'telephone', key: one(phone), order: beginnings },
  { name: 'postcode and a name', isLowYield: true, key: two(firstSound, postCode), otherKey: two(lastSound, postCode), order: beginnings },
  { name: 'postcode and number', key: two(postCode, number), order: beginnings },
  { name: 'company and town', key: two(company, town), order: beginnings },
  { name: 'first name and district', isWide: true, isLowYield: true, key: firstAndDistrict, order: beginnings },
  { name: 'a name and street', isWide: true, isLowYield: true, key: two(lastSound, streetSound), otherKey: two(firstSound, streetSound), order: beginnings },
  { name: 'a name and town', isWide: true, key: two(firstSound, town), otherKey: two(lastSound, town), order: beginnings },
  { name: 'a name and number', isWide: true, key: two(lastSound, number), otherKey: two(firstSound, number), order: beginnings },
  { name: 'number and initial', isWide: true, isLowYield: true, key: numberAndInitial, order: beginnings },
  { name: 'street and initial', isWide: true, isLowYield: true, key: streetAndLetter, order: beginnings },
  { name: 'mailbox', isWide: true, key: one(box), order: beginnings },
  { name: 'beginning of the mailbox', isWide: true, isLowYield: true, key: one(localPartStart), order: beginnings },
  { name: 'host', isWide: true, key: one(host), order: localPartStart },
  { name: 'name', isWide: true, key: names, order: town },
  { name: 'a name', isWide: true, key: one(firstSound), otherKey: one(lastSound), order: beginnings },
  { name: 'letters of the names', isWide: true, key: nameLetters, order: town },
  { name: 'postcode', isWide: true, key: one(postCode), order: beginnings },
  { name: 'town', isWide: true, isLowYield: true, key: one(town), order: beginnings },
  { name: 'beginnings', isWide: true, key: one(beginnings), order: town },
  { name: 'beginnings and town', isWide: true, isLowYield: true, key: two(beginnings, town), order: beginnings },
  { name: 'street and number', isWide: true, key: two(streetSound, number), order: beginnings },
] // biome-ignore format: a table

function one(place: number): Key {
  return (of, at) => word(of, at + place)
}

function two(place: number, other: number): Key {
  return (of, at) => both(word(of, at + place), word(of, at + other))
}

const word = (of: Int32Array, at: number) => (of[at] as number) >>> 0

/** Two parts as one key; none where one is missing. */
function both(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : mixed(a, b)
}
