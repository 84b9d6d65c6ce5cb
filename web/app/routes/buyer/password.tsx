import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { changeBuyerPassword } from '#core/buyers/change-buyer-password.ts'
import { BuyerPage } from '#web/app/components/buyer/buyer-page.tsx'
import { PasswordForm } from '#web/app/components/buyer/password-form.tsx'
import { ShopErrorPage } from '#web/app/components/storefront/shop-error-page.tsx'
import { buyerSessionToken } from '#web/app/http/buyer-session.ts'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { buyerMeta } from '#web/app/http/page-title.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireAccount } from '#web/app/http/require-shop.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'
import { translatorOf } from '#web/app/i18n/translator-of.ts'
import { useT } from '#web/app/i18n/use-t.tsx'

export const meta: MetaFunction<typeof loader> = (args) => buyerMeta(args, 'Change the password')

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { shop, language, dateFormat, headers, profile } = await requireAccount(request, context, params.urlKey)
  const minLength = context.services.settings.passwordMinLength
  return data(
    { shop, language, dateFormat, email: profile.email, minLength, isRefused: wasRefused(context) },
    { headers },
  )
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, shop, language } = await requireAccount(request, context, params.urlKey)
  const { currentPassword = '', password = '', password2 = '' } = await readForm(request)
  return submit(context, {}, async () => {
    const sessionToken = buyerSessionToken(request, context, shop.id)
    await changeBuyerPassword(ctx, { currentPassword, password, password2, sessionToken })
    const text = translatorOf(language)('Your password has been changed')
    return redirectWithToast(context, `/${shop.urlKey}/account`, { kind: 'success', text })
  })
}

export default function Password() {
  const t = useT()
  const { shop, email, minLength } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  return (
    <BuyerPage shop={shop} heading={t('Change the password')} isPart>
      <PasswordForm email={email} minLength={minLength} problem={problem} />
    </BuyerPage>
  )
}

export function ErrorBoundary() {
  return <ShopErrorPage />
}
