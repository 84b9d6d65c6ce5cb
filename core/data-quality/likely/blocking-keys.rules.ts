import { longForm } from './first-names.rules.ts'
import type { LikelyRecord } from './likely-record.rules.ts'
import { soundOf } from './sounds-like.rules.ts'
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
}

/**
 * The ways two records of one reader can be found together: readers are only compared with those that share a key. Each key goes without
 * some of the fields, so that whatever two or three are wrong, another key still fits. `wide` ones are shared by many and searched among
 * their nearest alone.
 */
export const blockingKeys: readonly { name: string; isWide?: boolean; count: number; keys(of: Sounds): readonly number[] }[] = [
  { name: 'email', count: 1, keys: ({ email }) => [email] },
  { name: 'telephone', count: 1, keys: ({ phone }) => [phone] },
  { name: 'postcode and name', count: 2, keys: ({ postCode, first, last }) => [both(postCode, first), both(postCode, last)] },
  { name: 'postcode and number', count: 1, keys: ({ postCode, number }) => [both(postCode, number)] },
  { name: 'name and number', count: 1, keys: ({ names, number }) => [both(names, number)] },
  { name: 'company', count: 2, keys: ({ company, postCode, town }) => [both(company, postCode), both(company, town)] },
  { name: 'surname and place', isWide: true, count: 2, keys: ({ last, district, town }) => [both(last, district), both(last, town)] },
  { name: 'name and district', isWide: true, count: 1, keys: ({ first, district, initial }) => [both(both(first, district), initial)] },
  { name: 'name and street', isWide: true, count: 2, keys: ({ first, last, street }) => [both(first, street), both(last, street)] },
  { name: 'name', isWide: true, count: 1, keys: ({ names }) => [names] },
  { name: 'postcode', isWide: true, count: 1, keys: ({ postCode }) => [postCode] },
  { name: 'beginnings', isWide: true, count: 1, keys: ({ beginnings, town }) => [both(beginnings, town)] },
  { name: 'street and number', isWide: true, count: 1, keys: ({ door }) => [door] },
] // biome-ignore format: a table

function soundsOf(record: LikelyRecord): Sounds {
  const { postCode } = record
  const firstSound = record.first.length < 2 ? '' : soundOf(longForm(record.first))
  const lastSound = soundOf(record.last)
  const [first, last] = [wordHash(firstSound), wordHash(lastSound)]
  const street = wordHash(soundOf(longestWord(record.street)))
  const number = wordHash(record.number)
  return {
    email: wordHash(record.email),
    phone: wordHash(record.phone),
    postCode: wordHash(postCode),
    district: wordHash(postCode.length >= 5 ? postCode.slice(0, -3) : postCode.slice(0, 3)),
    number,
    first,
    last,
    names: first < last ? both(first, last) : both(last, first),
    initial: wordHash(lastSound.slice(0, 1)),
    beginnings: both(wordHash(record.last.slice(0, 3)), wordHash(record.first.slice(0, 2))),
    street,
    door: both(street, number),
    town: wordHash(soundOf(record.city.includes(' ') ? record.city.replaceAll(' ', '') : record.city)),
    company: wordHash(soundOf(record.company.split(' ', 2).join(''))),
  }
}

/** Two parts as one key; none where one is missing. */
function both(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : mixed(a, b)
}

function longestWord(text: string): string {
  if (!text.includes(' ')) return text
  let longest = ''
  for (const word of text.split(' ')) if (word.length > longest.length) longest = word
  return longest
}

/** Writes a record's keys as numbers, those of each kind to its own list, as those of reader `index`; 0 where one does not apply. */
export function writeKeys(record: LikelyRecord, into: readonly Uint32Array[], index: number): void {
  const sounds = soundsOf(record)
  for (let kind = 0; kind < blockingKeys.length; kind++) {
    const { keys, count } = blockingKeys[kind] as (typeof blockingKeys)[number]
    const found = keys(sounds)
    const list = into[kind] as Uint32Array
    for (let place = 0; place < count; place++) list[index * count + place] = found[place] as number
  }
}
