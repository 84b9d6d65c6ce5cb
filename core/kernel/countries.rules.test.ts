import { describe, expect, it } from 'vitest'
import { countryCodes, countryName, findCountry } from './countries.ts'

describe('countries', () => {
  it('has all 249 countries and Kosovo once each, Britain and the United States first', () => {
    expect(countryCodes.slice(0, 2)).toEqual(['GB', 'US'])
    expect(countryCodes).toHaveLength(250)
    expect(new Set(countryCodes).size).toBe(250)
  })

  it('finds every country by its code and by its English name', () => {
    for (const code of countryCodes) {
      expect(findCountry(code.toLowerCase()), code).toBe(code)
      expect(findCountry(countryName(code)), countryName(code)).toBe(code)
      expect(countryName(code), code).not.toBe(code)
    }
  })

  it.each([
    ['UK', 'GB'],
    ['U.K.', 'GB'],
    ['england', 'GB'],
    ['Scotland ', 'GB'],
    ['WALES', 'GB'],
    ['Northern Ireland', 'GB'],
    ['U.S.A.', 'US'],
    ['United States of America', 'US'],
    ['Holland', 'NL'],
    ['The Netherlands', 'NL'],
    ['Eire', 'IE'],
    ['Éire', 'IE'],
    ['St. Lucia', 'LC'],
    ["cote d'ivoire", 'CI'],
    ['Hong Kong', 'HK'],
    ['Trinidad and Tobago', 'TT'],
  ])('reads %s as %s', (text, code) => {
    expect(findCountry(text)).toBe(code)
  })

  it('does not guess', () => {
    for (const text of ['', 'Atlantis', 'XX', '-', 'Frnace']) expect(findCountry(text), text).toBeNull()
  })

  it('names a country in other languages', () => {
    expect(countryName('DE', 'fr')).toBe('Allemagne')
  })
})
