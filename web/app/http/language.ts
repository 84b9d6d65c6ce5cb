import type { AppLoadContext } from '@remix-run/node'
import { type DateFormat, dateFormatOf } from '#core/kernel/date-format.rules.ts'
import { detectLanguage } from '#core/kernel/detect-country.rules.ts'
import { isLanguage, type Language } from '#core/kernel/languages.ts'
import { readCookie, setCookie } from './cookies.ts'
import { visitorCountry } from './visitor-country.ts'

const cookie = 'language'
const year = 365 * 24 * 3600

/** Language and region of a page: the region determines the date format, because English has two. */
export interface PageLanguage {
  language: Language
  dateFormat: DateFormat
}

/**
 * The language of a storefront page: the visitor's choice now (`?lang=`) or earlier (a cookie), else the one that the browser lists for the
 * country (`fr-BE`), else the country's own. The choice is kept, because a visitor may not speak the country's language. Days are written as in
 * that country, as in the emails about an order from there. `ordered`: the language that the page's order was sent in, which precedes an earlier
 * choice, because another tab may have chosen another language since.
 */
export function languageFor(
  request: Request,
  context: AppLoadContext,
  country: string,
  ordered: Language | null = null,
): PageLanguage & { headers: HeadersInit } {
  const requested = languageParam(request)
  const stored = readCookie(request, context, cookie)
  const pageLanguage = (language: Language) => ({
    language,
    dateFormat: dateFormatOf(language, country),
  })
  // Set only once, because a page that sets a cookie cannot be cached.
  if (requested && requested !== stored) {
    return { ...pageLanguage(requested), headers: { 'Set-Cookie': setCookie(context, cookie, requested, year) } }
  }
  const ofCountry = () => detectLanguage(country, request.headers.get('Accept-Language'))
  return { ...pageLanguage(requested ?? ordered ?? (isLanguage(stored) ? stored : ofCountry())), headers: {} }
}

/** The language of a visitor without a known storefront, for the 404 page. */
export function visitorLanguage(request: Request, context: AppLoadContext): Language {
  return languageFor(request, context, visitorCountry(request, context)).language
}

function languageParam(request: Request): Language | undefined {
  const code = new URL(request.url).searchParams.get('lang')
  return isLanguage(code) ? code : undefined
}
