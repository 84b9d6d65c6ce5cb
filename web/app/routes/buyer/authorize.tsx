import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { readBuyerSession } from '#core/buyers/buyer-session.ts'
import { logInBuyer } from '#core/buyers/log-in-buyer.ts'
import { contextFor } from '#core/context.ts'
import { unauthenticated } from '#core/kernel/errors.ts'
import { authorizeApp, checkAuthorize } from '#core/partners/authorize.ts'
import { AuthorizeForms, ReturnToApp } from '#web/app/components/buyer/authorize-forms.tsx'
import { BuyerPage } from '#web/app/components/buyer/buyer-page.tsx'
import { ShopCard } from '#web/app/components/storefront/shop-card.tsx'
import { ShopErrorPage } from '#web/app/components/storefront/shop-error-page.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { beginBuyerSession, buyerContext, buyerOf } from '#web/app/http/buyer-session.ts'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { buyerMeta } from '#web/app/http/page-title.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireShop } from '#web/app/http/require-shop.ts'
import { originOf, visitorContext } from '#web/app/http/session.ts'
import { useT } from '#web/app/i18n/use-t.tsx'

export const meta: MetaFunction<typeof loader> = (args) => buyerMeta(args, 'Log in')

const parameterNames = [
  'client_id',
  'redirect_uri',
  'response_type',
  'code_challenge',
  'code_challenge_method',
  'state',
]

/** The parameters of an OAuth authorization request; repeated parameters are kept, to be refused. */
function queryOf(request: Request): Record<string, string[]> {
  const { searchParams } = new URL(request.url)
  return Object.fromEntries(parameterNames.map((name) => [name, searchParams.getAll(name)]))
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  const app = await checkAuthorize(visitorContext(context), queryOf(request))
  if (app.returnTo !== null) throw redirect(app.returnTo)
  const { headers, ...page } = await requireShop(request, context, app.urlKey)
  const usesOtherAccount = new URL(request.url).searchParams.has('other')
  const buyer = usesOtherAccount ? null : await buyerOf(request, context, page.shop.id)
  const { appName, redirectHost, isRegistered } = app
  return data(
    { ...page, appName, redirectHost, isRegistered, email: buyer?.email ?? null, isRefused: wasRefused(context) },
    { headers },
  )
}

/**
 * Logs in if needed, then issues the app's code. The page itself redirects there, because the Content-Security-Policy (form-action) also
 * covers redirects of forms.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const query = queryOf(request)
  const app = await checkAuthorize(visitorContext(context), query)
  const { shop, language } = await requireShop(request, context, app.urlKey)
  const values = await readForm(request)
  return submit(context, values, async () => {
    if (values.intent === 'continue') {
      const ctx = await buyerContext(request, context, shop.id)
      if (ctx.actor.kind !== 'buyer') throw redirect(request.url)
      return data(await authorizeApp(ctx, query))
    }
    const { email, password, captcha } = values
    const publicationId = shop.id
    const session = await logInBuyer(visitorContext(context), { publicationId, email, password, captcha, language })
    const actor = await readBuyerSession(context.services, { token: session.sessionToken, publicationId })
    if (!actor) throw unauthenticated()
    const authorized = await authorizeApp(contextFor(context.services, actor, originOf(context)), query)
    return data(authorized, { headers: { 'Set-Cookie': beginBuyerSession(context, session) } })
  })
}

export default function Authorize() {
  const t = useT()
  const { shop, appName, redirectHost, isRegistered, email } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  return (
    <BuyerPage shop={shop} heading={t('Log in to {app}', { app: appName })}>
      {!isRegistered ? (
        <ShopCard>
          <Banner tone="danger" isAlert>
            {t(
              'This app asked to return to an address that is not registered here, so nobody was logged in. Please inform its developer.',
            )}
          </Banner>
        </ShopCard>
      ) : actionData && 'returnTo' in actionData ? (
        <ReturnToApp to={actionData.returnTo} appName={appName} />
      ) : (
        <AuthorizeForms
          shop={shop}
          appName={appName}
          redirectHost={redirectHost}
          email={email}
          problem={problemOf(actionData)}
        />
      )}
    </BuyerPage>
  )
}

export function ErrorBoundary() {
  return <ShopErrorPage />
}
