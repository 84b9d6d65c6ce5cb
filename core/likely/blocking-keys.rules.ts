import { sketch } from './pair-sketch.rules.ts'
import { mixed } from './word-hash.rules.ts'

/** Returns a key of the record whose sketch begins at `at`; 0: the record has none. */
type Key = (sketches: Int32Array, at: number) => number

interface BlockingKey {
  name: string
  key: Key
  /** Many readers share the key, so a smaller block is already compared within a window instead of pair by pair (`maxWideBlockSize`). */
  isWide?: boolean
  /** The same key with the other name, so that records with swapped names are found even if one of the names is wrong. */
  otherKey?: Key
  /** Left out if there are many readers: it finds too few further pairs for the time it takes. */
  isLowYield?: boolean
  /**
   * The index in a sketch of the number by which a big block is sorted, so that similar readers are adjacent: the names, unless everybody in the
   * block has the same name.
   */
  order: number
}

const { number, postCode, email, phone, firstSound, lastSound, streetSound, town, company, district, box, host } =
  sketch
const { beginnings, localPartStart, marks, characters } = sketch

/** Both names, so that swapped names have the same key. */
const names: Key = (sketches, at) => {
  const first = word(sketches, at + firstSound)
  const last = word(sketches, at + lastSound)
  return first < last ? both(first, last) : both(last, first)
}
/** The first letter of the first name, and the first sound of the surname. */
const letter: Key = (sketches, at) => word(sketches, at + marks) & 255
const initial: Key = (sketches, at) => (word(sketches, at + marks) >>> 9) & 255
const nameLetters: Key = (sketches, at) => word(sketches, at + characters) & 0x3ffffff
const firstAndDistrict: Key = (sketches, at) =>
  both(both(word(sketches, at + firstSound), word(sketches, at + district)), initial(sketches, at))
const numberAndInitial: Key = (sketches, at) => both(word(sketches, at + number), initial(sketches, at))
const streetAndLetter: Key = (sketches, at) => both(word(sketches, at + streetSound), letter(sketches, at))

/**
 * The blocking keys: only readers that share a key are compared. Each key omits some of the fields, so that whichever two or three are wrong, another
 * key still matches.
 */
export const blockingKeys: readonly BlockingKey[] = [
  { name: 'email', key: wordKey(email), order: beginnings },
  { name: 'telephone', key: wordKey(phone), order: beginnings },
  { name: 'postcode and a name', isLowYield: true, key: twoWordKey(firstSound, postCode), otherKey: twoWordKey(lastSound, postCode), order: beginnings },
  { name: 'postcode and number', key: twoWordKey(postCode, number), order: beginnings },
  { name: 'company and town', key: twoWordKey(company, town), order: beginnings },
  { name: 'first name and district', isWide: true, isLowYield: true, key: firstAndDistrict, order: beginnings },
  { name: 'a name and street', isWide: true, isLowYield: true, key: twoWordKey(lastSound, streetSound), otherKey: twoWordKey(firstSound, streetSound), order: beginnings },
  { name: 'a name and town', isWide: true, key: twoWordKey(firstSound, town), otherKey: twoWordKey(lastSound, town), order: beginnings },
  { name: 'a name and number', isWide: true, key: twoWordKey(lastSound, number), otherKey: twoWordKey(firstSound, number), order: beginnings },
  { name: 'number and initial', isWide: true, isLowYield: true, key: numberAndInitial, order: beginnings },
  { name: 'street and initial', isWide: true, isLowYield: true, key: streetAndLetter, order: beginnings },
  { name: 'mailbox', isWide: true, key: wordKey(box), order: beginnings },
  { name: 'beginning of the mailbox', isWide: true, isLowYield: true, key: wordKey(localPartStart), order: beginnings },
  { name: 'host', isWide: true, key: wordKey(host), order: localPartStart },
  { name: 'name', isWide: true, key: names, order: town },
  { name: 'a name', isWide: true, key: wordKey(firstSound), otherKey: wordKey(lastSound), order: beginnings },
  { name: 'letters of the names', isWide: true, key: nameLetters, order: town },
  { name: 'postcode', isWide: true, key: wordKey(postCode), order: beginnings },
  { name: 'town', isWide: true, isLowYield: true, key: wordKey(town), order: beginnings },
  { name: 'beginnings', isWide: true, key: wordKey(beginnings), order: town },
  { name: 'beginnings and town', isWide: true, isLowYield: true, key: twoWordKey(beginnings, town), order: beginnings },
  { name: 'street and number', isWide: true, key: twoWordKey(streetSound, number), order: beginnings },
] // biome-ignore format: a table

function wordKey(place: number): Key {
  return (sketches, at) => word(sketches, at + place)
}

function twoWordKey(place: number, otherPlace: number): Key {
  return (sketches, at) => both(word(sketches, at + place), word(sketches, at + otherPlace))
}

const word = (sketches: Int32Array, at: number) => (sketches[at] as number) >>> 0

/** Two parts as one key; 0 if one of them is missing. */
function both(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : mixed(a, b)
}
