// Finds the weights of core/likely/likely-weights.rules.ts from readers whose duplicates are known, and writes that file:
//   node --import tsx tests/load/likely-weights.fit.ts
// The readers are made with seeds below 100; tests and benchmarks use seeds from 1000 on.
// With --levels only the shares of the levels are counted again and the weights are kept: for a change in which pairs are compared. Weights
// fitted to less similar pairs found fewer of the pairs that others had labelled. With --field NAME only the levels of that field are fitted,
// and all shares are counted again: for a new field.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { firstOf, secondOf } from '#core/likely/candidate-pairs.rules.ts'
import { doubtfulFrom } from '#core/likely/learn-weights.rules.ts'
import { likelyWeights } from '#core/likely/likely-weights.rules.ts'
import { orderedLevels } from '#core/likely/ordered-levels.rules.ts'
import { eachFeature } from '#core/likely/pair-features.rules.ts'
import { commonness, surpriseWeight } from '#core/likely/score-pair.rules.ts'
import { likelyIndexOf } from '#tests/support/likely-index.ts'
import { labelledReaders, scenarios } from '#tests/support/reader-duplicates.ts'

const isLevelsAlone = process.argv.includes('--levels')
const { field } = parseArgs({ options: { field: { type: 'string' }, levels: { type: 'boolean' } } }).values
const isFitted = (name: string) => field === undefined || name.startsWith(`${field}.`)
const shipped: Readonly<Record<string, number>> = likelyWeights
const levelNames = Object.entries(orderedLevels).map(([field, levels]) => levels.map((level) => `${field}.${level}`))
/** Features that can only count against a match. */
const against = new Set('otherFirstName otherFirstName.home otherSurname otherGender otherGeneration halfCouple swapped mixed family family.home otherFirst.contact initial.otherGender near.home vague.noEmail sameFirst.home bothNamesDiffer otherAddress neighbour'.split(' ')) // biome-ignore format: a list

/** A pair: the numbers of its features, the surprise, and whether it is one reader. */
interface Sample {
  steps: Int32Array
  surprise: number
  isOne: boolean
  /** Whether the pair is from the mostly clean file. */
  isClean: boolean
  /** The features that are levels of a ladder. */
  names: string[]
  /** The odds by the current weights. */
  shippedOdds: number
  /** The sum of the weights that are not fitted. */
  otherOdds: number
}

const columns = new Map<string, number>([
  ['start', 0],
  ['surprise', 1],
  ['commonness', 2],
])
const columnOf = (name: string) => {
  if (!columns.has(name)) columns.set(name, columns.size)
  return columns.get(name) as number
}
/** A level of a ladder is the sum of the steps up to it. */
function stepsOf(name: string): string[] {
  const fieldLevels = levelNames.find((levels) => levels.includes(name))
  if (!fieldLevels) return [name]
  return [
    `base ${fieldLevels[0]}`,
    ...fieldLevels.slice(1, fieldLevels.indexOf(name) + 1).map((level) => `step ${level}`),
  ]
}

const seenNames = new Set<string>()
/** How many pairs of one reader, and of two, reached a level of a ladder. */
const levels = new Map<string, [one: number, two: number]>(levelNames.flat().map((name) => [name, [0, 0]]))
function count(name: string, isOne: boolean): void {
  const counts = levels.get(name)
  if (counts) counts[isOne ? 0 : 1]++
}
const samples: Sample[] = []
for (const scenario of scenarios) {
  // The last file is mostly clean: one person in ten may have copies.
  for (const [persons, seed, dirty] of [
    [400, 1, 1],
    [1500, 2, 1],
    [1500, 3, 1],
    [5000, 4, 1],
    [5000, 5, 0.1],
  ] as const) {
    // biome-ignore format: a list
    const seen = new Set<number>()
    const readers = labelledReaders(scenario, persons, seed).filter(
      ({ person }) => person % 100 < dirty * 100 || (!seen.has(person) && seen.add(person)),
    )
    const index = likelyIndexOf(readers.map(({ source }) => source))
    for (const pair of index.candidates()) {
      const a = firstOf(pair)
      const b = secondOf(pair)
      const evidence = index.evidence(a, b)
      const isOne = readers[a]?.person === readers[b]?.person
      const names: string[] = []
      eachFeature(evidence, (name, level) => names.push(level === '' ? name : `${name}.${level}`))
      for (const name of names) seenNames.add(name)
      const steps = Int32Array.from(names.filter(isFitted).flatMap(stepsOf), columnOf)
      const oddsOf = (list: readonly string[]) => list.reduce((sum, name) => sum + (shipped[name] ?? 0), 0)
      const shippedOdds = oddsOf(names) + likelyWeights.start + surpriseWeight(evidence.surprise)
      samples.push({
        steps,
        surprise: evidence.surprise,
        isOne,
        isClean: dirty < 1,
        names: names.filter((name) => levels.has(name)),
        shippedOdds,
        otherOdds: field === undefined ? 0 : shippedOdds - oddsOf(names.filter(isFitted)),
      })
    }
  }
}
process.stderr.write(`${samples.length} pairs, ${samples.filter(({ isOne }) => isOne).length} of one reader\n`)

