import type { LearnedWeights } from '../ports/likely-finder.ts'
import { fittedLevels, fittedMatches, likelyWeights } from './likely-weights.rules.ts'
import { orderedLevels } from './ordered-levels.rules.ts'
import type { PairEvidence } from './pair-evidence.rules.ts'
import { eachFeature } from './pair-features.rules.ts'
import { surpriseWeight } from './score-pair.rules.ts'

/**
 * Pairs below these log odds are clearly two readers. They are so many, and so different in all fields, that they would hide what distinguishes the
 * other pairs.
 */
export const doubtfulFrom = -7

/**
 * The prior is the data that the default weights were fitted to: at least this many of its pairs are counted, and `share` for each pair of the file.
 * If the file counted for more, one with many missing fields would amplify its own first guess.
 */
const prior = { pairs: 1000, one: 1500, two: 5000, share: 5 }
/** How far a weight may move, in log odds. */
export const maxMove = 1.5
/** How far `start` may move. It stands for the share of pairs that are one reader: too low misses some, too high lists different people. */
const startWithin = { min: -0.75, max: 1 }
/**
 * Limits for what is learned from the pairs of a strict search. It leaves out most pairs of two readers, so it shows neither how often fields agree
 * by chance nor how many pairs are one reader. Only what pairs of one reader show is learned, and cautiously: some of these pairs are false, above
 * all in a list with few duplicates, so the prior has as many pairs as a list full of duplicates.
 */
const strict = {
  /** Pairs of one reader that the prior counts for each reader of the list. */
  onePerReader: 1.25,
  /** This many pairs are added to each level, counted and expected, so that a few false pairs do not move a rare level. */
  atEachLevel: 10,
  /** Smaller moves are ignored, and larger ones are reduced by this. */
  minMove: 0.25,
}
const maxIterations = 30

const shipped: Readonly<Record<string, number>> = likelyWeights
const fields = Object.entries(orderedLevels).map(([field, levels], place) => ({
  field,
  place,
  codes: new Map(levels.map((level, index) => [level, index + 1])),
  levels: levels.map((level) => {
    const name = `${field}.${level}`
    const [one, two] = fittedLevels[name] ?? [1, 1]
    return { name, one, two, weight: shipped[name] ?? 0 }
  }),
}))
const fieldOf = new Map(fields.map((field) => [field.field, field]))
const width = fields.length

/** A sample of a file's pairs, a few bytes each: the levels of the fields (0: not compared), and the log odds by the default weights. */
export class PairSample {
  readonly #levels: Uint8Array
  readonly #odds: Float32Array
  #pairs = 0

  constructor(max: number) {
    this.#levels = new Uint8Array(max * width)
    this.#odds = new Float32Array(max)
  }

  add(evidence: PairEvidence): void {
    let sum = likelyWeights.start + surpriseWeight(evidence.surprise)
    const from = this.#pairs * width
    this.#levels.fill(0, from, from + width)
    eachFeature(evidence, (name, level) => {
      sum += shipped[level === '' ? name : `${name}.${level}`] ?? 0
      const field = fieldOf.get(name)
      if (field) this.#levels[from + field.place] = field.codes.get(level) ?? 0
    })
    if (sum >= doubtfulFrom) this.#odds[this.#pairs++] = sum
  }

