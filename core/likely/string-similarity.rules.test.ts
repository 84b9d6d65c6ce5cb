import fc from 'fast-check'
import { expect, it } from 'vitest'
import { stringSimilarity } from './string-similarity.rules.ts'

it('similarity is 1 for the same text, 0 for texts with nothing in common or without characters, and always between the two', () => {
  expect([stringSimilarity('martha', 'martha'), stringSimilarity('abc', 'xyz'), stringSimilarity('', '')]).toEqual([
    1, 0, 0,
  ])
  expect(stringSimilarity('martha', 'marhta')).toBeCloseTo(0.961, 3)
  expect(stringSimilarity('dwayne', 'duane')).toBeCloseTo(0.84, 2)
  fc.assert(fc.property(fc.string(), fc.string(), (a, b) => stringSimilarity(a, b) <= 1 && stringSimilarity(a, b) >= 0))
})

it('similarity is the same in both directions', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 70 })
  fc.assert(fc.property(text, text, (a, b) => stringSimilarity(a, b) === stringSimilarity(b, a)))
})
