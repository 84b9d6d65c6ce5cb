import type { ActionFunctionArgs } from '@remix-run/node'
import { startCardByLink } from '#core/charging/renew-by-link.ts'
import { errorKinds, toAppError } from '#core/kernel/errors.ts'
import type { CardBegun } from '#web/app/components/buyer/card-form.tsx'
import { visitorContext } from '#web/app/http/session.ts'

/** Begins to give another card by a mailed link, for the script of its page: the page stays as it is, whatever becomes of the request. */
export async function action({ params, context }: ActionFunctionArgs): Promise<Response> {
  const ctx = visitorContext(context)
  try {
    const begun: CardBegun = await startCardByLink(ctx, { key: params.key })
    return Response.json(begun)
  } catch (thrown) {
    const error = toAppError(thrown)
    if (errorKinds[error.kind].reported) ctx.log.error({ error }, 'a card could not be changed')
    const begun: CardBegun = { clientSecret: null }
    return Response.json(begun, { status: errorKinds[error.kind].status })
  }
}

/** The address is for sending alone. */
export function loader(): Response {
  return new Response(null, { status: 405, headers: { Allow: 'POST' } })
}
