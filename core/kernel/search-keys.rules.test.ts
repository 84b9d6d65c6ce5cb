import { describe, expect, it } from 'vitest'
import { postCodeKey, textKey } from './search-keys.rules.ts'

describe('search keys', () => {
  it.each([
    ['O’Brien-Smith', 'obrien smith'],
    ["O'BRIEN  Smith ", 'obrien smith'],
    ['Dr. Zoë  Ångström', 'dr zoe angstrom'],
    ['Straße', 'strasse'],
    ['Søren Łukasz', 'soren lukasz'],
    ['J.R.R. Tolkien', 'jrr tolkien'],
    ['  ', ''],
    ['中文', '中文'],
  ])('%s is %s', (text, key) => {
    expect(textKey(text)).toBe(key)
    expect(textKey(key)).toBe(key)
  })

  it('are the same for any Latin letter alone or among others', () => {
    // A letter of another alphabet makes a text take the slow path.
    for (let code = 1; code < 0x250; code++) {
      const text = `a${String.fromCharCode(code)}b ${String.fromCharCode(code)}c`
      expect(`${textKey(text)} я`, text).toBe(textKey(`${text} я`))
    }
  })

  it('are at most as long as their columns', () => {
    expect(textKey('ß'.repeat(200))).toHaveLength(200)
    expect(postCodeKey(' sw1a-1aa ')).toBe('SW1A1AA')
  })
})
