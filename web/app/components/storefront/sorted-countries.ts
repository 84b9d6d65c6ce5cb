import { countryCodes, countryName } from '#core/kernel/countries.ts'
import type { Language } from '#core/kernel/languages.ts'

export interface CountryChoice {
  code: string
  name: string
}

const cache = new Map<Language, CountryChoice[]>()

/** All countries by name in a language: Great Britain and the United States first, then A to Z. */
export function sortedCountries(language: Language): CountryChoice[] {
  let countries = cache.get(language)
  if (!countries) {
    const [british, american, ...others] = countryCodes.map((code) => ({ code, name: countryName(code, language) }))
    const { compare } = new Intl.Collator(language)
    countries = [british, american, ...others.sort((a, b) => compare(a.name, b.name))].filter(
      (country) => country !== undefined,
    )
    cache.set(language, countries)
  }
  return countries
}
