import type { Language } from './languages.ts'

/** Countries by the language most of their people read, among those of the storefronts. */
const speakers: Record<Exclude<Language, 'en'>, string> = {
  fr: 'FR BF BJ BL CD CF CG CI DZ GA GF GN GP MA MC MF MG ML MQ MR MU NC NE PF PM RE SN TD TF TG TN WF YT',
  de: 'DE AT CH LI LU',
  es: 'ES AD AR BO CL CO CR CU DO EC GQ GT HN MX NI PA PE PR PY SV UY VE',
  it: 'IT SM VA',
  nl: 'NL AW BE BQ CW SR SX',
  pt: 'PT AO BR CV GW MZ ST TL',
}

const languages = new Map(
  (Object.keys(speakers) as (keyof typeof speakers)[]).flatMap((language) =>
    speakers[language].split(' ').map((country) => [country, language] as const),
  ),
)

/** The storefront language for a country; English where there is none of the country's own. */
export function languageOf(country: string): Language {
  return languages.get(country.toUpperCase()) ?? 'en'
}
