import { longForm } from './first-names.rules.ts'
import type { LikelyRecord } from './likely-record.rules.ts'
import type { RecordHashes } from './record-hashes.rules.ts'
import { heard, soundOf } from './sounds-like.rules.ts'
import { mixed, wordHash } from './word-hash.rules.ts'

/** A record's parts by how they sound, each as a number; 0 where it has none. */
interface Sounds {
  email: number
  phone: number
  postCode: number
  /** The first half of the postcode. */
  district: number
  number: number
  first: number
  last: number
  /** Both names, in an order that does not depend on which is which. */
  names: number
  initial: number
  /** The beginnings of both names. */
  beginnings: number
  street: number
  /** Street and number. */
  door: number
  town: number
  company: number
  /** The mailbox without its figures. */
  box: number
  /** The figures of the mailbox, with its host. */
  host: number
}

/**
 * The ways two records of one reader can be found together: readers are only compared with those that share a key. Each key goes without
 * some of the fields, so that whatever two or three are wrong, another key still fits. `wide` ones are shared by many and searched among
 * their nearest alone; `isThorough` ones only where the search is thorough. `write` puts a record's keys, `count` of them, into a list from a place on.
 */
export const blockingKeys: readonly { name: string; isWide?: boolean; isThorough?: boolean; count: number; write(of: Sounds, into: Uint32Array, at: number): void }[] = [
  { name: 'email', ...one(({ email }) => email) },
  { name: 'telephone', ...one(({ phone }) => phone) },
  { name: 'postcode and name', ...two(({ postCode, first }) => both(postCode, first), ({ postCode, last }) => both(postCode, last)) },
  { name: 'postcode and number', ...one(({ postCode, number }) => both(postCode, number)) },
  { name: 'name and number', ...one(({ names, number }) => both(names, number)) },
  { name: 'company', ...two(({ company, postCode }) => both(company, postCode), ({ company, town }) => both(company, town)) },
  { name: 'surname and place', isWide: true, ...two(({ last, district }) => both(last, district), ({ last, town }) => both(last, town)) },
  { name: 'name and district', isWide: true, ...one(({ first, district, initial }) => both(both(first, district), initial)) },
  { name: 'name and street', isWide: true, ...two(({ first, street }) => both(first, street), ({ last, street }) => both(last, street)) },
  { name: 'first name and town', isWide: true, isThorough: true, ...one(({ first, town }) => both(first, town)) },
  { name: 'mailbox', isWide: true, isThorough: true, ...two(({ box }) => box, ({ host }) => host) },
  { name: 'name', isWide: true, ...one(({ names }) => names) },
  { name: 'postcode', isWide: true, ...one(({ postCode }) => postCode) },
  { name: 'beginnings', isWide: true, ...one(({ beginnings, town }) => both(beginnings, town)) },
  { name: 'street and number', isWide: true, ...one(({ door }) => door) },
] // biome-ignore format: a table

type Key = (of: Sounds) => number

function one(key: Key) {
  return {
    count: 1,
    write(of: Sounds, into: Uint32Array, at: number) {
      into[at] = key(of)
    },
  }
}

function two(key: Key, other: Key) {
  return {
    count: 2,
    write(of: Sounds, into: Uint32Array, at: number) {
      into[at] = key(of)
      into[at + 1] = other(of)
    },
  }
}

function soundsOf(record: LikelyRecord, { number, postCode, email, phone }: RecordHashes): Sounds {
  const code = record.postCode
  const first = record.first.length < 2 ? 0 : soundOf(longForm(record.first))
  const { hash: last, initial } = heard(record.last)
  const street = soundOf(longestWord(record.street))
  const at = record.email.indexOf('@')
  return {
    email,
    phone,
    postCode,
    district: wordHash(code.length >= 5 ? code.slice(0, -3) : code.slice(0, 3)),
    number,
    first,
    last,
    names: first < last ? both(first, last) : both(last, first),
    initial,
    beginnings: both(wordHash(record.last.slice(0, 3)), wordHash(record.first.slice(0, 2))),
    street,
    door: both(street, number),
    town: soundOf(record.city.includes(' ') ? record.city.replaceAll(' ', '') : record.city),
    company: soundOf(twoWords(record.company)),
    box: wordHash(at < 0 ? '' : record.email.slice(0, at).replaceAll(/[^a-z]+/g, '')),
    host: wordHash(at < 0 ? '' : record.email.slice(0, at).replaceAll(/[^0-9]+/g, '') + record.email.slice(at)),
  }
}

/** Two parts as one key; none where one is missing. */
function both(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : mixed(a, b)
}

function longestWord(text: string): string {
  let [from, length] = [0, 0]
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

/** Writes a record's keys as numbers, those of each kind to its own list, as those of reader `index`; 0 where one does not apply. */
export function writeKeys(
  record: LikelyRecord,
  hashes: RecordHashes,
  into: readonly Uint32Array[],
  index: number,
): void {
  const sounds = soundsOf(record, hashes)
  for (let kind = 0; kind < blockingKeys.length; kind++) {
    const { write, count } = blockingKeys[kind] as (typeof blockingKeys)[number]
    write(sounds, into[kind] as Uint32Array, index * count)
  }
}
