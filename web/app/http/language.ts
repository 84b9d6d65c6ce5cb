import type { AppLoadContext } from '@remix-run/node'
import { type DayForm, dayFormOf } from '#core/kernel/day-form.rules.ts'
import { detectLanguage } from '#core/kernel/detect-country.rules.ts'
import { isLanguage, type Language } from '#core/kernel/languages.ts'
import { readCookie, setCookie } from './cookies.ts'
import { visitorCountry } from './visitor-country.ts'

const cookie = 'language'
const year = 365 * 24 * 3600

/** How a page speaks to its visitor. The form of its days goes by where they are: English is written in two. */
export interface PageLanguage {
  language: Language
  dayForm: DayForm
}

/**
 * The language of a storefront page: what the visitor chose now (`?lang=`) or before (a cookie), else that of the country. A choice
 * stays: people live abroad.
 */
export function languageFor(
  request: Request,
  context: AppLoadContext,
  country: string,
): PageLanguage & { headers: HeadersInit } {
  const requested = languageParam(request)
  const kept = readCookie(request, context, cookie)
  const inForm = (language: Language) => ({
    language,
    dayForm: dayFormOf(language, visitorCountry(request, context)),
  })
  // A page that sets a cookie is nobody else's: it is set once.
  if (requested && requested !== kept) {
    return { ...inForm(requested), headers: { 'Set-Cookie': setCookie(context, cookie, requested, year) } }
  }
  const ofCountry = () => detectLanguage(country, request.headers.get('Accept-Language'))
  return { ...inForm(requested ?? (isLanguage(kept) ? kept : ofCountry())), headers: {} }
}

/** The language of a visitor of whom no storefront is known: for the page that says so. */
export function visitorLanguage(request: Request, context: AppLoadContext): Language {
  return languageFor(request, context, visitorCountry(request, context)).language
}

function languageParam(request: Request): Language | undefined {
  const code = new URL(request.url).searchParams.get('lang')
  return isLanguage(code) ? code : undefined
}
