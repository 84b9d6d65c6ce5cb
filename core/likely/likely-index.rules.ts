import type { LearnedWeights, LikelyProgress } from '../ports/likely-finder.ts'
import {
  candidatePairs,
  firstOf,
  type SearchName,
  type Sketches,
  searchFor,
  secondOf,
} from './candidate-pairs.rules.ts'
import {
  byConfidence,
  doubtfulGroups,
  groupPairs,
  likelyFrom,
  listableFrom,
  type ReaderGroup,
  type ScoredPair,
  withFits,
} from './group-pairs.rules.ts'
import { PairSample } from './learn-weights.rules.ts'
import { type LikelyRecord, unpackRecord } from './likely-record.rules.ts'
import { NameCounts } from './name-counts.rules.ts'
import { type PairEvidence, pairEvidence } from './pair-evidence.rules.ts'
import { sketch, sketchLength } from './pair-sketch.rules.ts'
import { pairScorer, scorePair } from './score-pair.rules.ts'
import { packedRarity } from './score-sketches.rules.ts'
import type { SketchedReaders } from './sketched-readers.rules.ts'

/** How many candidates are learned from at most: more would add nothing. A strict search needs fewer, as more of its pairs are one reader. */
const maxLearnedFrom = { thorough: 300_000, strict: 15_000 }

/** Stores the records' texts during a search: in memory for few records, in a file for a million. */
export interface TextStore {
  /** Adds the texts of some readers, each followed by `textEnd`. */
  add(texts: Uint8Array): void
  get(index: number): string
  /** Lends memory that the index no longer needs, for the store to use. */
  lend?(room: ArrayBufferLike): void
}

/** Collects readers, then finds the groups among them that are likely to be one reader each. */
export class LikelyIndex {
  readonly #texts: TextStore
  readonly #counts = new NameCounts()
  /** In shared memory, so that other threads can search it too. */
  #sketches: Int32Array<SharedArrayBuffer>
  #length = 0
  #score = scorePair
  #common = { commonEmails: 0, commonPhones: 0 }
  #held: { index: number; record: LikelyRecord } | undefined

  /** `expected`: how many readers there will be. If there are more, the sketches are copied to a larger array. */
  constructor(texts: TextStore, expected = 4096) {
    this.#texts = texts
    this.#sketches = sharedNumbers(Math.max(16, expected) * sketchLength)
  }

  get length(): number {
    return this.#length
  }

