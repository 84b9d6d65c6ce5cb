import { firstNameBits } from './first-names.rules.ts'
import type { LikelyRecord } from './likely-record.rules.ts'
import type { RecordHashes } from './record-hashes.rules.ts'

/** Numbers a record is sketched in. */
export const sketchLength = 15
const [first, last, table, number, postCode, email, phone, names, places, areas, boxes] = [
  0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 13,
]
export const sketchPlaces = { email, phone }

/**
 * Draws a record as fifteen numbers: enough to see that two have nothing to do with each other, a hundred times quicker than by comparing
 * them. Names and addresses become sets of letter pairs, one bit each.
 */
export function writeSketch(record: LikelyRecord, hashes: RecordHashes, into: Int32Array, at: number): void {
  into[at + first] = hashes.first
  into[at + last] = hashes.last
  into[at + table] = firstNameBits(record.first)
  into[at + number] = hashes.number
  into[at + postCode] = hashes.postCode
  into[at + email] = hashes.email
  into[at + phone] = hashes.phone
  drawLetters(record.first, into, at + names)
  drawLetters(record.last, into, at + names)
  if (record.first === '' && record.last === '') drawLetters(record.company, into, at + names)
  drawLetters(record.street, into, at + places)
  drawLetters(record.rest, into, at + places)
  drawLetters(record.city, into, at + areas)
  drawLetters(record.postCode, into, at + areas)
  drawLetters(record.email, into, at + boxes)
}

function drawLetters(text: string, into: Int32Array, at: number): void {
  let before = 32
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const bit = (before * 31 + code * 7) & 63
    into[at + (bit >> 5)] = (into[at + (bit >> 5)] as number) | (1 << (bit & 31))
    before = code
  }
}

/** The letters of a sketched name as one number: the same for the same name. */
export function nameLetters(sketches: Int32Array, at: number): number {
  return (sketches[at + names] as number) ^ Math.imul(sketches[at + names + 1] as number, 0x9e3779b1)
}

/** What makes two sketched records worth comparing. */
export interface SketchRule {
  /** Points of name and place together. */
  min: number
  /**
   * Leaves out what a full comparison nearly always refuses, unless an email or a telephone is shared: namesakes at another postcode and
   * another number, families under one roof, records without a name whose companies are not alike. Seen among 300,000 readers: six pairs
   * in ten, and one in five hundred of those that are right. Also two of one surname whose first names are both in the table and no short
   * forms of each other: among 200,000 readers four in ten of the rest, and one in a thousand of those that are right.
   */
  isStrict: boolean
}

/** True when something of the name fits, and something of where they can be reached. */
export function isWorthComparing(sketches: Int32Array, a: number, b: number, { min, isStrict }: SketchRule): boolean {
  if (isStrict && hasSame(sketches, a + last, b + last) && areTwoFirstNames(sketches, a, b)) return false
  let place = 0
  if (hasSame(sketches, a + email, b + email)) place += 3
  if (hasSame(sketches, a + phone, b + phone)) place += 2
  const isReachedSimilarly = place > 0
  if (
    isStrict &&
    !isReachedSimilarly &&
    isOther(sketches, a + number, b + number) &&
    isOther(sketches, a + postCode, b + postCode)
  ) {
    return false
  }
  if (hasSame(sketches, a + postCode, b + postCode)) place += 2
  if (hasSame(sketches, a + number, b + number)) place += 1
  let name = hasSameOrNone(sketches, a + first, b + first) ? 2 : 0
  if (hasSameOrNone(sketches, a + last, b + last)) name += 2
  const similar = sharedBits(sketches, a + names, b + names)
  if (similar >= 0.62) name += 3
  // The surname of a family, or no name to compare.
  else if (isStrict && !isReachedSimilarly && name > 0 && !hasSame(sketches, a + first, b + first)) return false
  else if (similar >= 0.45) name += 2
  else if (similar >= 0.32) name += 1
  // Seven points of a name and two of a place are the most that letters alone can add.
  if (name === 0 || name + place < 3) return false
  const where = sharedBits(sketches, a + places, b + places)
  if (where >= 0.62) place += 2
  else if (where >= 0.42) place += 1
  if (!isStrict) {
    // Who reads on a screen has no street: a town, or a mailbox spelt alike, is a place too, and a name alone where both tell nothing else.
    if (sharedBits(sketches, a + areas, b + areas) >= 0.62) place += 1
    if (!isReachedSimilarly && sharedBits(sketches, a + boxes, b + boxes) >= 0.7) place += 2
    if (place === 0 && similar >= 0.85 && !isPlaced(sketches, a, b)) place = 1
  }
  return place > 0 && name + place >= min
}

function areTwoFirstNames(sketches: Int32Array, a: number, b: number): boolean {
  const [one, other] = [sketches[a + table] as number, sketches[b + table] as number]
  return one !== 0 && other !== 0 && (one & other) === 0
}

/** Whether there is anything to compare of where they can be reached. */
function isPlaced(sketches: Int32Array, a: number, b: number): boolean {
  for (let at = places; at < sketchLength; at += 2) {
    if ((sketches[a + at] || sketches[a + at + 1]) && (sketches[b + at] || sketches[b + at + 1])) return true
  }
  return false
}

function isOther(sketches: Int32Array, a: number, b: number): boolean {
  return sketches[a] !== 0 && sketches[b] !== 0 && sketches[a] !== sketches[b]
}

function hasSame(sketches: Int32Array, a: number, b: number): boolean {
  return sketches[a] !== 0 && sketches[a] === sketches[b]
}

function hasSameOrNone(sketches: Int32Array, a: number, b: number): boolean {
  return sketches[a] === sketches[b] || sketches[a] === 0 || sketches[b] === 0
}

/** What share of the letter pairs two texts have in common, 0 to 1. */
function sharedBits(sketches: Int32Array, a: number, b: number): number {
  const [a0, a1] = [sketches[a] as number, sketches[a + 1] as number]
  const [b0, b1] = [sketches[b] as number, sketches[b + 1] as number]
  const all = bits(a0) + bits(a1) + bits(b0) + bits(b1)
  return all === 0 ? 0 : (2 * (bits(a0 & b0) + bits(a1 & b1))) / all
}

function bits(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555)
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333)
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
