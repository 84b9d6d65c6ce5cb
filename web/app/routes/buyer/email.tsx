import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { changeBuyerEmail } from '#core/buyers/change-buyer-email.ts'
import { BuyerPage } from '#web/app/components/buyer/buyer-page.tsx'
import { EmailForm } from '#web/app/components/buyer/email-form.tsx'
import { ShopErrorPage } from '#web/app/components/storefront/shop-error-page.tsx'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { buyerMeta } from '#web/app/http/page-title.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireAccount } from '#web/app/http/require-shop.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'
import { translatorOf } from '#web/app/i18n/translator-of.ts'
import { useT } from '#web/app/i18n/use-t.tsx'

export const meta: MetaFunction<typeof loader> = (args) => buyerMeta(args, 'Change the email')

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { shop, language, dateFormat, headers, profile, person } = await requireAccount(request, context, params.urlKey)
  return data({ shop, language, dateFormat, person, email: profile.email, isRefused: wasRefused(context) }, { headers })
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { ctx, shop, language } = await requireAccount(request, context, params.urlKey)
  const { email = '', confirmEmail = '', currentPassword = '' } = await readForm(request)
  return submit(context, { email, confirmEmail }, async () => {
    await changeBuyerEmail(ctx, { email, confirmEmail, currentPassword })
    const text = translatorOf(language)('Your email has been changed')
    return redirectWithToast(context, `/${shop.urlKey}/account`, { kind: 'success', text })
  })
}

export default function Email() {
  const t = useT()
  const { shop, email } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  return (
    <BuyerPage shop={shop} heading={t('Change the email')} isPart>
      <EmailForm current={email} problem={problem} />
    </BuyerPage>
  )
}

export function ErrorBoundary() {
  return <ShopErrorPage />
}
