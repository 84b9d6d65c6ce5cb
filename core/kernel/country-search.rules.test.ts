import { describe, expect, it } from 'vitest'
import { countryCodes, countryName } from './countries.ts'
import { matchCountries } from './country-search.rules.ts'

const choicesIn = (locale: string) => countryCodes.map((code) => ({ code, name: countryName(code, locale) }))
const english = choicesIn('en')
const findCodes = (typed: string, choices = english) => matchCountries(choices, typed).map(({ code }) => code)

describe('the country search', () => {
  it.each([
    ['uk', 'GB'],
    ['U.K.', 'GB'],
    ['england', 'GB'],
    ['Scotland', 'GB'],
    ['britain', 'GB'],
    ['great brit', 'GB'],
    ['wal', 'GB'],
    ['usa', 'US'],
    ['america', 'US'],
    ['holland', 'NL'],
    ['ivory coast', 'CI'],
    ['ivory', 'CI'],
    ['cote divoire', 'CI'],
    ['côte d’i', 'CI'],
    ["cote d'ivoire", 'CI'],
    ['cote d ivoire', 'CI'],
    ['newzealand', 'NZ'],
    ['burma', 'MM'],
    ['czech rep', 'CZ'],
    ['turkey', 'TR'],
    ['turkiye', 'TR'],
    ['swaziland', 'SZ'],
    ['eire', 'IE'],
    ['espana', 'ES'],
    ['DEUTSCH', 'DE'],
    ['korea', 'KR'],
    ['reunion', 'RE'],
    ['aland', 'AX'],
    ['fr', 'FR'],
  ])('for %s has %s among the first three', (typed, code) => {
    expect(findCodes(typed).slice(0, 3)).toContain(code)
  })

  it('ranks a whole name first, then the beginning of a name, then that of a word inside it', () => {
    expect(findCodes('united')).toEqual(expect.arrayContaining(['GB', 'US', 'AE']))
    expect(findCodes('united').slice(0, 2)).toEqual(['GB', 'US'])
    const guinea = findCodes('guinea')
    expect(guinea[0]).toBe('GN')
    expect(guinea).toEqual(expect.arrayContaining(['GW', 'GQ', 'PG']))
    expect(findCodes('nether')[0]).toBe('NL')
  })

  it('finds English and local names on a page in another language', () => {
    const french = choicesIn('fr')
    expect(findCodes('allem', french)[0]).toBe('DE')
    expect(findCodes('germany', french)[0]).toBe('DE')
    expect(findCodes('royaume', french)[0]).toBe('GB')
    expect(findCodes('etats', french)[0]).toBe('US')
  })

  it('returns all for an empty text and none for nonsense', () => {
    expect(findCodes('  ')).toEqual(countryCodes)
    expect(findCodes('-')).toEqual(countryCodes)
    expect(findCodes('zzzz')).toEqual([])
  })

  it('finds every country by its whole name', () => {
    for (const { code, name } of english) expect(findCodes(name)[0], name).toBe(code)
  })
})
