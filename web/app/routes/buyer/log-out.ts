import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { leaveBuyerSession } from '#web/app/http/buyer-session.ts'
import { readForm } from '#web/app/http/form.ts'
import { requireShop, returnWithin } from '#web/app/http/require-shop.ts'

/** GET changes nothing. The handle is decoded from the address, and encoded again: a slash in it cannot redirect to another site. */
export function loader({ params }: LoaderFunctionArgs) {
  return redirect(`/${encodeURIComponent(params.urlKey ?? '')}`)
}

/** The order form stays on its page (`stays`); without JavaScript the requested page is opened again. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { shop } = await requireShop(request, context, params.urlKey)
  const headers = { 'Set-Cookie': await leaveBuyerSession(request, context, shop.id) }
  if ((await readForm(request)).stays) return data(null, { headers })
  return redirect(returnWithin(request, context, shop.urlKey, `/${shop.urlKey}`), { headers })
}
