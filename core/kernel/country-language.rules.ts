import type { Language } from './languages.ts'

/** The countries where most people read a storefront language other than English. */
const countriesByLanguage: Record<Exclude<Language, 'en'>, string> = {
  fr: 'FR BF BJ BL CD CF CG CI DZ GA GF GN GP MA MC MF MG ML MQ MR MU NC NE PF PM RE SN TD TF TG TN WF YT',
  de: 'DE AT CH LI LU',
  es: 'ES AD AR BO CL CO CR CU DO EC GQ GT HN MX NI PA PE PR PY SV UY VE',
  it: 'IT SM VA',
  nl: 'NL AW BE BQ CW SR SX',
  pt: 'PT AO BR CV GW MZ ST TL',
}

const languages = new Map(
  (Object.keys(countriesByLanguage) as (keyof typeof countriesByLanguage)[]).flatMap((language) =>
    countriesByLanguage[language].split(' ').map((country) => [country, language] as const),
  ),
)

/** The storefront language for a country; English if storefronts do not have the country's own language. */
export function languageOf(country: string): Language {
  return languages.get(country.toUpperCase()) ?? 'en'
}
