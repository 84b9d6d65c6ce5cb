import { describe, expect, it } from 'vitest'
import type { LearnedWeights } from '#core/ports/likely-finder.ts'
import { likelyIndexOf } from '#tests/support/likely-index.ts'
import { type Labelled, labelledReaders, type Scenario } from '#tests/support/reader-duplicates.ts'
import { describeWeights } from './describe-weights.rules.ts'
import { maxMove } from './learn-weights.rules.ts'
import type { LikelySource } from './likely-record.rules.ts'
import { likelyWeights } from './likely-weights.rules.ts'
import { orderedLevels } from './ordered-levels.rules.ts'

const changed = (readers: Labelled[], change: (source: LikelySource) => Partial<LikelySource>) =>
  readers.map(({ source, person }) => ({ person, source: { ...source, ...change(source) } }))

/** Files with unusual columns, each with its minimum F1. */
const files: readonly (readonly [string, Labelled[], { f1: number }])[] = [
  ['an email column that says No', changed(labelledReaders('mixed', 1500, 1011), () => ({ email: 'No' })), { f1: 0.9 }],
  ['no telephones', changed(labelledReaders('mixed', 1500, 1012), () => ({ telephone: '' })), { f1: 0.95 }],
  [
    'nobody but Dukes',
    changed(labelledReaders('mixed', 1500, 1013), ({ lastName, fullName }) => ({
      lastName: lastName === '' ? '' : 'Duke',
      fullName: lastName === '' ? fullName : fullName.replaceAll(lastName, 'Duke'),
    })),
    { f1: 0.85 },
  ],
]

describe.each(files)('in a file of %s', (_, readers, limits) => {
  const index = likelyIndexOf(readers.map(({ source }) => source))
  let learned: LearnedWeights | undefined
  const groups = index.groups({
    onProgress(progress) {
      learned = progress.learned ?? learned
    },
  })

  it('finds duplicates, and merges nobody else', () => {
    const truePairs = countPairs(readers.length, (a, b) => readers[a]?.person === readers[b]?.person)
    const listed = { right: 0, wrong: 0 }
    const merged = { right: 0, wrong: 0 }
    for (const { members, confidence } of groups) {
      const isMerged = Math.min(confidence, index.defaultConfidence(members)) >= 0.97
      countPairs(members.length, (a, b) => {
        const outcome = readers[members[a] ?? -1]?.person === readers[members[b] ?? -1]?.person ? 'right' : 'wrong'
        listed[outcome]++
        if (isMerged) merged[outcome]++
        return true
      })
    }
    const precision = listed.right / (listed.right + listed.wrong)
    const recall = listed.right / truePairs
    expect((2 * precision * recall) / (precision + recall)).toBeGreaterThan(limits.f1)
    expect(merged.right / (merged.right + merged.wrong)).toBeGreaterThanOrEqual(0.97)
    expect(merged.right).toBeGreaterThan(0.3 * truePairs)
  })

  it('changes no weight by much, and never gives better agreement less weight than worse', () => {
    const moves = learned?.moves ?? {}
    expect(Object.keys(moves).length).toBeGreaterThan(5)
    for (const move of Object.values(moves)) expect(Math.abs(move)).toBeLessThanOrEqual(maxMove)
    for (const [field, levels] of Object.entries(orderedLevels)) {
      const weights = levels.map((level) => {
        const name = `${field}.${level}`
        return ((likelyWeights as Record<string, number>)[name] ?? 0) + (moves[name] ?? 0)
      })
      // The default weights and the moves are rounded where they are stored.
      weights.slice(1).forEach((weight, index) => {
        expect(weight).toBeGreaterThanOrEqual((weights[index] as number) - 0.02)
      })
    }
  })
})

describe('in a long list, which is searched strictly', () => {
  const search = 'medium'
  const learn = (readers: readonly Labelled[]) => {
    const index = likelyIndexOf(readers.map(({ source }) => source))
    return index.learn(index.candidates({ search }), search)
  }

  it('learns what differs between the records of one reader', () => {
    let calls = 0
    const withNewTelephone = () => ({ telephone: `07700 ${(900_000 + calls++ * 7919) % 1_000_000}` })
    const readers = changed(labelledReaders('mixed', 1500, 1015), withNewTelephone)
    const index = likelyIndexOf(readers.map(({ source }) => source))
    let learned: LearnedWeights | undefined
    const groups = index.groups({
      search,
      onProgress(progress) {
        learned = progress.learned ?? learned
      },
    })
    expect(learned?.matches).toBeGreaterThan(300)
    expect(learned?.moves['phone.other']).toBeGreaterThan(0.1)
    // The groups have the learned confidence, which is higher than the default where the telephones differ.
    const higher = groups.filter(({ members, confidence }) => confidence > index.defaultConfidence(members))
    expect(higher.length).toBeGreaterThan(0.9 * groups.length)
  })

  it.each<[Scenario, number]>([
    ['mixed', 1],
    ['families', 1],
    // Among the few pairs that are found in a mostly clean list, more are false.
    ['mixed', 0.08],
  ])(
    'keeps the default weights for a list like those they were fitted to: %s, with duplicates for this share of the readers: %d',
    (scenario, duplicateShare) => {
      const seen = new Set<number>()
      const readers = labelledReaders(scenario, 3000, 1016).filter(
        ({ person }) => person % 100 < duplicateShare * 100 || (!seen.has(person) && seen.add(person)),
      )
      for (const move of Object.values(learn(readers).moves)) expect(Math.abs(move)).toBeLessThan(0.1)
    },
  )

  it('reports the emails that it ignores', () => {
    const [readers = []] = files.map(([, list]) => list)
    const learned = learn(readers)
    expect(learned).toMatchObject({ readers: readers.length, commonEmails: readers.length, commonPhones: 0 })
    expect(describeWeights(learned)).toEqual([
      'an email that many readers share is ignored: 100% of the readers have one',
    ])
  })
})

it('is deterministic', () => {
  const readers = labelledReaders('mixed', 500, 1014)
  const learn = () => {
    const index = likelyIndexOf(readers.map(({ source }) => source))
    return index.learn(index.candidates())
  }
  expect(learn()).toEqual(learn())
})

it.each(['thorough', 'medium'] as const)(
  'keeps the default weights when there is nothing to learn from: %s',
  (search) => {
    const alone = labelledReaders('mixed', 1, 1017).slice(0, 1)
    const index = likelyIndexOf(alone.map(({ source }) => source))
    const { pairs, moves } = index.learn(index.candidates({ search }), search)
    expect(pairs).toBe(0)
    for (const move of Object.values(moves)) expect(move).toBeCloseTo(0, 9)
  },
)

it('explains in words what differs from other files', () => {
  const learned = { pairs: 1000, matches: 300, readers: 1000, commonEmails: 400, commonPhones: 0 }
  expect(describeWeights({ ...learned, moves: { 'city.same': 0.9, 'street.other': -0.7, 'last.same': 0.1 } })).toEqual([
    'an email that many readers share is ignored: 40% of the readers have one',
    'a different street counts more against a match than usual',
    'the same town counts more than usual',
  ])
})

/** How many of the pairs among that many members satisfy the condition. */
function countPairs(size: number, condition: (a: number, b: number) => boolean): number {
  let found = 0
  for (let a = 0; a < size; a++) for (let b = a + 1; b < size; b++) if (condition(a, b)) found++
  return found
}
