import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { checkBuyerReset } from '#core/buyers/check-buyer-reset.ts'
import { resetBuyerPassword } from '#core/buyers/reset-buyer-password.ts'
import { BuyerPage } from '#web/app/components/buyer/buyer-page.tsx'
import { BadLink, PasswordSet, ResetForm } from '#web/app/components/buyer/reset-form.tsx'
import { ShopErrorPage, ShopFailureFrame } from '#web/app/components/storefront/shop-error-page.tsx'
import { leaveBuyerSession } from '#web/app/http/buyer-session.ts'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { buyerMeta } from '#web/app/http/page-title.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireShop } from '#web/app/http/require-shop.ts'
import { visitorContext } from '#web/app/http/session.ts'
import { useT } from '#web/app/i18n/use-t.tsx'

export const meta: MetaFunction<typeof loader> = (args) => buyerMeta(args, 'Choose a new password')

/** The page looks like the storefront that the token is for; an unknown token has no storefront. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { email, urlKey } = await checkBuyerReset(visitorContext(context), { token: params.token })
  const { passwordMinLength } = context.services.settings
  if (urlKey === null) return data({ shop: null, email, minLength: passwordMinLength })
  const { headers, ...page } = await requireShop(request, context, urlKey)
  return data({ ...page, email, minLength: passwordMinLength, isRefused: wasRefused(context) }, { headers })
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { password = '', password2 = '' } = await readForm(request)
  return submit(context, {}, async () => {
    const { publicationId } = await resetBuyerPassword(visitorContext(context), {
      token: params.token,
      password,
      password2,
    })
    // "Log in" asks for this account's password also if somebody else was logged in with this browser.
    const headers = { 'Set-Cookie': await leaveBuyerSession(request, context, publicationId) }
    return data({ isSet: true as const }, { headers })
  })
}

export default function Reset() {
  const t = useT()
  const { shop, email, minLength } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  if (!shop) {
    return (
      <ShopFailureFrame shop={null}>
        <h1 className="mb-6 font-serif text-public-h2">{t('Choose a new password')}</h1>
        <BadLink urlKey={null} />
      </ShopFailureFrame>
    )
  }
  const { urlKey } = shop
  return (
    <BuyerPage shop={shop} heading={t('Choose a new password')}>
      {actionData && 'isSet' in actionData ? (
        <PasswordSet urlKey={urlKey} />
      ) : email ? (
        <ResetForm email={email} minLength={minLength} problem={problemOf(actionData)} />
      ) : (
        <BadLink urlKey={urlKey} />
      )}
    </BuyerPage>
  )
}

export function ErrorBoundary() {
  return <ShopErrorPage />
}
