import type { LoaderFunctionArgs } from '@remix-run/node'
import { lookUpAddresses } from '#core/postcodes/look-up-addresses.ts'
import { addressesResponse } from '#web/app/http/found-addresses.ts'
import { visitorContext } from '#web/app/http/session.ts'

/** The addresses of a postcode, for the storefront's address fields. */
export function loader({ request, params, context }: LoaderFunctionArgs): Promise<Response> {
  const postCode = new URL(request.url).searchParams.get('postcode') ?? ''
  return addressesResponse(() => lookUpAddresses(visitorContext(context), { postCode, urlKey: params.urlKey ?? '' }))
}