  /**
   * Learns, without labels, what agreement means in this file, by expectation maximisation: the probability that each pair is one reader gives how
   * often the levels occur among pairs of one reader and of two, and this in turn gives the probability of each pair. A level that is as frequent as
   * in the data of the default weights keeps its weight; the weights of dependent features do not change. `readers`, only for a strict search: how
   * many readers these pairs represent.
   */
  learn({ readers }: { readers?: number } = {}): LearnedWeights {
    const counts = fields.map(({ levels }) => ({
      one: new Float64Array(levels.length + 1),
      all: new Float64Array(levels.length + 1),
      moves: new Float64Array(levels.length + 1),
    }))
    let start = 0
    let matches = 0
    for (let iteration = 0; iteration < maxIterations; iteration++) {
      matches = this.#expect(counts, start)
      const share = (matches + prior.pairs * fittedMatches) / (this.#pairs + prior.pairs)
      if (readers === undefined)
        start = Math.max(startWithin.min, Math.min(startWithin.max, logOdds(share) - logOdds(fittedMatches)))
      for (const { place, levels } of fields) maximise(levels, counts[place] as Counts, readers)
    }
    const moves: Record<string, number> = { start }
    for (const { place, levels } of fields) {
      levels.forEach(({ name }, index) => {
        const move = counts[place]?.moves[index + 1] as number
        if (Math.abs(move) > 0.005) moves[name] = Math.round(move * 1000) / 1000
      })
    }
    return { pairs: this.#pairs, matches: Math.round(matches), moves, readers: 0, commonEmails: 0, commonPhones: 0 }
  }

  /** The expectation step: counts the levels, weighted by the probability that each pair is one reader. Returns how many pairs are. */
  #expect(counts: readonly Counts[], start: number): number {
    for (const { one, all } of counts) {
      one.fill(0)
      all.fill(0)
    }
    let matches = 0
    for (let pair = 0; pair < this.#pairs; pair++) {
      const from = pair * width
      let sum = (this.#odds[pair] as number) + start
      for (let index = 0; index < width; index++)
        sum += (counts[index] as Counts).moves[this.#levels[from + index] as number] as number
      const chance = 1 / (1 + Math.exp(-sum))
      matches += chance
      for (let index = 0; index < width; index++) {
        const level = this.#levels[from + index] as number
        const { one, all } = counts[index] as Counts
        one[level] = (one[level] as number) + chance
        all[level] = (all[level] as number) + 1
      }
    }
    return matches
  }
}

interface Counts {
  /** Pairs of one reader at each level. In all three arrays, index 0 is for pairs whose field was not compared. */
  one: Float64Array
  all: Float64Array
  moves: Float64Array
}

function maximise(levels: (typeof fields)[number]['levels'], { one, all, moves }: Counts, readers?: number): void {
  const isStrict = readers !== undefined
  const compared = (list: Float64Array) => list.reduce((sum, number) => sum + number, 0) - (list[0] as number)
  const ones = compared(one)
  const pairs = compared(all)
  const priorOnes = Math.max(isStrict ? strict.onePerReader * readers : prior.one, prior.share * ones)
  const priorTwos = Math.max(prior.two, prior.share * (pairs - ones))
  const target = levels.map((level, index) => {
    const ofOne = one[index + 1] as number
    const ofAll = all[index + 1] as number
    // The m and u probabilities of Fellegi and Sunter: how often the level occurs among pairs of one reader, and of two.
    const m = (ofOne + priorOnes * level.one) / (ones + priorOnes)
    const u = (ofAll - ofOne + priorTwos * level.two) / (pairs - ones + priorTwos)
    const move = isStrict
      ? strictMove(ofOne + priorOnes * level.one, (ones + priorOnes) * level.one)
      : Math.log(m / level.one) - Math.log(u / level.two)
    return { value: level.weight + within(move, maxMove), mass: m + u }
  })
  isotonicValues(target).forEach((value, index) => {
    moves[index + 1] = within(value - (levels[index] as { weight: number }).weight, maxMove)
  })
}

/** The move of a level in a strict search, from the number of pairs of one reader at that level and the number that the prior expects. */
function strictMove(counted: number, expected: number): number {
  const move = Math.log((counted + strict.atEachLevel) / (expected + strict.atEachLevel))
  return Math.sign(move) * Math.max(0, Math.abs(move) - strict.minMove)
}

const logOdds = (share: number) => Math.log(share / (1 - share))
const within = (value: number, max: number) => Math.max(-max, Math.min(max, value))

/** The nearest non-decreasing values (pool adjacent violators). */
function isotonicValues(list: readonly { value: number; mass: number }[]): number[] {
  const pools: { value: number; mass: number; size: number }[] = []
  for (const { value, mass } of list) {
    let pool = { value, mass, size: 1 }
    for (let last = pools.at(-1); last && last.value > pool.value; last = pools.at(-1)) {
      pools.pop()
      const sum = last.mass + pool.mass
      const mean = (last.value * last.mass + pool.value * pool.mass) / sum
      pool = { value: mean, mass: sum, size: last.size + pool.size }
    }
    pools.push(pool)
  }
  return pools.flatMap(({ value, size }) => Array<number>(size).fill(value))
}
