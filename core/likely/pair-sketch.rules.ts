import { firstNameBits, longForm } from './first-names.rules.ts'
import type { LikelyRecord } from './likely-record.rules.ts'
import { phoneticHash, phoneticHashes } from './phonetic-hash.rules.ts'
import { filteredHash, letterSet, wordHash } from './word-hash.rules.ts'

/** The index of each value in a sketch. A value that the record does not have is 0. Hashes have 32 bits. */
export const sketch = {
  /** Hashes of the spelling. */
  first: 0,
  last: 1,
  number: 2,
  street: 3,
  postCode: 4,
  email: 5,
  phone: 6,
  /** Phonetic hashes: for a street of its longest word, for a company of its first two words. */
  firstSound: 7,
  lastSound: 8,
  streetSound: 9,
  town: 10,
  company: 11,
  /** Hashes: of the first half of the postcode; of the letters in the email's local part; of the digits in it, with the host. */
  district: 12,
  box: 13,
  host: 14,
  /** The first letters of surname (3) and first name (2), and of the email (5), packed so that they sort alphabetically. */
  beginnings: 15,
  localPartStart: 16,
  /** The bits of the first name (`firstNameBits`). */
  firstTable: 17,
  /** Bits 0-7: first letter of the first name; 8: the name is only an initial; 9-16: first sound of the surname; 17-24: flat; 25-31: email length. */
  marks: 18,
  postCodeLetters: 19,
  /** Sets of letter pairs, 64 bits each. Without a name, `firstLetters` is for the company. */
  firstLetters: 20,
  lastLetters: 22,
  placeLetters: 24,
  emailLetters: 26,
  /** How many bits are set in each of these sets, one byte each. */
  letterCounts: 28,
  /** Bits 0-25: the letters in both names, one bit each; 26-31: the digits of the house number (`digitSet`). */
  characters: 29,
} as const

/** The length of a sketch, in 32-bit numbers. */
export const sketchLength = 30

/**
 * Writes the sketch of a record, 30 numbers, into `into` from the index `at`. It contains the keys by which the record is found, and enough to rule
 * out a pair about a hundred times faster than a full comparison.
 */
export function writeSketch(record: LikelyRecord, into: Int32Array, at: number): void {
  const isNamed = record.first !== '' || record.last !== ''
  const code = record.postCode
  const last = wordHash(record.last)
  const lastNameHashes = phoneticHashes(record.last, last)
  const host = record.email.indexOf('@')
  const box = host < 0 ? '' : record.email.slice(0, host)
  into[at + sketch.first] = wordHash(record.first)
  into[at + sketch.last] = last
  into[at + sketch.number] = wordHash(record.number)
  into[at + sketch.street] = wordHash(record.street)
  into[at + sketch.postCode] = wordHash(record.postCode)
  into[at + sketch.email] = wordHash(record.email)
  into[at + sketch.phone] = wordHash(record.phone)
  into[at + sketch.firstSound] = record.first.length < 2 ? 0 : phoneticHash(longForm(record.first))
  into[at + sketch.lastSound] = lastNameHashes.hash
  into[at + sketch.streetSound] = phoneticHash(longestWord(record.street))
  into[at + sketch.town] = phoneticHash(record.city.includes(' ') ? record.city.replaceAll(' ', '') : record.city)
  into[at + sketch.company] = phoneticHash(twoWords(record.company))
  into[at + sketch.district] = wordHash(code.length >= 5 ? code.slice(0, -3) : code.slice(0, 3))
  into[at + sketch.box] = filteredHash(box, ['a', 'z'])
  into[at + sketch.host] = host < 0 ? 0 : filteredHash(box, ['0', '9'], record.email.slice(host))
  into[at + sketch.beginnings] = (packed(record.last, 3) << 10) | packed(record.first, 2)
  into[at + sketch.localPartStart] = packed(box, 5)
  into[at + sketch.firstTable] = firstNameBits(record.first)
  into[at + sketch.marks] =
    (record.first.charCodeAt(0) & 255) |
    (record.first.length === 1 ? 256 : 0) |
    ((lastNameHashes.initial & 255) << 9) |
    (record.flat === '' ? 0 : ((wordHash(record.flat) & 127) + 1) << 17) |
    (Math.min(127, record.email.length) << 25)
  let postCodeLetters = 0
  for (let index = 0; index < code.length; index++) postCodeLetters |= 1 << (code.charCodeAt(index) & 31)
  into[at + sketch.postCodeLetters] = postCodeLetters
  into[at + sketch.characters] = letterSet(record.first) | letterSet(record.last) | (digitSet(record.number) << 26)
  setLetterPairs(isNamed ? record.first : record.company, into, at + sketch.firstLetters)
  setLetterPairs(record.last, into, at + sketch.lastLetters)
  setLetterPairs(record.street, into, at + sketch.placeLetters)
  setLetterPairs(record.rest, into, at + sketch.placeLetters)
  setLetterPairs(record.email, into, at + sketch.emailLetters)
  let counts = 0
  for (let set = 0; set < 4; set++) {
    const from = at + sketch.firstLetters + 2 * set
    counts |= (bitsOf(into[from] as number) + bitsOf(into[from + 1] as number)) << (8 * set)
  }
  into[at + sketch.letterCounts] = counts
}

/** How many bits of a number are set. */
export function bitsOf(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555)
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333)
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** The digits of a text as six bits: digits that are six apart (0 and 6, 1 and 7) share a bit. */
function digitSet(text: string): number {
  let digits = 0
  for (let index = 0; index < text.length; index++) {
    const digit = text.charCodeAt(index) - 48
    if (digit >= 0 && digit < 10) digits |= 1 << (digit % 6)
  }
  return digits
}

function setLetterPairs(text: string, into: Int32Array, at: number): void {
  let low = 0
  let high = 0
  let previous = 32
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const bit = (previous * 31 + code * 7) & 63
    if (bit < 32) low |= 1 << bit
    else high |= 1 << (bit & 31)
    previous = code
  }
  into[at] = (into[at] as number) | low
  into[at + 1] = (into[at + 1] as number) | high
}

/** The first letters of a text, five bits each, the first letter in the highest bits. */
function packed(text: string, length: number): number {
  let number = 0
  for (let index = 0; index < length; index++) {
    number = (number << 5) | (index < text.length ? text.charCodeAt(index) & 31 : 0)
  }
  return number
}

function longestWord(text: string): string {
  let from = 0
  let length = 0
  for (let start = 0; start <= text.length; ) {
    const space = text.indexOf(' ', start)
    const end = space < 0 ? text.length : space
    if (end - start > length) [from, length] = [start, end - start]
    start = end + 1
  }
  return length === text.length ? text : text.slice(from, from + length)
}

/** The first two words, without the space between. */
function twoWords(text: string): string {
  const space = text.indexOf(' ')
  if (space < 0) return text
  const second = text.indexOf(' ', space + 1)
  return text.slice(0, space) + text.slice(space + 1, second < 0 ? text.length : second)
}
