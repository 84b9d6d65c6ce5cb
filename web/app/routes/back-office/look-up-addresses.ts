import type { LoaderFunctionArgs } from '@remix-run/node'
import { lookUpAddresses } from '#core/postcodes/look-up-addresses.ts'
import { enter } from '#web/app/http/enter.ts'
import { addressesResponse } from '#web/app/http/found-addresses.ts'

/** The addresses of a postcode, for the reader forms. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const ctx = await enter(request, context, 'lookUpAddresses')
  const postCode = new URL(request.url).searchParams.get('postcode') ?? ''
  return addressesResponse(() => lookUpAddresses(ctx, { postCode }))
}
