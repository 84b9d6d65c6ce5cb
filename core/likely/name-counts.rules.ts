import type { Rarity } from './pair-evidence.rules.ts'
import { sketch } from './pair-sketch.rules.ts'
import { wordHash } from './word-hash.rules.ts'

const buckets = 1 << 16
const contactBuckets = 1 << 21

/** An email or a telephone that more readers share ("No", "n/a", a switchboard) does not identify a person. */
const maxSharing = 12

/** Counts how often names, streets and postcodes occur among the readers, in little memory: agreement on a rare one is stronger evidence. */
export class NameCounts implements Rarity {
  readonly #first = new Uint32Array(buckets)
  readonly #last = new Uint32Array(buckets)
  readonly #postCode = new Uint32Array(buckets)
  readonly #street = new Uint32Array(buckets)
  /** There are nearly as many emails and telephones as readers, hence many small buckets, which count only as far as needed. */
  readonly #contacts = new Uint8Array(contactBuckets)
  #readers = 0

  /** Counts the reader whose sketch begins at `at`. */
  add(sketches: Int32Array, at: number): void {
    this.#readers++
    count(this.#first, sketches[at + sketch.first] as number)
    count(this.#last, sketches[at + sketch.last] as number)
    count(this.#postCode, sketches[at + sketch.postCode] as number)
    count(this.#street, sketches[at + sketch.street] as number)
    this.#countContact(sketches[at + sketch.email] as number)
    this.#countContact(sketches[at + sketch.phone] as number)
  }

  /** Whether too many readers share an email or telephone, by its hash. */
  isCommonContact(hash: number): boolean {
    return hash !== 0 && (this.#contacts[hash & (contactBuckets - 1)] as number) > maxSharing
  }

  isCommonEmail = (email: string) => this.isCommonContact(wordHash(email))
  isCommonPhone = (phone: string) => this.isCommonContact(wordHash(phone))

  #countContact(hash: number): void {
    const bucket = hash & (contactBuckets - 1)
    if (hash !== 0 && (this.#contacts[bucket] as number) <= maxSharing)
      this.#contacts[bucket] = (this.#contacts[bucket] as number) + 1
  }

  get size(): number {
    return Math.log2(this.#readers + 1)
  }

  first = (name: string) => this.ofHashes.first(wordHash(name))
  last = (name: string) => this.ofHashes.last(wordHash(name))
  postCode = (postCode: string) => this.ofHashes.postCode(wordHash(postCode))
  street = (street: string) => this.ofHashes.street(wordHash(street))

  /** The same functions for hashes of names, postcodes and streets. */
  readonly ofHashes = {
    first: (hash: number) => this.#bits(this.#first, hash),
    last: (hash: number) => this.#bits(this.#last, hash),
    postCode: (hash: number) => this.#bits(this.#postCode, hash),
    street: (hash: number) => this.#bits(this.#street, hash),
  }

  areDistinctFirstNames = (a: string, b: string) => areDistinct(this.#first, a, b)
  areDistinctSurnames = (a: string, b: string) => areDistinct(this.#last, a, b)

  /** The rarity of a value in bits. One of the two readers that share it is not counted. */
  #bits(counts: Uint32Array, hash: number): number {
    if (hash === 0) return 0
    const others = Math.max(1, (counts[hash & (buckets - 1)] as number) - 1)
    return Math.log2((this.#readers + 1) / others)
  }
}

function count(counts: Uint32Array, hash: number): void {
  if (hash === 0) return
  const bucket = hash & (buckets - 1)
  counts[bucket] = (counts[bucket] as number) + 1
}

/** True if both spellings are frequent enough to be separate names: a typing error is rare compared with the right spelling. */
function areDistinct(counts: Uint32Array, a: string, b: string): boolean {
  const countA = counts[wordHash(a) & (buckets - 1)] as number
  const countB = counts[wordHash(b) & (buckets - 1)] as number
  const [rare, common] = countA < countB ? [countA, countB] : [countB, countA]
  return rare >= 4 && rare * 25 >= common
}
