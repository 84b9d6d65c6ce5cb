import type { LoaderFunctionArgs } from '@remix-run/node'
import { lookUpAddresses } from '#core/postcodes/look-up-addresses.ts'
import { addressesResponse } from '#web/app/http/found-addresses.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'

/** The addresses of a postcode, for the reader forms. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const ctx = await requireScreen(request, context, 'lookUpAddresses')
  const postCode = new URL(request.url).searchParams.get('postcode') ?? ''
  return addressesResponse(() => lookUpAddresses(ctx, { postCode }))
}
