import { countryCodes, countryName } from '#core/kernel/countries.ts'

const named = countryCodes.map((code) => ({ code, name: countryName(code) }))

/** Every country by name for a drop-down: Great Britain and the United States first, then A to Z. */
export const countryChoices = [
  ...named.slice(0, 2),
  ...named.slice(2).sort((a, b) => a.name.localeCompare(b.name, 'en')),
]
