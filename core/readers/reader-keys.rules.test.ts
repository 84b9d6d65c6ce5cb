import { describe, expect, it } from 'vitest'
import { postalZone } from '../kernel/postal-zones.rules.ts'
import { parseUkPostCode } from '../kernel/uk-postcode.rules.ts'
import { mailSort, normalisePostCode, postCodeState } from '../postcodes/post-code.rules.ts'
import { addressState } from './address-state.rules.ts'
import { deriveReader } from './reader-keys.rules.ts'
import { referenceInitials, uniqueReference } from './unique-reference.rules.ts'

describe('keys', () => {
  it('fall back on first and last name, and on the home country', () => {
    const blank = {
      email: '',
      companyName: '',
      addressOne: '',
      addressTwo: '',
      addressThree: '',
      addressFour: '',
      city: '',
    }
    const keys = deriveReader(
      { ...blank, firstName: 'Ann', lastName: 'Lee', fullName: '', postCode: '1011 AB', country: '' },
      'NL',
    )
    expect(keys).toMatchObject({
      keyName: 'ann lee',
      keySurname: 'lee',
      keyPostCode: '1011AB',
      postCodeState: 'ok',
      mailSort: '2NL41011AB',
    })
  })
})

describe('British postcodes', () => {
  it.each([
    ['sw1a1aa', 'SW1A 1AA'],
    ['  M1  1AE', 'M1 1AE'],
    ['b33-8th', 'B33 8TH'],
    ['CR2 6XH', 'CR2 6XH'],
    ['dn551pt', 'DN55 1PT'],
    ['W1A 0AX', 'W1A 0AX'],
    ['gir 0aa', 'GIR 0AA'],
    ['bfpo57', 'BFPO 57'],
    ['BF1 3AA', 'BF1 3AA'],
    ['JE2 3XP', 'JE2 3XP'],
  ])('%s is valid', (text, formatted) => {
    expect(parseUkPostCode(text)?.text).toBe(formatted)
    expect(normalisePostCode(text, 'GB')).toBe(formatted)
    expect(postCodeState(text, 'GB')).toBe('ok')
  })

  it.each(['SW1A OAA', 'ZZ1 1AA', 'M1 1A', 'M1 1CE', 'B333 8TH', 'AB10A 1AA', '12345', 'BFPO'])(
    '%s is not valid',
    (text) => {
      expect(parseUkPostCode(text)).toBeNull()
      expect(normalisePostCode(text, 'GB')).toBe(text)
      expect(postCodeState(text, 'GB')).toBe('queried')
    },
  )

  it('are reported if missing, except in countries that have none, and foreign ones if their format is wrong', () => {
    expect(postCodeState('', 'GB')).toBe('missing')
    expect(postCodeState('', 'DE')).toBe('missing')
    expect(postCodeState('', 'HK')).toBe('ok')
    expect(postCodeState('1234', 'DE')).toBe('queried')
    for (const [postCode, country, state] of [
      ['700000', 'VN', 'queried'],
      ['70000', 'VN', 'ok'],
      ['1000', 'XK', 'queried'],
      ['10000', 'XK', 'ok'],
      ['D-10115', 'DE', 'ok'],
      ['CH-8001', 'CH', 'ok'],
      ['NL-1011 AB', 'NL', 'ok'],
      ['D-1011', 'DE', 'queried'],
      ['NY-10001', 'US', 'queried'],
      ['A15E3H1', 'KZ', 'ok'],
      ['050000', 'KZ', 'ok'],
    ] as const)
      expect(postCodeState(postCode, country), `${postCode} ${country}`).toBe(state)
    expect(postCodeState('anything', 'PE')).toBe('ok')
  })
})

describe('postcode order', () => {
  it('sorts by zone, area, district, sector and unit, numbers as numbers', () => {
    const walk: [string, string][] = [
      ['B1 1AA', 'GB'],
      ['B1 2AA', 'GB'],
      ['B9 1AA', 'GB'],
      ['B10 1AA', 'GB'],
      ['BA1 1AA', 'GB'],
      ['GY1 1AA', 'GG'],
      ['SW1 1AA', 'GB'],
      ['SW1A 1AA', 'GB'],
      ['SW2 1AA', 'GB'],
      ['rubbish', 'GB'],
      ['99', 'CH'],
      ['1000', 'CH'],
      ['0150', 'NO'],
      ['2000', 'AU'],
      ['02139', 'US'],
    ]
    const keys = walk.map(([postCode, country]) => mailSort(postCode, country))
    expect([...keys].sort()).toEqual(keys)
    for (const key of keys) expect(key).toMatch(/^[1-3][A-Z0-9~]{0,39}$/)
    expect([postalZone('NO'), postalZone('CH'), postalZone('IM'), postalZone('CA')]).toEqual([
      'europe',
      'europe',
      'uk',
      'world',
    ])
  })
})

describe('address format', () => {
  const wellFormed = {
    addressOne: '12 High Street',
    addressTwo: 'Polruan',
    addressThree: '',
    addressFour: '',
    city: 'Fowey',
  }

  it.each([
    ['a good one', {}, 'ok'],
    ['a number with its comma', { addressOne: '12, High Street' }, 'ok'],
    ['none at all', { addressOne: '', addressTwo: '', city: '' }, 'ok'],
    ['a gap', { addressTwo: '', addressThree: 'Polruan' }, 'queried'],
    ['an empty first line', { addressOne: '' }, 'queried'],
    ['a number alone', { addressOne: '12a' }, 'queried'],
    ['several parts', { addressOne: 'Rose Cottage, Mill Lane' }, 'queried'],
    ['the town', { addressTwo: 'FOWEY' }, 'queried'],
    ['a postcode', { addressTwo: 'Polruan PL23 1AQ' }, 'queried'],
  ])('%s', (_, change, state) => {
    expect(addressState({ ...wellFormed, ...change })).toBe(state)
  })
})

describe('references', () => {
  it('are the initials and seven digits, never repeated', () => {
    expect(referenceInitials('The Harbour Light')).toBe('THL')
    expect(referenceInitials('Élan & Öl')).toBe('EO')
    expect(referenceInitials('雑誌')).toBe('RDR')
    const references = new Set(Array.from({ length: 20_000 }, (_, n) => uniqueReference('HL', n, 123_456)))
    expect(references.size).toBe(20_000)
    for (const reference of references) expect(reference).toMatch(/^HL\d{7}$/)
    expect(uniqueReference('HL', 10_000_000, 5)).toBe('HL10000005')
  })
})
