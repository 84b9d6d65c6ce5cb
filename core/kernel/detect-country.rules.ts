import { isCountry } from './countries.ts'
import { languageOf } from './country-language.rules.ts'
import { isLanguage, type Language } from './languages.ts'

/** The default country of a visitor. */
const fallback = 'GB'

/** The country of a language without a region, only where it is clear: Arabic or Chinese could be from many countries. */
const countriesByLanguage: Record<string, string> = {
  cs: 'CZ',
  cy: 'GB',
  da: 'DK',
  de: 'DE',
  el: 'GR',
  en: 'GB',
  es: 'ES',
  et: 'EE',
  fi: 'FI',
  fr: 'FR',
  ga: 'IE',
  gd: 'GB',
  hu: 'HU',
  is: 'IS',
  it: 'IT',
  ja: 'JP',
  ko: 'KR',
  lt: 'LT',
  lv: 'LV',
  mt: 'MT',
  nb: 'NO',
  nl: 'NL',
  nn: 'NO',
  no: 'NO',
  pl: 'PL',
  pt: 'PT',
  sk: 'SK',
  sl: 'SI',
  sv: 'SE',
}

interface VisitorHints {
  /** The country from a trusted proxy; services send XX or T1 where they do not know it. */
  proxyCountry?: string | null | undefined
  /** The languages of the browser's user. */
  acceptLanguage?: string | null | undefined
}

/**
 * Where a visitor probably is (ISO alpha-2), without calling any service: the proxy's country, else the region of the most preferred language, else
 * that language's home, else Great Britain.
 */
export function detectCountry({ proxyCountry, acceptLanguage }: VisitorHints): string {
  const proxied = (proxyCountry ?? '').trim().toUpperCase()
  if (isCountry(proxied)) return proxied
  for (const tag of tagsOf(acceptLanguage ?? '')) {
    const country = countryOf(tag)
    if (country) return country
  }
  return fallback
}

/**
 * The language of a storefront for a visitor in a country: the one their browser names together with that country (`fr-BE` is French where the
 * country's own would be Dutch), else the country's own.
 */
export function detectLanguage(country: string, acceptLanguage: string | null | undefined): Language {
  return namedLanguages(acceptLanguage ?? '').get(country) ?? languageOf(country)
}

/** All that `detectLanguage` needs from a header, for any country: nothing for most visitors, `fr-BE` for some. */
export function unusualLanguages(acceptLanguage: string | null | undefined): string[] {
  return [...namedLanguages(acceptLanguage ?? '')]
    .filter(([country, language]) => language !== languageOf(country))
    .map(([country, language]) => `${language}-${country}`)
    .sort()
}

function namedLanguages(header: string): Map<string, Language> {
  const named = new Map<string, Language>()
  for (const tag of tagsOf(header)) {
    const language = tag.split(/[-_]/)[0]?.toLowerCase()
    const country = /[-_]/.test(tag) ? countryOf(tag) : undefined
    if (country && isLanguage(language) && !named.has(country)) named.set(country, language)
  }
  return named
}

/** Limits the cost of a malformed header. */
const maxTags = 20

/** The language tags, the most preferred first; `q=0` is a language the user does not want. */
function tagsOf(header: string): string[] {
  return header
    .slice(0, 500)
    .split(',')
    .slice(0, maxTags)
    .flatMap((part, index) => {
      const [tag = '', ...parameters] = part.split(';').map((piece) => piece.trim())
      const quality = parameters.find((parameter) => /^q=/i.test(parameter))
      const weight = quality === undefined ? 1 : Number(quality.slice(2))
      return tag !== '' && weight > 0 ? [{ tag, weight, index }] : []
    })
    .sort((a, b) => b.weight - a.weight || a.index - b.index)
    .map(({ tag }) => tag)
}

/** `fr-CA` is Canada, `zh-Hant-TW` Taiwan, `fr` France. A region that is not a country (es-419, Latin America) gives none. */
function countryOf(tag: string): string | undefined {
  const [language = '', ...parts] = tag.split(/[-_]/)
  const region = parts.find((part) => /^(?:[a-z]{2}|\d{3})$/i.test(part))?.toUpperCase()
  if (region === undefined) return countriesByLanguage[language.toLowerCase()]
  return isCountry(region) ? region : undefined
}
