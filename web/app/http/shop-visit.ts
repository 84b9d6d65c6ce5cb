import type { AppLoadContext } from '@remix-run/node'
import { countryName } from '#core/kernel/countries.ts'
import type { Storefront } from '#core/storefronts/storefront.rules.ts'
import { languageFor } from './language.ts'
import { offerOf } from './storefront-data.ts'
import { visitorCountry } from './visitor-country.ts'

/** Country, prices and language of a storefront visit. The headers keep a chosen language. */
export function shopVisit(request: Request, context: AppLoadContext, storefront: Storefront) {
  const offer = offerOf(storefront, visitorCountry(request, context))
  const { language, dateFormat, headers } = languageFor(request, context, offer.country)
  return { headers, language, dateFormat, offer: { ...offer, countryName: countryName(offer.country, language) } }
}
