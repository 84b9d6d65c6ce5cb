import { countryCodes, countryName } from '#core/kernel/countries.ts'

const named = countryCodes.map((code) => ({ code, name: countryName(code) }))

/** Every country by name for a drop-down: Great Britain and the United States first, then A to Z. */
export const countryChoices = [
  ...named.slice(0, 2),
  ...named.slice(2).sort((a, b) => a.name.localeCompare(b.name, 'en')),
]

/** A row with its country by name, which is the server's to say: a browser may know another name, and its page would differ from ours. */
export function withCountryName<Row extends { country: string | null }>(row: Row): Row {
  return { ...row, country: row.country && countryName(row.country) }
}
