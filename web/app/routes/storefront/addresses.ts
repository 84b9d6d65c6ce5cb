import type { LoaderFunctionArgs } from '@remix-run/node'
import { errorKinds, isAppError } from '#core/kernel/errors.ts'
import { lookUpAddresses } from '#core/postcodes/look-up-addresses.ts'
import { visitorContext } from '#web/app/http/session.ts'

/** What is looked up is kept by the house, not on the way. */
const fresh = { 'Cache-Control': 'no-store' }

/** The addresses of a postcode, for the address block of a storefront's forms; a refusal says what to do instead. */
export async function loader({ request, params, context }: LoaderFunctionArgs): Promise<Response> {
  const postCode = new URL(request.url).searchParams.get('postcode') ?? ''
  try {
    const found = await lookUpAddresses(visitorContext(context), { postCode, urlKey: params.urlKey ?? '' })
    return Response.json(found, { headers: fresh })
  } catch (error) {
    if (!isAppError(error) || errorKinds[error.kind].status === 500) throw error
    const { kind, fields, hint, retryAfterSeconds } = error
    const message = fields?.postCode ?? (hint ? `${error.message}. ${hint}.` : error.message)
    const headers = retryAfterSeconds === undefined ? fresh : { ...fresh, 'Retry-After': String(retryAfterSeconds) }
    return Response.json({ message }, { status: errorKinds[kind].status, headers })
  }
}
