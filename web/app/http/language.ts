import type { AppLoadContext } from '@remix-run/node'
import { detectLanguage } from '#core/kernel/detect-country.rules.ts'
import { isLanguage, type Language } from '#core/kernel/languages.ts'
import { readCookie, setCookie } from './cookies.ts'
import { visitorCountry } from './visitor-country.ts'

const cookie = 'language'
const year = 365 * 24 * 3600

/**
 * The language of a storefront page: what the visitor chose now (`?lang=`) or before (a cookie), else that of the country. A choice
 * stays: people live abroad.
 */
export function languageFor(
  request: Request,
  context: AppLoadContext,
  country: string,
): { language: Language; headers: HeadersInit } {
  const asked = askedIn(request)
  const kept = readCookie(request, context, cookie)
  // A page that sets a cookie is nobody else's: it is set once.
  if (asked && asked !== kept) {
    return { language: asked, headers: { 'Set-Cookie': setCookie(context, cookie, asked, year) } }
  }
  const ofCountry = () => detectLanguage(country, request.headers.get('Accept-Language'))
  return { language: asked ?? (isLanguage(kept) ? kept : ofCountry()), headers: {} }
}

/** The language of a visitor of whom no storefront is known: for the page that says so. */
export function visitorLanguage(request: Request, context: AppLoadContext): Language {
  return languageFor(request, context, visitorCountry(request, context)).language
}

function askedIn(request: Request): Language | undefined {
  const asked = new URL(request.url).searchParams.get('lang')
  return isLanguage(asked) ? asked : undefined
}
