import { blockingKeys } from './blocking-keys.rules.ts'
import { isWorthComparing, type SketchRule, sketchLength } from './pair-sketch.rules.ts'

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
const thorough = { most: 400, mostWide: 400, near: 60, rule: { least: 5, isStrict: false } }
const quick = { most: 40, mostWide: 20, near: 10, rule: { least: 7, isStrict: true } }

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
  const { most, mostWide, near, rule } = count <= 30_000 ? thorough : quick
  for (let kind = 0; kind < blockingKeys.length; kind++) {
    const perReader = blockingKeys[kind]?.count ?? 1
    const numbers = keys[kind] as Uint32Array
    const entries = sortedEntries(numbers, count * perReader, perReader)
    const isWide = blockingKeys[kind]?.isWide ?? false
    const limit = isWide ? mostWide : most
    for (let from = 0; from < entries.length; ) {
      const key = hashOf(entries[from] as number)
      let to = from + 1
      while (to < entries.length && hashOf(entries[to] as number) === key) to++
      if (to - from > 1) walkBlock(entries.subarray(from, to), { limit, near, rule }, sketches, pairs)
      from = to
    }
    onKind?.(kind + 1)
  }
  return pairs.unique()
}

/** Above any reader's number: 26 bits for the reader leave 27 for the key, and blocks that meet by chance are told apart by the sketch. */
const entryBase = 2 ** 26
const hashOf = (entry: number) => Math.floor(entry / entryBase)

/** Key and reader in one number each, in order of key. */
function sortedEntries(numbers: Uint32Array, length: number, perReader: number): Float64Array {
  const entries = new Float64Array(length)
  let used = 0
  for (let index = 0; index < length; index++) {
    const key = numbers[index] as number
    if (key !== 0) entries[used++] = (key >>> 5) * entryBase + Math.floor(index / perReader)
  }
  return entries.subarray(0, used).sort()
}

interface Reach {
  limit: number
  near: number
  rule: SketchRule
}

function walkBlock(block: Float64Array, { limit, near, rule }: Reach, sketches: Int32Array, pairs: PairList): void {
  const members = Uint32Array.from(block, (entry) => entry % entryBase)
  let reach = members.length
  if (members.length > limit) {
    // By the letters of the name: those of one name come to stand side by side.
    const order = Float64Array.from(members, (member) => {
      const at = member * sketchLength
      return (
        (((sketches[at + 8] as number) ^ Math.imul(sketches[at + 9] as number, 0x9e3779b1)) >>> 5) * entryBase + member
      )
    }).sort()
    for (let index = 0; index < order.length; index++) members[index] = (order[index] as number) % entryBase
    reach = near
  }
  for (let i = 0; i < members.length; i++) {
    const a = members[i] as number
    const end = Math.min(members.length, i + 1 + reach)
    for (let j = i + 1; j < end; j++) {
      const b = members[j] as number
      if (a !== b && isWorthComparing(sketches, a * sketchLength, b * sketchLength, rule)) pairs.add(a, b)
    }
  }
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