  add({ count, sketches, texts }: SketchedReaders): void {
    const from = this.#length * sketchLength
    this.#length += count
    if (this.#length * sketchLength > this.#sketches.length) this.#grow(from)
    this.#sketches.set(sketches, from)
    for (let index = 0; index < count; index++) this.#counts.add(sketches, index * sketchLength)
    this.#texts.add(texts)
  }

  /** Pairs worth comparing, as reader numbers in the order they were added. */
  candidates({ search = searchFor(this.#length) }: { search?: SearchName } = {}): Float64Array {
    return candidatePairs(this.searchable(), search)
  }

  /** What the search for candidates needs, in memory that threads share. */
  searchable(): Sketches {
    this.#forgetCommonContacts()
    return { count: this.#length, sketches: this.#sketches, rarities: this.#rarities() }
  }

  /** Removes emails and telephones that too many readers share, so that they yield no candidates. */
  #forgetCommonContacts(): void {
    const sketches = this.#sketches
    for (const [place, counted] of contacts) {
      this.#common[counted] = 0
      for (let offset = place; offset < this.#length * sketchLength; offset += sketchLength) {
        if (!this.#counts.isCommonContact(sketches[offset] as number)) continue
        this.#common[counted]++
        sketches[offset] = 0
      }
    }
  }

  #rarities(): Int32Array<SharedArrayBuffer> {
    const { first, last, postCode, street } = this.#counts.ofHashes
    const rarities = sharedNumbers(this.#length)
    for (let index = 0; index < this.#length; index++) {
      const start = index * sketchLength
      const hash = (place: number) => this.#sketches[start + place] as number
      rarities[index] = packedRarity(
        first(hash(sketch.first)),
        last(hash(sketch.last)),
        postCode(hash(sketch.postCode)),
        street(hash(sketch.street)),
      )
    }
    return rarities
  }

  evidence(a: number, b: number): PairEvidence {
    return pairEvidence(this.#hold(a), this.record(b), this.#counts)
  }

  /** The confidence by the learned weights, or by the default weights before `learn` is called. */
  score(a: number, b: number): number {
    return this.#score(this.evidence(a, b))
  }

  /** Learns from a sample of the candidates what agreement means in this file. From then on, pairs are scored by the learned weights. */
  learn(pairs: Float64Array, search = searchFor(this.#length)): LearnedWeights {
    const isStrict = search !== 'thorough'
    const step = Math.max(1, Math.ceil(pairs.length / maxLearnedFrom[isStrict ? 'strict' : 'thorough']))
    const sample = new PairSample(Math.ceil(pairs.length / step))
    // A pseudo-random pair of each step: always taking the first would prefer readers that were added first.
    let draw = 1
    for (let from = 0; from < pairs.length; from += step) {
      draw = (Math.imul(draw, 1_664_525) + 1_013_904_223) >>> 0
      const pair = pairs[Math.min(pairs.length - 1, from + ((draw >>> 8) % step))] as number
      sample.add(this.evidence(firstOf(pair), secondOf(pair)))
    }
    const represented = isStrict ? { readers: this.#length / step } : {}
    const learned = { ...sample.learn(represented), readers: this.#length, ...this.#common }
    this.#score = pairScorer(learned.moves)
    return learned
  }

  /**
   * The groups, the most certain first. Call it once: it drops the search data. `distinct` says whether two readers, by their ids, were marked as
   * different.
   */
  groups(
    options: {
      min?: number
      /** How many less certain pairs (from `listableFrom` on) are returned after the groups. */
      maxDoubtful?: number
      distinct?: (a: number, b: number) => boolean
      search?: SearchName
      /** The candidates, where they have already been searched for. */
      pairs?: Float64Array
      onProgress?: (at: LikelyProgress) => void
    } = {},
  ): ReaderGroup[] {
    const { min = likelyFrom, maxDoubtful = 0, distinct, search = searchFor(this.#length), onProgress } = options
    const { pairs = this.candidates({ search }) } = options
    // The search data is no longer needed: the texts reuse its memory.
    this.#texts.lend?.(this.#sketches.buffer)
    this.#sketches = sharedNumbers(0)
    const learned = this.learn(pairs, search)
    onProgress?.({ phase: 'comparing', part: 0, learned })
    const scored: ScoredPair[] = []
    let doubtful: ScoredPair[] = []
    const limit = Math.max(10_000, 8 * maxDoubtful)
    const score = (a: number, b: number) => {
      if (distinct?.(this.#hold(a).id, this.record(b).id)) return 0
      return this.score(a, b)
    }
    for (let index = 0; index < pairs.length; index++) {
      const pair = pairs[index] as number
      const a = firstOf(pair)
      const b = secondOf(pair)
      const confidence = score(a, b)
      if (confidence >= min) scored.push({ a, b, confidence })
      else if (maxDoubtful > 0 && confidence >= listableFrom) doubtful.push({ a, b, confidence })
      // More are kept than will be returned: many belong to records that end up in a group.
      if (doubtful.length > limit) doubtful = byConfidence(doubtful).slice(0, limit / 2)
      if (index % 20_000 === 0) onProgress?.({ phase: 'comparing', part: index / pairs.length })
    }
    onProgress?.({ phase: 'grouping', part: 0 })
    const groups = groupPairs(scored, score, min).sort((a, b) => b.confidence - a.confidence)
    return [...groups, ...doubtfulGroups(doubtful, groups, maxDoubtful)]
  }

  /** The confidence of a group by the default weights: that of its weakest member. */
  defaultConfidence(members: readonly number[]): number {
    const score = (a: number, b: number) => scorePair(this.evidence(a, b))
    return Math.min(...withFits([...members], score).fits)
  }

  /** Reads a record. Pairs come in the order of their first reader, so only that record is cached. */
  record(index: number): LikelyRecord {
    if (this.#held?.index === index) return this.#held.record
    return unpackRecord(this.#texts.get(index))
  }

  #hold(index: number): LikelyRecord {
    const record = this.record(index)
    if (this.#held?.index !== index) this.#held = { index, record }
    return record
  }

  #grow(used: number): void {
    const wider = sharedNumbers(Math.ceil(this.#length * 1.5) * sketchLength)
    wider.set(this.#sketches.subarray(0, used))
    this.#sketches = wider
  }
}

function sharedNumbers(length: number): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT))
}

const contacts = [
  [sketch.email, 'commonEmails'],
  [sketch.phone, 'commonPhones'],
] as const