const size = columns.size
const names = [...columns.keys()]
const lowerBounds = names.map((name) => (name.startsWith('step ') || name === 'surprise' ? 0 : -12))
const upperBounds = names.map((name) => (against.has(name) || name === 'commonness' ? 0 : 12))
/** Pulls weights with little evidence towards zero. */
const ridge = 3
const weights = new Float64Array(size)
for (let step = 0; step < (isLevelsAlone ? 0 : 15); step++) {
  const gradient = new Float64Array(size)
  const hessian = new Float64Array(size * size)
  let loss = 0
  for (const { steps, surprise, isOne, otherOdds, isClean } of samples) {
    // The other weights already include how rare duplicates are in a clean file.
    if (steps.length === 0 || (field !== undefined && isClean)) continue
    const at = field === undefined ? [0, 1, 2, ...steps] : [...steps]
    const always = field === undefined ? [1, surprise / 10, commonness(surprise) / 10] : []
    const values = [...always, ...Array(steps.length).fill(1)] as number[]
    let sum = otherOdds
    for (let n = 0; n < at.length; n++) sum += (weights[at[n] as number] as number) * (values[n] as number)
    const probability = 1 / (1 + Math.exp(-sum))
    loss -= Math.log(Math.max(1e-12, isOne ? probability : 1 - probability))
    const error = (isOne ? 1 : 0) - probability
    const curve = probability * (1 - probability)
    for (let n = 0; n < at.length; n++) {
      const row = at[n] as number
      gradient[row] = (gradient[row] as number) + error * (values[n] as number)
      const scaled = curve * (values[n] as number)
      for (let m = 0; m < at.length; m++) {
        const cell = row * size + (at[m] as number)
        hessian[cell] = (hessian[cell] as number) + scaled * (values[m] as number)
      }
    }
  }
  const largestChange = newtonStep(gradient, hessian)
  process.stderr.write(`step ${step}: loss ${Math.round(loss)}, moved ${largestChange.toFixed(3)}\n`)
  if (largestChange < 0.005) break
}
weights[1] = (weights[1] as number) / 10
weights[2] = (weights[2] as number) / 10

/** One Newton step within the bounds: one weight after the other, until none moves. Returns the largest change. */
function newtonStep(gradient: Float64Array, hessian: Float64Array): number {
  const before = Float64Array.from(weights)
  for (let turn = 0; turn < 400; turn++) {
    let moved = 0
    for (let n = 0; n < size; n++) {
      let push = (gradient[n] as number) - ridge * (weights[n] as number)
      for (let m = 0; m < size; m++)
        push -= (hessian[n * size + m] as number) * ((weights[m] as number) - (before[m] as number))
      const old = weights[n] as number
      const max = 2
      const target = old + push / ((hessian[n * size + n] as number) + ridge)
      const near = Math.max((before[n] as number) - max, Math.min((before[n] as number) + max, target))
      weights[n] = Math.max(lowerBounds[n] as number, Math.min(upperBounds[n] as number, near))
      moved = Math.max(moved, Math.abs((weights[n] as number) - old))
    }
    if (moved < 1e-4) break
  }
  return Math.max(...weights.map((weight, n) => Math.abs(weight - (before[n] as number))))
}

// The pairs a file is compared with when learning from it: those that are not clearly two readers.
const doubtful = samples.filter(({ steps, surprise, shippedOdds, otherOdds }) => {
  if (isLevelsAlone) return shippedOdds >= doubtfulFrom
  let sum =
    otherOdds +
    (weights[0] as number) +
    (weights[1] as number) * surprise +
    (weights[2] as number) * commonness(surprise)
  for (const step of steps) sum += weights[step] as number
  return sum >= doubtfulFrom
})
for (const { names, isOne } of doubtful) for (const name of names) count(name, isOne)

const weightOf = (name: string) =>
  isLevelsAlone || !isFitted(name)
    ? (shipped[name] ?? 0)
    : stepsOf(name).reduce((sum, step) => sum + (weights[columns.get(step) ?? -1] ?? 0), 0)
const key = (name: string) => (/^\w+$/.test(name) ? name : `'${name}'`)
const shares = Object.entries(orderedLevels).flatMap(([field, names]) => {
  const counts = names.map((level) => levels.get(`${field}.${level}`) ?? [0, 0])
  const total = [0, 1].map((at) => counts.reduce((sum, of) => sum + (of[at] as number), 0))
  // Half a pair at each level, so that none is impossible.
  const share = (of: [number, number], at: 0 | 1) =>
    ((of[at] + 0.5) / ((total[at] as number) + names.length / 2)).toPrecision(3)
  return names.map(
    (level, index) =>
      `  ${key(`${field}.${level}`)}: [${share(counts[index] as [number, number], 0)}, ${share(counts[index] as [number, number], 1)}],`,
  )
})
const rows = ['start', 'surprise', 'commonness', ...[...seenNames].sort()].map((name) => `  ${key(name)}: ${Math.round(weightOf(name) * 100) / 100 || 0},`) // biome-ignore format: a line
writeFileSync(
  new URL('../../core/likely/likely-weights.rules.ts', import.meta.url),
  `/** How much each feature counts for (above 0) or against two records being one reader, in log odds. Generated by tests/load/likely-weights.fit.ts. */
export const likelyWeights = {
${rows.join('\n')}
}

/** The share of pairs that are one reader, in the data that the weights were fitted to. */
export const fittedMatches = ${(doubtful.filter(({ isOne }) => isOne).length / doubtful.length).toPrecision(3)}

/** How often each level of a field occurs among the pairs that have the field, for pairs of one reader and for pairs of two. */
export const fittedLevels: Readonly<Record<string, readonly [one: number, two: number]>> = {
${shares.join('\n')}
}
`,
)
