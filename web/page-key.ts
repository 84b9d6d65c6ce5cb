import type { Request } from 'express'
import { detectCountry, unusualLanguages } from '#core/kernel/detect-country.rules.ts'

/** A storefront or its issue shop, in the spelling of the request: the page contains the address as requested. */
const pagePath = /^\/[\w-]{1,100}(?:\/issues)?$/
/** Query parameters that may be part of the key: two letters each. Anything else, such as a promo code, bypasses the cache. */
const choice = /^(?:country|lang)=[A-Za-z]{2}$/
const ownCookie = /^(?:__Host-)?masthead-/

/**
 * The cache key of a page, or undefined if the request is personal: a log-in, a toast, a promo code. It contains all that a storefront page
 * may depend on: the address, the visitor's detected country, the preferred language if that is not the country's own, and the language
 * chosen before.
 */
export function pageKey(
  request: Pick<Request, 'method' | 'originalUrl' | 'headers' | 'protocol'>,
  countryHeader: string | null,
): string | undefined {
  const { method, originalUrl, headers, protocol } = request
  if (method !== 'GET') return undefined
  const [path = '', query, ...extraParts] = originalUrl.split('?')
  if (!pagePath.test(path) || extraParts.length > 0) return undefined
  if (query !== undefined && !query.split('&').every((part) => choice.test(part))) return undefined
  const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim())
  const ours = cookies.filter((cookie) => ownCookie.test(cookie))
  if (!ours.every((cookie) => /^(?:__Host-)?masthead-language=[a-z]{2}$/.test(cookie))) return undefined
  const acceptLanguage = headers['accept-language']
  const proxyCountry = countryHeader && String(headers[countryHeader] ?? '')
  const country = detectCountry({ proxyCountry, acceptLanguage })
  const site = [protocol, headers.host, headers['x-forwarded-host']]
  return JSON.stringify([...site, originalUrl, country, ...unusualLanguages(acceptLanguage), ...ours])
}
