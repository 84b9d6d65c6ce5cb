import { expect, it } from 'vitest'
import { matchesPattern } from './file-pattern.rules.ts'

it.each([
  ['readers.csv', '*.csv', true],
  ['READERS.CSV', '*.csv', true],
  ['readers.csv.part', '*.csv', false],
  ['readers-2026-11-24.csv', 'readers-????-??-??.csv', true],
  ['readers-26-11-24.csv', 'readers-????-??-??.csv', false],
  ['.readers.csv', '*.csv', false],
  ['.readers.csv', '.*.csv', true],
  ['a.b.csv', '*.b.*', true],
  ['a+b(1).csv', 'a+b(?).csv', true],
  ['', '*', true],
  ['x', '', false],
])('%s matches %s: %s', (name, pattern, matches) => {
  expect(matchesPattern(name, pattern)).toBe(matches)
})

it('matching is not slowed down by a malicious pattern', () => {
  expect(matchesPattern('a'.repeat(255), `${'*a'.repeat(50)}b`)).toBe(false)
})
