import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { logOutBuyer } from '#core/buyers/log-out-buyer.ts'
import { buyerContext, buyerSessionToken, forgetBuyerSession } from '#web/app/http/buyer-session.ts'
import { requireShop } from '#web/app/http/require-shop.ts'

/** GET changes nothing. The handle is decoded from the address, and encoded again: a slash in it cannot redirect to another site. */
export function loader({ params }: LoaderFunctionArgs) {
  return redirect(`/${encodeURIComponent(params.urlKey ?? '')}`)
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { shop } = await requireShop(request, context, params.urlKey)
  const ctx = await buyerContext(request, context, shop.id)
  const sessionToken = buyerSessionToken(request, context, shop.id)
  if (ctx.actor.kind === 'buyer' && sessionToken) await logOutBuyer(ctx, { sessionToken })
  return redirect(`/${shop.urlKey}`, { headers: { 'Set-Cookie': forgetBuyerSession(context, shop.id) } })
}
