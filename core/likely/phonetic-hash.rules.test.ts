import { expect, it } from 'vitest'
import { phoneticHash } from './phonetic-hash.rules.ts'

it.each([
  ['thompson', 'thomson'],
  ['philips', 'phillips'],
  ['mackay', 'mckay'],
  ['knight', 'night'],
  ['wright', 'right'],
  ['mueller', 'muller'],
  ['stephen', 'steven'],
])('%s sounds like %s', (a, b) => {
  expect(phoneticHash(a)).toBe(phoneticHash(b))
})

it.each([
  ['smith', 'jones'],
  ['taylor', 'turner'],
  ['brown', 'green'],
])('%s does not sound like %s', (a, b) => {
  expect(phoneticHash(a)).not.toBe(phoneticHash(b))
})
