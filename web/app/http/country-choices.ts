import { countryCodes, countryName } from '#core/kernel/countries.ts'

const countries = countryCodes.map((code) => ({ code, name: countryName(code) }))

/** All countries by name for a select: Great Britain and the United States first, then A to Z. */
export const countryChoices = [
  ...countries.slice(0, 2),
  ...countries.slice(2).sort((a, b) => a.name.localeCompare(b.name, 'en')),
]

/** Replaces the country's code by its name. Done on the server: browsers may use another name, which would break hydration. */
export function withCountryName<Row extends { country: string | null }>(row: Row): Row {
  return { ...row, country: row.country && countryName(row.country) }
}
