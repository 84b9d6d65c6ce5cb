import { describe, expect, it } from 'vitest'
import { detectCountry, detectLanguage, unusualLanguages } from './detect-country.rules.ts'

describe('the probable country of a visitor', () => {
  it.each([
    ['en-GB,en;q=0.9', 'GB'],
    ['en-US,en;q=0.5', 'US'],
    ['fr-CA,fr;q=0.9,en;q=0.8', 'CA'],
    ['fr', 'FR'],
    ['de,en-US;q=0.7', 'DE'],
    ['en', 'GB'],
    ['nl-BE', 'BE'],
    ['pt-BR,pt;q=0.9', 'BR'],
    ['pt', 'PT'],
    ['zh-Hant-TW', 'TW'],
    ['sr-Latn-RS', 'RS'],
    ['de_AT', 'AT'],
    // A language of many countries, and a region that is not a country, are skipped for the next one.
    ['ar,fr-FR;q=0.8', 'FR'],
    ['es-419,es;q=0.9', 'ES'],
    ['en-001', 'GB'],
    // The most preferred language counts, in any position.
    ['en-US;q=0.5,it-IT;q=0.9', 'IT'],
    ['fr-FR;q=0,sv', 'SE'],
    ['*', 'GB'],
    ['', 'GB'],
    ['xx-YY,;;q=,,', 'GB'],
    [',-,_'.repeat(5000), 'GB'],
  ])('%s', (acceptLanguage, country) => {
    expect(detectCountry({ acceptLanguage })).toBe(country)
  })

  it.each([
    ['FR', 'FR'],
    [' ie ', 'IE'],
    // Cloudflare's codes for an unknown address and for Tor.
    ['XX', 'DE'],
    ['T1', 'DE'],
    ['France', 'DE'],
    ['', 'DE'],
  ])('trusts a proxy that says "%s" only when it is a country', (proxyCountry, country) => {
    expect(detectCountry({ proxyCountry, acceptLanguage: 'de-DE' })).toBe(country)
  })

  it('is Great Britain when nothing is known', () => {
    expect(detectCountry({})).toBe('GB')
    expect(detectCountry({ proxyCountry: null, acceptLanguage: null })).toBe('GB')
  })
})

describe('the language of a visitor in a country', () => {
  it.each([
    ['BE', 'fr-BE,fr;q=0.9,nl;q=0.8', 'fr'],
    ['BE', 'nl-BE', 'nl'],
    ['BE', '', 'nl'],
    ['CA', 'en-CA,fr-CA;q=0.8', 'en'],
    ['CA', 'fr-CA,en-CA;q=0.8', 'fr'],
    ['CH', 'it-CH', 'it'],
    // A visitor from elsewhere who chooses another country gets the language of that country.
    ['DE', 'fr-BE', 'de'],
    ['FR', 'fr', 'fr'],
    // A language that storefronts do not speak.
    ['FI', 'sv-FI', 'en'],
  ])('in %s with %s', (country, acceptLanguage, language) => {
    expect(detectLanguage(country, acceptLanguage)).toBe(language)
  })

  it('depends on the header only when it names an unusual language for a country', () => {
    for (const header of ['en-GB,en;q=0.9', 'fr-FR,fr;q=0.9,en-US;q=0.8', 'de', 'cy-GB', 'sv-FI', ''])
      expect(unusualLanguages(header), header).toEqual([])
    expect(unusualLanguages('fr-CH,fr;q=0.9,en-FR;q=0.1')).toEqual(['en-FR', 'fr-CH'])
  })
})
