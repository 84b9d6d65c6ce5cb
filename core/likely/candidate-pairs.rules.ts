import { blockingKeys } from './blocking-keys.rules.ts'
import { KeySorter } from './key-sorter.rules.ts'
import { sketchLength } from './pair-sketch.rules.ts'
import { sketchedOdds } from './score-sketches.rules.ts'

/** What is kept in memory of each reader during the search for pairs. */
export interface Sketches {
  count: number
  /** `sketchLength` numbers per reader. */
  sketches: Int32Array<SharedArrayBuffer>
  /** How rare the parts of each reader's record are: `packedRarity`. */
  rarities: Int32Array<SharedArrayBuffer>
}

interface SearchLimits {
  /** Blocks of up to this many members are compared pair by pair, bigger ones within a window of `windowSize`. */
  maxBlockSize: number
  /** The same limit for keys that many readers share. */
  maxWideBlockSize: number
  windowSize: number
  /** Pairs whose sketches have at least these log odds are compared. */
  minLogOdds: number
  /** Whether low-yield keys are used too. */
  usesLowYieldKeys: boolean
  /** Whether first names are also compared with surnames, to find swapped ones. */
  findsSwappedNames: boolean
}

/**
 * How thorough the search is, by the number of readers. Only the pairs of the `thorough` search show how often fields agree by chance: the other
 * searches skip pairs that the sketches alone rule out, so less can be learned from the remaining pairs.
 */
const searches = {
  thorough: {
    maxBlockSize: 400,
    maxWideBlockSize: 400,
    windowSize: 60,
    minLogOdds: -7,
    usesLowYieldKeys: true,
    findsSwappedNames: true,
  },
  medium: {
    maxBlockSize: 80,
    maxWideBlockSize: 40,
    windowSize: 16,
    minLogOdds: -2,
    usesLowYieldKeys: false,
    findsSwappedNames: true,
  },
  quick: {
    maxBlockSize: 40,
    maxWideBlockSize: 20,
    windowSize: 8,
    minLogOdds: -0.75,
    usesLowYieldKeys: false,
    findsSwappedNames: false,
  },
} as const satisfies Record<string, SearchLimits>
export type SearchName = keyof typeof searches

/**
 * Up to 30,000 readers, the pairs resemble those that the weights were fitted to. Beyond 300,000, the medium search would take too much time and
 * memory.
 */
export function searchFor(readers: number): SearchName {
  return readers <= 30_000 ? 'thorough' : readers <= 300_000 ? 'medium' : 'quick'
}

/** A pair is one number, the lower reader first, so that pairs sort by that reader. */
const pairBase = 2 ** 26
export const firstOf = (pair: number) => Math.floor(pair / pairBase)
export const secondOf = (pair: number) => pair % pairBase

/** How many of the blocking keys are taken, in memory that threads share: each thread takes the next key when it has finished its last. */
export type TakenKeys = Int32Array<SharedArrayBuffer>

export const noKeysTaken = (): TakenKeys => new Int32Array(new SharedArrayBuffer(4))

/**
 * Pairs of readers that share a key and have similar sketches, each once and in order. Big blocks are sorted by name and scanned with a window, so
 * that the work is linear in the number of readers, not quadratic. Threads with the same `taken` search different keys.
 */
