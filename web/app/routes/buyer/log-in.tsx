import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { logInBuyer } from '#core/buyers/log-in-buyer.ts'
import { BuyerPage } from '#web/app/components/buyer/buyer-page.tsx'
import { LogInForm } from '#web/app/components/buyer/log-in-form.tsx'
import { ShopErrorPage } from '#web/app/components/storefront/shop-error-page.tsx'
import { beginBuyerSession, buyerActor } from '#web/app/http/buyer-session.ts'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { buyerMeta } from '#web/app/http/page-title.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireShop, returnWithin } from '#web/app/http/require-shop.ts'
import { visitorContext } from '#web/app/http/session.ts'
import { useT } from '#web/app/i18n/use-t.tsx'

export const meta: MetaFunction<typeof loader> = (args) => buyerMeta(args, 'Log in')

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { headers, ...page } = await requireShop(request, context, params.urlKey)
  if (await buyerActor(request, context, page.shop.id)) throw redirect(returnWithin(request, context, page.shop.urlKey))
  const hasEnded = new URL(request.url).searchParams.get('reason') === 'ended'
  return data({ ...page, hasEnded, isRefused: wasRefused(context) }, { headers })
}

/** The dialog over the storefront stays on its page (`stays`); the log-in page redirects to the requested page. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { shop, language } = await requireShop(request, context, params.urlKey)
  const values = await readForm(request)
  return submit(context, values, async () => {
    const { email, password, captcha } = values
    const opened = await logInBuyer(visitorContext(context), {
      publicationId: shop.id,
      email,
      password,
      captcha,
      language,
    })
    const headers = { 'Set-Cookie': beginBuyerSession(context, opened) }
    if (values.stays) return data({ isLoggedIn: true as const }, { headers })
    return redirect(returnWithin(request, context, shop.urlKey), { headers })
  })
}

export default function LogIn() {
  const t = useT()
  const { shop, hasEnded } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  return (
    <BuyerPage shop={shop} heading={t('Log in')} isWide>
      <LogInForm shop={shop} hasSessionEnded={hasEnded} problem={problem} />
    </BuyerPage>
  )
}

export function ErrorBoundary() {
  return <ShopErrorPage />
}
