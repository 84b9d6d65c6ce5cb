import type { AppLoadContext } from '@remix-run/node'
import { isCountry } from '#core/kernel/countries.ts'
import { detectCountry } from '#core/kernel/detect-country.rules.ts'

/** The country of a visitor of a storefront: the one they chose (`?country=`), else where a trusted proxy or their browser says they are. */
export function visitorCountry(request: Request, { services }: AppLoadContext): string {
  const requested = (new URL(request.url).searchParams.get('country') ?? '').toUpperCase()
  if (isCountry(requested)) return requested
  const { countryHeader } = services.settings
  return detectCountry({
    proxyCountry: countryHeader && request.headers.get(countryHeader),
    acceptLanguage: request.headers.get('Accept-Language'),
  })
}
