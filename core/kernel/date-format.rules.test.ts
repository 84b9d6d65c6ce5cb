import { describe, expect, it } from 'vitest'
import { countryCodes } from './countries.ts'
import { dateFormatOf, dateFormats, formatDayAs } from './date-format.rules.ts'
import { languages, locales } from './languages.ts'

describe('a day in numbers', () => {
  it.each([
    ['en', 'GB', '22/11/2027'],
    ['en', 'US', '11/22/2027'],
    ['en', 'AU', '22/11/2027'],
    ['de', 'DE', '22.11.2027'],
    ['fr', 'FR', '22/11/2027'],
    ['fr', 'CA', '2027-11-22'],
    ['nl', 'NL', '22-11-2027'],
    ['nl', 'BE', '22/11/2027'],
  ] as const)('in %s, in %s, is %s', (language, country, written) => {
    expect(formatDayAs(dateFormatOf(language, country), '2027-11-22')).toBe(written)
  })

  it('is the language’s default for other countries: English by itself is not American', () => {
    expect(dateFormatOf('en', 'TH')).toBe('DD/MM/YYYY')
    expect(dateFormatOf('de', 'JP')).toBe('DD.MM.YYYY')
    for (const language of languages)
      expect(dateFormatOf(language, locales[language].slice(3)), language).toBe(dateFormats[language])
  })

  it('has each part once, in every country, and only what all browsers support', () => {
    for (const language of languages)
      for (const country of countryCodes)
        expect(dateFormatOf(language, country), `${language}-${country}`).toMatch(
          /^(?:DD([./-])MM\1YYYY|MM([/-])DD\2YYYY|YYYY([/-])MM\3DD)$/,
        )
  })
})
