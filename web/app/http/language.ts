import type { AppLoadContext } from '@remix-run/node'
import { isLanguage, type Language } from '#core/kernel/languages.ts'
import { readCookie, setCookie } from './cookies.ts'

const cookie = 'language'
const year = 365 * 24 * 3600

/**
 * The language of a storefront page: what the visitor chose now (`?lang=`) or before (a cookie), else that of the country. A choice
 * stays: people live abroad.
 */
export function languageFor(
  request: Request,
  context: AppLoadContext,
  ofCountry: Language,
): { language: Language; headers: HeadersInit } {
  const asked = new URL(request.url).searchParams.get('lang')
  if (isLanguage(asked)) return { language: asked, headers: { 'Set-Cookie': setCookie(context, cookie, asked, year) } }
  const kept = readCookie(request, context, cookie)
  return { language: isLanguage(kept) ? kept : ofCountry, headers: {} }
}
