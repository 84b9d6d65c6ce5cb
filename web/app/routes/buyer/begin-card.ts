import type { ActionFunctionArgs } from '@remix-run/node'
import { errorKinds, toAppError } from '#core/kernel/errors.ts'
import { startCardUpdate } from '#core/payments/start-card-update.ts'
import type { CardBegun } from '#web/app/components/buyer/card-form.tsx'
import { enterAccount } from '#web/app/http/enter-shop.ts'
import { readForm } from '#web/app/http/form.ts'

/** Begins to change the card of a renewal, for the script of its page: the page stays as it is, whatever becomes of the request. */
export async function action({ request, params, context }: ActionFunctionArgs): Promise<Response> {
  const { ctx } = await enterAccount(request, context, params.urlKey)
  try {
    const begun: CardBegun = await startCardUpdate(ctx, await readForm(request))
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
