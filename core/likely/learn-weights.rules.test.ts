import { describe, expect, it } from 'vitest'
import type { LearnedWeights } from '#core/ports/likely-finder.ts'
import { likelyIndexOf } from '#tests/support/likely-index.ts'
import { type Labelled, labelledReaders } from '#tests/support/reader-duplicates.ts'
import { describeWeights } from './describe-weights.rules.ts'
import { maxMove } from './learn-weights.rules.ts'
import type { LikelySource } from './likely-record.rules.ts'
import { likelyWeights } from './likely-weights.rules.ts'
import { orderedLevels } from './ordered-levels.rules.ts'

const changed = (readers: Labelled[], change: (source: LikelySource) => Partial<LikelySource>) =>
  readers.map(({ source, person }) => ({ person, source: { ...source, ...change(source) } }))

/** Files with unusual columns, with the minimum F1 and precision of automatic merges. */
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
  const groups = index.groups({ onProgress: (at) => (learned = at.learned ?? learned) })

  it('finds duplicates, and merges nobody else', () => {
    const there = pairs(readers.length, (a, b) => readers[a]?.person === readers[b]?.person)
    const listed = { right: 0, wrong: 0 }
    const merged = { right: 0, wrong: 0 }
    for (const { members, confidence } of groups) {
      const isMerged = Math.min(confidence, index.defaultConfidence(members)) >= 0.97
      pairs(members.length, (a, b) => {
        const outcome = readers[members[a] ?? -1]?.person === readers[members[b] ?? -1]?.person ? 'right' : 'wrong'
        listed[outcome]++
        if (isMerged) merged[outcome]++
        return true
      })
    }
    const [precision, recall] = [listed.right / (listed.right + listed.wrong), listed.right / there]
    expect((2 * precision * recall) / (precision + recall)).toBeGreaterThan(limits.f1)
    expect(merged.right / (merged.right + merged.wrong)).toBeGreaterThanOrEqual(0.97)
    expect(merged.right).toBeGreaterThan(0.3 * there)
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
      // Both are rounded where they are stored.
      weights.slice(1).forEach((weight, at) => {
        expect(weight).toBeGreaterThanOrEqual((weights[at] as number) - 0.02)
      })
    }
  })
})

it('reports the emails that a long list ignores, although it learns no weights from it', () => {
  const [readers] = files.map(([, list]) => list)
  const index = likelyIndexOf((readers ?? []).map(({ source }) => source))
  let learned: LearnedWeights | undefined
  index.groups({ search: 'medium', onProgress: (at) => (learned = at.learned ?? learned) })
  const { length } = readers ?? []
  expect(learned).toEqual({ pairs: 0, matches: 0, moves: {}, readers: length, commonEmails: length, commonPhones: 0 })
  expect(learned && describeWeights(learned)).toEqual([
    'an email that many readers share is ignored: 100% of the readers have one',
  ])
})

it('is deterministic', () => {
  const readers = labelledReaders('mixed', 500, 1014)
  const learn = () => {
    const index = likelyIndexOf(readers.map(({ source }) => source))
    return index.learn(index.candidates())
  }
  expect(learn()).toEqual(learn())
})

it('keeps the default weights when there is nothing to learn from', () => {
  const index = likelyIndexOf([])
  const { pairs, moves } = index.learn(index.candidates())
  expect(pairs).toBe(0)
  for (const move of Object.values(moves)) expect(move).toBeCloseTo(0, 9)
})

it('explains in words what differs from other files', () => {
  const learned = { pairs: 1000, matches: 300, readers: 1000, commonEmails: 400, commonPhones: 0 }
  expect(describeWeights({ ...learned, moves: { 'city.same': 0.9, 'street.other': -0.7, 'last.same': 0.1 } })).toEqual([
    'an email that many readers share is ignored: 40% of the readers have one',
    'a different street counts more against a match than usual',
    'the same town counts more than usual',
  ])
})

/** How many of the pairs satisfy the condition. */
function pairs(size: number, isSuch: (a: number, b: number) => boolean): number {
  let found = 0
  for (let a = 0; a < size; a++) for (let b = a + 1; b < size; b++) if (isSuch(a, b)) found++
  return found
}
