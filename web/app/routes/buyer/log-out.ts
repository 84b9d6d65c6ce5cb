import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { logOutBuyer } from '#core/buyers/log-out-buyer.ts'
import { buyerContext, buyerSessionToken, forgetBuyerSession } from '#web/app/http/buyer-session.ts'
import { readForm } from '#web/app/http/form.ts'
import { requireShop, returnWithin } from '#web/app/http/require-shop.ts'

/** GET changes nothing. The handle is decoded from the address, and encoded again: a slash in it cannot redirect to another site. */
export function loader({ params }: LoaderFunctionArgs) {
  return redirect(`/${encodeURIComponent(params.urlKey ?? '')}`)
}

/** The order form stays on its page (`stays`); without JavaScript the requested page is opened again. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { shop } = await requireShop(request, context, params.urlKey)
  const ctx = await buyerContext(request, context, shop.id)
  const sessionToken = buyerSessionToken(request, context, shop.id)
  if (ctx.actor.kind === 'buyer' && sessionToken) await logOutBuyer(ctx, { sessionToken })
  const headers = { 'Set-Cookie': forgetBuyerSession(context, shop.id) }
  if ((await readForm(request)).stays) return data(null, { headers })
  return redirect(returnWithin(request, context, shop.urlKey, `/${shop.urlKey}`), { headers })
}
