import { expect, it } from 'vitest'
import { filteredHash, wordHash } from './word-hash.rules.ts'

it.each([
  ['', ''],
  ['a.smith22', '@example.com'],
  ['1984', ''],
  ['ann', ''],
  ['ünal-7', '@example.com'],
])('the hash of the filtered characters of %j, followed by %j, is that of the text they form', (text, rest) => {
  expect(filteredHash(text, ['0', '9'], rest)).toBe(wordHash(text.replaceAll(/[^0-9]/g, '') + rest))
  expect(filteredHash(text, ['a', 'z'], rest)).toBe(wordHash(text.replaceAll(/[^a-z]/g, '') + rest))
})
