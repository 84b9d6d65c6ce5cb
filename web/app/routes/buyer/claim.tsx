import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { checkClaim, claimAccount } from '#core/buyers/claim-account.ts'
import { BuyerPage } from '#web/app/components/buyer/buyer-page.tsx'
import { ResetForm } from '#web/app/components/buyer/reset-form.tsx'
import { ShopCard } from '#web/app/components/storefront/shop-card.tsx'
import { ShopErrorPage } from '#web/app/components/storefront/shop-error-page.tsx'
import { ShopLink } from '#web/app/components/storefront/shop-link.tsx'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { leaveBuyerSession } from '#web/app/http/buyer-session.ts'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { buyerMeta } from '#web/app/http/page-title.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireShop } from '#web/app/http/require-shop.ts'
import { visitorContext } from '#web/app/http/session.ts'
import { useT } from '#web/app/i18n/use-t.tsx'

export const meta: MetaFunction<typeof loader> = (args) => buyerMeta(args, 'Choose a password')

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { headers, ...page } = await requireShop(request, context, params.urlKey)
  const { email } = await checkClaim(visitorContext(context), { urlKey: page.shop.urlKey, token: params.token })
  const minLength = context.services.settings.passwordMinLength
  return data({ ...page, email, minLength, isRefused: wasRefused(context) }, { headers })
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { shop } = await requireShop(request, context, params.urlKey)
  const { password = '', password2 = '' } = await readForm(request)
  return submit(context, {}, async () => {
    await claimAccount(visitorContext(context), { urlKey: shop.urlKey, token: params.token, password, password2 })
    // "Log in" asks for this account's password also if somebody else was logged in with this browser.
    const headers = { 'Set-Cookie': await leaveBuyerSession(request, context, shop.id) }
    return data({ isSet: true as const }, { headers })
  })
}

export default function Claim() {
  const t = useT()
  const { shop, email, minLength } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  return (
    <BuyerPage shop={shop} heading={t('Choose a password')}>
      {actionData && 'isSet' in actionData ? (
        <ShopCard>
          <div className="space-y-5">
            <Banner tone="success" isAlert>
              {t('Your password is set. You can log in with it now, here and in the app.')}
            </Banner>
            <ShopLink to={`/${shop.urlKey}/login`} isMain>
              {t('Log in')}
            </ShopLink>
          </div>
        </ShopCard>
      ) : email ? (
        <ResetForm
          email={email}
          minLength={minLength}
          problem={problemOf(actionData)}
          submitLabel={t('Choose a password')}
        />
      ) : (
        <ShopCard>
          <div className="space-y-5">
            <Banner tone="danger" isAlert>
              {t('This link is incorrect, has expired or has been used.')}
            </Banner>
            <p className="text-input text-ink-2">
              {t(
                'A link works once and expires after three days. To get a new link, try to log in to the app again tomorrow.',
              )}
            </p>
            <p className="text-input text-ink-2">{t('If you have already chosen a password, log in with it.')}</p>
            <ShopLink to={`/${shop.urlKey}/login`} isMain>
              {t('Log in')}
            </ShopLink>
          </div>
        </ShopCard>
      )}
    </BuyerPage>
  )
}

export function ErrorBoundary() {
  return <ShopErrorPage />
}
