import { longForm } from './first-names.rules.ts'
import { type LikelyRecord, likelyRecord, likelySource } from './likely-record.rules.ts'
import { soundOf } from './sounds-like.rules.ts'
import { wordHash } from './word-hash.rules.ts'

/**
 * The ways two records of one reader can be found together: readers are only compared with those that share a key. Each key goes without
 * some of the fields, so that whatever two or three are wrong, another key still fits. `wide` ones are shared by many and searched among
 * their nearest alone.
 */
export const blockingKeys: readonly { name: string; isWide?: boolean; keys(record: Sounds): readonly string[] }[] = [
  { name: 'email', keys: ({ record }) => [record.email] },
  { name: 'mailbox', keys: ({ box }) => [box] },
  { name: 'telephone', keys: ({ record }) => [record.phone] },
  { name: 'postcode and name', keys: ({ record, first, last }) => [both(record.postCode, first), both(record.postCode, last)] },
  { name: 'postcode and number', keys: ({ record }) => [both(record.postCode, record.number)] },
  { name: 'name and number', keys: ({ record, names }) => [both(names, record.number)] },
  { name: 'name and town', keys: ({ town, names }) => [both(names, town)] },
  { name: 'street, number and name', keys: ({ door, first, last }) => [both(door, first), both(door, last)] },
  { name: 'door and town', keys: ({ door, town, district }) => [both(door, town), both(door, district)] },
  { name: 'company', keys: ({ record, company, town }) => [both(company, record.postCode), both(company, town)] },
  { name: 'surname and place', isWide: true, keys: ({ last, district, town }) => [both(last, district), both(last, town)] },
  { name: 'name and district', isWide: true, keys: ({ first, last, district }) => [both(first, district, last.slice(0, 1))] },
  { name: 'first name and street', isWide: true, keys: ({ first, last, street }) => [both(first, street), both(last, street)] },
  { name: 'name', isWide: true, keys: ({ names }) => [names] },
  { name: 'postcode', isWide: true, keys: ({ record }) => [record.postCode] },
  { name: 'beginnings', isWide: true, keys: ({ record, town }) => [both(record.last.slice(0, 3), record.first.slice(0, 2), town)] },
  { name: 'street and number', isWide: true, keys: ({ door }) => [door] },
] // biome-ignore format: a table

/** A record's parts by how they sound. */
export interface Sounds {
  record: LikelyRecord
  first: string
  last: string
  /** Both names, in an order that does not depend on which is which. */
  names: string
  street: string
  /** Street and number. */
  door: string
  town: string
  /** The first half of the postcode. */
  district: string
  box: string
  company: string
}

export function soundsOf(record: LikelyRecord): Sounds {
  const first = record.first.length < 2 ? '' : soundOf(longForm(record.first))
  const last = soundOf(record.last)
  const street = soundOf(longestWord(record.street))
  const box = record.email.split('@', 1)[0] ?? ''
  return {
    record,
    first,
    last,
    names: first === '' || last === '' ? '' : first < last ? `${first} ${last}` : `${last} ${first}`,
    street,
    door: both(street, record.number),
    town: soundOf(record.city.replaceAll(' ', '')),
    district: record.postCode.length >= 5 ? record.postCode.slice(0, -3) : record.postCode.slice(0, 3),
    box: box.length >= 6 ? box : '',
    company: soundOf(record.company.split(' ').slice(0, 2).join('')),
  }
}

/** Several parts as one key; none where a part is missing. */
function both(...parts: string[]): string {
  return parts.includes('') ? '' : parts.join('|')
}

function longestWord(text: string): string {
  let longest = ''
  for (const word of text.split(' ')) if (word.length > longest.length) longest = word
  return longest
}

/** How many keys of each kind a record has. */
export const keyCounts: readonly number[] = blockingKeys.map(
  ({ keys }) => keys(soundsOf(likelyRecord(likelySource([])))).length,
)

/** Writes a record's keys as numbers, those of each kind to its own list, as those of reader `index`; 0 where one does not apply. */
export function writeKeys(record: LikelyRecord, into: readonly Uint32Array[], index: number): void {
  const sounds = soundsOf(record)
  for (let kind = 0; kind < blockingKeys.length; kind++) {
    const keys = blockingKeys[kind]?.keys(sounds) ?? []
    const list = into[kind] as Uint32Array
    for (let place = 0; place < keys.length; place++)
      list[index * keys.length + place] = wordHash(keys[place] as string)
  }
}
