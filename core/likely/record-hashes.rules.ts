import type { LikelyRecord } from './likely-record.rules.ts'
import { wordHash } from './word-hash.rules.ts'

/** A record's parts as hashes, each computed once: keys, sketches and counts all begin with them. 0 where it has none. */
export interface RecordHashes {
  first: number
  last: number
  number: number
  street: number
  postCode: number
  email: number
  phone: number
}

export function recordHashes(record: LikelyRecord): RecordHashes {
  return {
    first: wordHash(record.first),
    last: wordHash(record.last),
    number: wordHash(record.number),
    street: wordHash(record.street),
    postCode: wordHash(record.postCode),
    email: wordHash(record.email),
    phone: wordHash(record.phone),
  }
}
