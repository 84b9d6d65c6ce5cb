import { expect, it } from 'vitest'
import { countryCodes } from './countries.ts'
import { languageOf } from './country-language.rules.ts'
import { isLanguage, languages } from './languages.ts'

it.each([
  ['GB', 'en'],
  ['US', 'en'],
  ['IE', 'en'],
  ['CA', 'en'],
  ['AU', 'en'],
  ['FR', 'fr'],
  ['SN', 'fr'],
  ['DE', 'de'],
  ['AT', 'de'],
  ['CH', 'de'],
  ['ES', 'es'],
  ['MX', 'es'],
  ['AR', 'es'],
  ['IT', 'it'],
  ['NL', 'nl'],
  ['BE', 'nl'],
  ['PT', 'pt'],
  ['BR', 'pt'],
  ['JP', 'en'],
  ['fr', 'fr'],
  ['??', 'en'],
])('%s is addressed in %s', (country, language) => {
  expect(languageOf(country)).toBe(language)
})

it('every country has a language, and every language a country', () => {
  expect(countryCodes.filter((code) => !isLanguage(languageOf(code)))).toEqual([])
  expect(new Set(countryCodes.map(languageOf))).toEqual(new Set(languages))
})
