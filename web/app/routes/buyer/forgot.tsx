import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { buyerTexts } from '#core/buyers/buyer-texts.rules.ts'
import { requestBuyerReset } from '#core/buyers/request-buyer-reset.ts'
import { invalid } from '#core/kernel/errors.ts'
import { BuyerPage } from '#web/app/components/buyer/buyer-page.tsx'
import { ForgotForm, LinkSent } from '#web/app/components/buyer/forgot-form.tsx'
import { NewHere } from '#web/app/components/buyer/log-in-form.tsx'
import { ShopErrorPage } from '#web/app/components/storefront/shop-error-page.tsx'
import { readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { buyerMeta } from '#web/app/http/page-title.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireShop } from '#web/app/http/require-shop.ts'
import { visitorContext } from '#web/app/http/session.ts'
import { useT } from '#web/app/i18n/use-t.tsx'

export const meta: MetaFunction<typeof loader> = (args) => buyerMeta(args, 'Forgotten password')

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { headers, ...page } = await requireShop(request, context, params.urlKey)
  return data({ ...page, isRefused: wasRefused(context) }, { headers })
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { shop, language } = await requireShop(request, context, params.urlKey)
  const values = await readForm(request)
  return submit(context, values, async () => {
    const { email, captcha } = values
    const { isKnown } = await requestBuyerReset(visitorContext(context), {
      publicationId: shop.id,
      email,
      captcha,
      language,
    })
    if (!isKnown) throw invalid({ email: buyerTexts.unknownUser }, buyerTexts.unknownUser)
    return { sentTo: values.email?.trim() ?? '', requestId: context.requestId }
  })
}

export default function Forgot() {
  const t = useT()
  const { shop } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const sent = actionData && 'sentTo' in actionData ? actionData : undefined
  return (
    <BuyerPage shop={shop} heading={t('Forgotten password')} isWide>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        {sent ? (
          <LinkSent key={sent.requestId} urlKey={shop.urlKey} email={sent.sentTo} />
        ) : (
          <ForgotForm urlKey={shop.urlKey} problem={problemOf(actionData)} />
        )}
        <NewHere shop={shop} />
      </div>
    </BuyerPage>
  )
}

export function ErrorBoundary() {
  return <ShopErrorPage />
}