export function candidatePairs(
  { count, sketches, rarities }: Sketches,
  search: SearchName,
  { taken = noKeysTaken(), onKeyTaken }: { taken?: TakenKeys; onKeyTaken?: (part: number) => void } = {},
): Float64Array<ArrayBuffer> {
  const pairs = new PairList()
  const { maxBlockSize, maxWideBlockSize, windowSize, minLogOdds, usesLowYieldKeys, findsSwappedNames } =
    searches[search]
  const sorter = new KeySorter(findsSwappedNames ? 2 * count : count)
  // One object for all pairs: this code runs a hundred million times.
  const pair = { a: 0, b: 0, rarityA: 0, rarityB: 0, size: Math.log2(count + 1), isStrict: search !== 'thorough' }
  const usedKeys = blockingKeys.filter(({ isLowYield }) => usesLowYieldKeys || !isLowYield)
  const nextKey = () => usedKeys[Atomics.add(taken, 0, 1)]
  for (let next = nextKey(); next; next = nextKey()) {
    const { key, otherKey, isWide, order } = next
    onKeyTaken?.(Math.min(1, Atomics.load(taken, 0) / usedKeys.length))
    const limit = isWide ? maxWideBlockSize : maxBlockSize
    const keys = otherKey && findsSwappedNames ? [key, otherKey] : [key]
    const entryCount = sorter.sort(
      count,
      keys.map((keyOf) => (reader) => keyOf(sketches, reader * sketchLength)),
    )
    const { sorted, readers } = sorter
    for (let from = 0; from < entryCount; ) {
      const blockKey = sorted[from]
      let to = from + 1
      while (to < entryCount && sorted[to] === blockKey) to++
      if (to - from > limit) sortBy(order, readers, from, to, sketches)
      const reach = to - from > limit ? windowSize : to - from
      for (let i = from; i + 1 < to; i++) {
        const a = readers[i] as number
        pair.a = a * sketchLength
        pair.rarityA = rarities[a] as number
        const end = Math.min(to, i + 1 + reach)
        for (let j = i + 1; j < end; j++) {
          const b = readers[j] as number
          pair.b = b * sketchLength
          pair.rarityB = rarities[b] as number
          if (a !== b && sketchedOdds(sketches, pair, minLogOdds) >= minLogOdds) pairs.add(a, b)
        }
      }
      from = to
    }
  }
  return pairs.unique()
}

/** The pairs of two lists, each once and in order. */
export function mergedPairs(a: Float64Array, b: Float64Array): Float64Array {
  const merged = new Float64Array(a.length + b.length)
  let length = 0
  let indexA = 0
  let indexB = 0
  while (indexA < a.length || indexB < b.length) {
    const pairA = a[indexA] ?? Number.POSITIVE_INFINITY
    const pairB = b[indexB] ?? Number.POSITIVE_INFINITY
    merged[length++] = Math.min(pairA, pairB)
    if (pairA <= pairB) indexA++
    if (pairB <= pairA) indexB++
  }
  return merged.subarray(0, length)
}

/** Sorts the members of a big block by one number of their sketches, so that similar members are adjacent. */
function sortBy(offset: number, readers: Uint32Array, from: number, to: number, sketches: Int32Array): void {
  const values = new Float64Array(to - from)
  for (let index = 0; index < values.length; index++) {
    const member = readers[from + index] as number
    const value = (sketches[member * sketchLength + offset] as number) >>> 0
    // A double has 53 bits: 26 are for the reader, so 27 remain for the value. Beginnings have 25 bits; of a hash, five bits are dropped.
    values[index] = (value < 2 ** 25 ? value : value >>> 5) * pairBase + member
  }
  values.sort()
  for (let index = 0; index < values.length; index++) readers[from + index] = (values[index] as number) % pairBase
}

/** A growing list of pairs, which is deduplicated before it grows if many may have been added twice. */
class PairList {
  #pairs = new Float64Array(65_536)
  #length = 0
  #uniqueLength = 0

  add(a: number, b: number): void {
    if (this.#length === this.#pairs.length) this.#grow()
    this.#pairs[this.#length++] = a < b ? a * pairBase + b : b * pairBase + a
  }

  unique(): Float64Array<ArrayBuffer> {
    this.#deduplicate()
    return this.#pairs.subarray(0, this.#length)
  }

  #grow(): void {
    if (this.#uniqueLength < this.#length * 0.5) this.#deduplicate()
    if (this.#length < this.#pairs.length * 0.7) return
    const wider = new Float64Array(Math.ceil(this.#pairs.length * 1.6))
    wider.set(this.#pairs)
    this.#pairs = wider
  }

  #deduplicate(): void {
    const sorted = this.#pairs.subarray(0, this.#length).sort()
    let length = 0
    for (let index = 0; index < sorted.length; index++) {
      if (index === 0 || sorted[index] !== sorted[length - 1]) sorted[length++] = sorted[index] as number
    }
    this.#length = length
    this.#uniqueLength = length
  }
}
