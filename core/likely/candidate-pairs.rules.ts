import { blockingKeys } from './blocking-keys.rules.ts'
import { KeySorter } from './key-sorter.rules.ts'
import { isWorthComparing, nameLetters, sketchLength } from './pair-sketch.rules.ts'

/** Readers as numbers: what is held in memory of each while pairs are looked for. */
export interface Sketches {
  count: number
  /** `sketchLength` numbers a reader. */
  sketches: Int32Array
  /** For each kind of key, its numbers one after the other. */
  keys: readonly Uint32Array[]
}

/**
 * How far is looked: blocks up to `most` members pair by pair, bigger ones with a window of `near`, and what the
 * `rule` lets through is compared. Among a million readers the quick way misses one pair in two hundred that the thorough one finds, in a third of the
 * time.
 */
const thorough = { max: 400, maxWide: 400, near: 60, rule: { min: 5, isStrict: false } }
const quick = { max: 40, maxWide: 20, near: 10, rule: { min: 7, isStrict: true } }

/**
 * Up to so many readers the pairs are what the weights were fitted to. The quick rule leaves out what it refuses on sight, so that what is
 * left says nothing of how often fields agree by chance: nothing is learned from it.
 */
export const isSearchedThoroughly = (readers: number) => readers <= 30_000

/** A pair as one number, the lower reader first: sorts by it. */
const pairBase = 2 ** 26
export const firstOf = (pair: number) => Math.floor(pair / pairBase)
export const secondOf = (pair: number) => pair % pairBase

/**
 * Pairs of readers that share a key and look alike in the sketch, each once and in order. Big blocks are walked with a window over their
 * members in order of name, so that the work grows with the readers and not with their square.
 */
export function candidatePairs({ count, sketches, keys }: Sketches, onKind?: (done: number) => void): Float64Array {
  const pairs = new PairList()
  const sorter = new KeySorter(Math.max(...keys.map((list) => list.length)))
  const isThorough = isSearchedThoroughly(count)
  const { max, maxWide, near, rule } = isThorough ? thorough : quick
  for (let kind = 0; kind < blockingKeys.length; kind++) {
    const {
      count: perReader,
      isWide = false,
      isThorough: isLeftOut = false,
    } = blockingKeys[kind] as (typeof blockingKeys)[number]
    if (isLeftOut && !isThorough) continue
    const limit = isWide ? maxWide : max
    const used = sorter.sort(keys[kind] as Uint32Array, count * perReader, perReader)
    const { sorted, readers } = sorter
    for (let from = 0; from < used; ) {
      const key = sorted[from]
      let to = from + 1
      while (to < used && sorted[to] === key) to++
      if (to - from > limit) sortByName(readers, from, to, sketches)
      const reach = to - from > limit ? near : to - from
      for (let i = from; i + 1 < to; i++) {
        const a = readers[i] as number
        const end = Math.min(to, i + 1 + reach)
        for (let j = i + 1; j < end; j++) {
          const b = readers[j] as number
          if (a !== b && isWorthComparing(sketches, a * sketchLength, b * sketchLength, rule)) pairs.add(a, b)
        }
      }
      from = to
    }
    onKind?.(kind + 1)
  }
  return pairs.unique()
}

/** The members of a big block by the letters of the name: those of one name come to stand side by side. */
function sortByName(readers: Uint32Array, from: number, to: number, sketches: Int32Array): void {
  const order = new Float64Array(to - from)
  for (let index = 0; index < order.length; index++) {
    const member = readers[from + index] as number
    // 26 bits for the reader leave 27 for the letters.
    order[index] = (nameLetters(sketches, member * sketchLength) >>> 5) * pairBase + member
  }
  order.sort()
  for (let index = 0; index < order.length; index++) readers[from + index] = (order[index] as number) % pairBase
}

/** A list of pairs that grows, and is thinned out when many come twice. */
class PairList {
  #pairs = new Float64Array(65_536)
  #length = 0
  #thinned = 0

  add(a: number, b: number): void {
    if (this.#length === this.#pairs.length) this.#makeRoom()
    this.#pairs[this.#length++] = a < b ? a * pairBase + b : b * pairBase + a
  }

  unique(): Float64Array {
    this.#thin()
    return this.#pairs.subarray(0, this.#length)
  }

  #makeRoom(): void {
    if (this.#thinned < this.#length * 0.5) this.#thin()
    if (this.#length < this.#pairs.length * 0.7) return
    const wider = new Float64Array(Math.ceil(this.#pairs.length * 1.6))
    wider.set(this.#pairs)
    this.#pairs = wider
  }

  #thin(): void {
    const sorted = this.#pairs.subarray(0, this.#length).sort()
    let kept = 0
    for (let index = 0; index < sorted.length; index++) {
      if (index === 0 || sorted[index] !== sorted[kept - 1]) sorted[kept++] = sorted[index] as number
    }
    this.#length = kept
    this.#thinned = kept
  }
}
