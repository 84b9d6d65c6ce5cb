// Finds the weights of core/likely/likely-weights.rules.ts from readers whose duplicates are known, and writes that file:
//   node --import tsx tests/load/likely-weights.fit.ts
// The readers are made with seeds below 100; tests and benchmarks judge with seeds from 1000 on.
import { writeFileSync } from 'node:fs'
import { firstOf, secondOf } from '#core/likely/candidate-pairs.rules.ts'
import { LikelyIndex } from '#core/likely/likely-index.rules.ts'
import { likelyRecord } from '#core/likely/likely-record.rules.ts'
import { eachFeature } from '#core/likely/pair-features.rules.ts'
import { labelledReaders, scenarios } from '#tests/support/reader-duplicates.ts'

/** Levels of which each next one never speaks less for a pair than the one before. What stands in no ladder is free. */
const ladders: readonly (readonly string[])[] = [
  ['otherName', 'other', 'sound', 'near', 'slip', 'same'].map((level) => `first.${level}`),
  ['other', 'part', 'sound', 'near', 'slip', 'same'].map((level) => `last.${level}`),
  ['other', 'near', 'same'].map((level) => `number.${level}`),
  ['other', 'part', 'near', 'same'].map((level) => `street.${level}`),
  ['other', 'one', 'none', 'same'].map((level) => `flat.${level}`),
  ['other', 'near', 'same'].map((level) => `city.${level}`),
  ['other', 'district', 'near', 'same'].map((level) => `postCode.${level}`),
  ['other', 'box', 'near', 'same'].map((level) => `email.${level}`),
  ['other', 'near', 'same'].map((level) => `phone.${level}`),
  ['other', 'part', 'near', 'same'].map((level) => `company.${level}`),
  ['other', 'part', 'near', 'same'].map((level) => `organisation.company.${level}`),
]
/** Signs that can only speak against. */
const against = new Set('otherFirstName otherFirstName.home otherSurname otherGender otherGeneration halfCouple swapped mixed family family.home otherFirst.contact initial.otherGender near.home vague.noEmail sameFirst.home stranger elsewhere neighbour'.split(' ')) // biome-ignore format: a list

/** A pair: the numbers of its features, the surprise, and whether it is one reader. */
interface Sample {
  steps: Int32Array
  surprise: number
  isOne: boolean
}

const places = new Map<string, number>([
  ['start', 0],
  ['surprise', 1],
])
const placeOf = (name: string) => {
  if (!places.has(name)) places.set(name, places.size)
  return places.get(name) as number
}
/** A level of a ladder is the sum of the steps up to it. */
function stepsOf(name: string): string[] {
  const ladder = ladders.find((levels) => levels.includes(name))
  if (!ladder) return [name]
  return [`base ${ladder[0]}`, ...ladder.slice(1, ladder.indexOf(name) + 1).map((level) => `step ${level}`)]
}

const seen = new Set<string>()
const samples: Sample[] = []
for (const scenario of scenarios) {
  for (const [persons, seed] of [
    [400, 1],
    [1500, 2],
    [1500, 3],
    [6000, 4],
  ] as const) {
    // biome-ignore format: a list
    const readers = labelledReaders(scenario, persons, seed)
    const texts: string[] = []
    const index = new LikelyIndex({ add: (text) => texts.push(text), get: (at) => texts[at] as string })
    for (const { source } of readers) index.add(likelyRecord(source))
    for (const pair of index.candidates()) {
      const [a, b] = [firstOf(pair), secondOf(pair)]
      const evidence = index.evidence(a, b)
      const names: string[] = []
      eachFeature(evidence, (name, level) => names.push(level === '' ? name : `${name}.${level}`))
      for (const name of names) seen.add(name)
      const steps = Int32Array.from(names.flatMap(stepsOf), placeOf)
      samples.push({ steps, surprise: evidence.surprise, isOne: readers[a]?.person === readers[b]?.person })
    }
  }
}
process.stderr.write(`${samples.length} pairs, ${samples.filter(({ isOne }) => isOne).length} of one reader\n`)

const size = places.size
const names = [...places.keys()]
const lowest = names.map((name) => (name.startsWith('step ') || name === 'surprise' ? 0 : -12))
const highest = names.map((name) => (against.has(name) ? 0 : 12))
/** Pulls weights towards nothing that few pairs speak for. */
const ridge = 3
const weights = new Float64Array(size)
for (let step = 0; step < 15; step++) {
  const slope = new Float64Array(size)
  const bend = new Float64Array(size * size)
  let loss = 0
  for (const { steps, surprise, isOne } of samples) {
    const at = [0, 1, ...steps]
    const values = [1, surprise / 10, ...Array(steps.length).fill(1)] as number[]
    let sum = 0
    for (let n = 0; n < at.length; n++) sum += (weights[at[n] as number] as number) * (values[n] as number)
    const chance = 1 / (1 + Math.exp(-sum))
    loss -= Math.log(Math.max(1e-12, isOne ? chance : 1 - chance))
    const error = (isOne ? 1 : 0) - chance
    const curve = chance * (1 - chance)
    for (let n = 0; n < at.length; n++) {
      const row = at[n] as number
      slope[row] = (slope[row] as number) + error * (values[n] as number)
      const scaled = curve * (values[n] as number)
      for (let m = 0; m < at.length; m++) {
        const cell = row * size + (at[m] as number)
        bend[cell] = (bend[cell] as number) + scaled * (values[m] as number)
      }
    }
  }
  const longest = move(slope, bend)
  process.stderr.write(`step ${step}: loss ${Math.round(loss)}, moved ${longest.toFixed(3)}\n`)
  if (longest < 0.005) break
}
weights[1] = (weights[1] as number) / 10

/** One step of Newton within the bounds: the weights one after the other, until none moves. Gives the longest move. */
function move(slope: Float64Array, bend: Float64Array): number {
  const before = Float64Array.from(weights)
  for (let turn = 0; turn < 400; turn++) {
    let moved = 0
    for (let n = 0; n < size; n++) {
      let push = (slope[n] as number) - ridge * (weights[n] as number)
      for (let m = 0; m < size; m++)
        push -= (bend[n * size + m] as number) * ((weights[m] as number) - (before[m] as number))
      const [old, max] = [weights[n] as number, 2]
      const wanted = old + push / ((bend[n * size + n] as number) + ridge)
      const near = Math.max((before[n] as number) - max, Math.min((before[n] as number) + max, wanted))
      weights[n] = Math.max(lowest[n] as number, Math.min(highest[n] as number, near))
      moved = Math.max(moved, Math.abs((weights[n] as number) - old))
    }
    if (moved < 1e-4) break
  }
  return Math.max(...weights.map((weight, n) => Math.abs(weight - (before[n] as number))))
}

const weightOf = (name: string) => stepsOf(name).reduce((sum, step) => sum + (weights[places.get(step) ?? -1] ?? 0), 0)
const rows = ['start', 'surprise', ...[...seen].sort()].map((name) => `  ${/^\w+$/.test(name) ? name : `'${name}'`}: ${Math.round(weightOf(name) * 100) / 100 || 0},`) // biome-ignore format: a line
writeFileSync(
  new URL('../../core/likely/likely-weights.rules.ts', import.meta.url),
  `/** How much each sign speaks for (above 0) or against two records being one reader, in log odds. Made by tests/load/likely-weights.fit.ts. */
export const likelyWeights = {
${rows.join('\n')}
}
`,
)
