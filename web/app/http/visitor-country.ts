import type { AppLoadContext } from '@remix-run/node'
import { isCountry } from '#core/kernel/countries.ts'
import { detectCountry } from '#core/kernel/detect-country.rules.ts'

/** The country of a posted order form: the page that answers it has the form's address, which may name another one or none. */
export function showCountry({ memo }: AppLoadContext, country: string | undefined): void {
  memo.set('country', country)
}

/**
 * The country of a storefront's visitor: the chosen one (of the posted form, else `?country=`), else that of a trusted proxy's header, else that of
 * the browser's languages, else Great Britain.
 */
export function visitorCountry(request: Request, { services, memo }: AppLoadContext): string {
  const posted = memo.get('country')
  if (typeof posted === 'string' && isCountry(posted)) return posted
  const requested = (new URL(request.url).searchParams.get('country') ?? '').toUpperCase()
  if (isCountry(requested)) return requested
  const { countryHeader } = services.settings
  return detectCountry({
    proxyCountry: countryHeader && request.headers.get(countryHeader),
    acceptLanguage: request.headers.get('Accept-Language'),
  })
}
