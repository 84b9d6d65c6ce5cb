import type { LikelyRecord } from './likely-record.rules.ts'
import { wordHash } from './word-hash.rules.ts'

/** The hashes of a record's parts, computed once for sketches and counts. 0: the record does not have the part. */
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
