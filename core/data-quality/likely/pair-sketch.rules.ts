import type { LikelyRecord } from './likely-record.rules.ts'
import { wordHash } from './word-hash.rules.ts'

/** Numbers a record is sketched in. */
export const sketchLength = 12
const [first, last, named, number, postCode, email, phone, company, names, places] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10]

/**
 * Draws a record as a dozen numbers: enough to see that two have nothing to do with each other, a hundred times quicker than by comparing
 * them. Names and addresses become sets of letter pairs, one bit each.
 */
export function writeSketch(record: LikelyRecord, into: Int32Array, at: number): void {
  into[at + first] = wordHash(record.first)
  into[at + last] = wordHash(record.last)
  into[at + named] = record.first === '' && record.last === '' ? 0 : 1
  into[at + number] = wordHash(record.number)
  into[at + postCode] = wordHash(record.postCode)
  into[at + email] = wordHash(record.email)
  into[at + phone] = wordHash(record.phone)
  into[at + company] = wordHash(record.company)
  drawLetters(record.first, into, at + names)
  drawLetters(record.last, into, at + names)
  if (record.first === '' && record.last === '') drawLetters(record.company, into, at + names)
  drawLetters(record.street, into, at + places)
  drawLetters(record.rest, into, at + places)
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

/** What makes two sketched records worth comparing. */
export interface SketchRule {
  /** Points of name and place together. */
  least: number
  /**
   * Leaves out what a full comparison nearly always refuses, unless an e-mail or a telephone is shared: namesakes at another postcode and
   * another number, families under one roof, records without a name whose companies are not alike. Seen among 300,000 readers: six pairs
   * in ten, and one in five hundred of those that are right.
   */
  isStrict: boolean
}

/** True when something of the name fits, and something of where they can be reached. */
export function isWorthComparing(sketches: Int32Array, a: number, b: number, { least, isStrict }: SketchRule): boolean {
  let place = 0
  if (hasSame(sketches, a + email, b + email)) place += 3
  if (hasSame(sketches, a + phone, b + phone)) place += 2
  const isReachedAlike = place > 0
  if (
    isStrict &&
    !isReachedAlike &&
    isOther(sketches, a + number, b + number) &&
    isOther(sketches, a + postCode, b + postCode)
  ) {
    return false
  }
  if (hasSame(sketches, a + postCode, b + postCode)) place += 2
  if (hasSame(sketches, a + number, b + number)) place += 1
  let name = hasSameOrNone(sketches, a + first, b + first) ? 2 : 0
  if (hasSameOrNone(sketches, a + last, b + last)) name += 2
  const alike = sharedBits(sketches, a + names, b + names)
  if (alike >= 0.62) name += 3
  // The surname of a family, or no name to compare.
  else if (isStrict && !isReachedAlike && name > 0 && !hasSame(sketches, a + first, b + first)) return false
  else if (alike >= 0.45) name += 2
  else if (alike >= 0.32) name += 1
  // Seven points of a name and two of a place are the most that letters alone can add.
  if (name === 0 || name + place < 3) return false
  const where = sharedBits(sketches, a + places, b + places)
  if (where >= 0.62) place += 2
  else if (where >= 0.42) place += 1
  return place > 0 && name + place >= least
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
